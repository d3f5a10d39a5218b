"""Documents: tokens of every notation, and the number of documents that its own reader does not give back."""

import csv
import json
import shutil
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path

import svg
from machine import Result


def measure(run):
    """The corpus and TOON's own data sets, by group."""
    documents, tokens, wrong = counted(run)
    if not documents:
        return Result("../shared/corpus is not there")
    groups = defaultdict(list)
    for index, (group, _) in enumerate(documents):
        groups[group].append(index)
        if not group.startswith("TOON"):
            groups["all but TOON's"].append(index)
    return Result(table(groups, tokens, wrong), [plot(groups, tokens)], sums="of the|aws-live|all but|not given")


@cache
def counted(run):
    """The documents, the tokens of each by notation, and how many each notation does not give back."""
    documents = listed(run.corpus)
    if not documents:
        return [], {}, {}
    tokens, wrong = {"original": run.tokens([path for _, path in documents])}, {"original": 0}
    for name, counts, changed in peers(run, documents):
        tokens[name], wrong[name] = counts, changed
    for level in ("lossless", "standard"):
        tokens[f"toto {level}"], wrong[f"toto {level}"] = ours(run, documents, level)
    return documents, tokens, wrong


def listed(corpus):
    counts = corpus / "dev/json/counts.csv"
    if not counts.exists():
        return []
    with counts.open() as rows:
        documents = [(row["group"], corpus / "dev/json" / row["path"]) for row in csv.DictReader(rows)]
    own = sorted((corpus / "toon").glob("tokens__*.json"))
    return documents + [(f"TOON {path.stem.removeprefix('tokens__')}", path) for path in own]


def peers(run, documents):
    """(name, tokens a document, documents that were refused or came back changed) of each notation."""
    if not (run.peers / "node_modules").exists():
        return
    out = run.home / "notations"
    script = run.peers / "notations.mjs"
    shutil.copy(Path(__file__).with_name("notations.mjs"), script)
    done = subprocess.run(["node", script, out], input="\n".join(str(path) for _, path in documents), text=True,
                          stdout=subprocess.PIPE, check=True)
    for line in done.stdout.splitlines():
        notation = json.loads(line)
        # A document that a notation cannot write is left as it was.
        files = [out / notation["name"] / str(index) if index not in notation["refused"] else path
                 for index, (_, path) in enumerate(documents)]
        if notation["name"] == "TOON":
            run.toon = lay_out(run, documents, files)
        yield notation["name"], run.tokens(files), len(notation["refused"]) + len(notation["changed"])


def lay_out(run, documents, files):
    """Copies TOON's files to the names of their documents, where the examples of the repository look for them."""
    to = run.home / "toon-files"
    for (_, path), file in zip(documents, files):
        below = path.relative_to(run.corpus / ("dev/json" if "dev" in path.parts else "toon"))
        (to / below).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, (to / below).with_suffix(".toon"))
    return to


def ours(run, documents, level):
    """Tokens and changed documents as for the peers; "-" for a level that may leave things out."""
    out = run.home / f"toto-{level}"
    out.mkdir()
    changed = 0
    for index, (_, path) in enumerate(documents):
        with path.open() as document, (out / str(index)).open("w") as to:
            subprocess.run([run.toto, "--level", level, "--receipt", "off", "--overflow", "off"], stdin=document, stdout=to, check=True)
        if level == "lossless":
            changed += not given_back(run, out / str(index), path)
    return run.tokens([out / str(index) for index in range(len(documents))]), changed if level == "lossless" else "-"


def given_back(run, notation, path):
    text = notation.read_text()
    original = json.loads(path.read_text(), parse_float=str)
    try:
        return json.loads(text, parse_float=str) == original
    except ValueError:
        read = subprocess.run([run.toto, "expand", notation], stdout=subprocess.PIPE, text=True)
        return read.returncode == 0 and json.loads(read.stdout, parse_float=str) == original


def table(groups, tokens, wrong):
    names = [name for name in tokens if name != "original"]
    lines = [f"{'of the original tokens':<24} {'docs':>5} {'original':>9}" + "".join(f"{name:>15}" for name in names)]
    for group, indices in groups.items():
        whole = sum(tokens["original"][index] for index in indices)
        ratios = [sum(tokens[name][index] for index in indices) / whole for name in names]
        lines.append(f"{group:<24} {len(indices):>5} {whole:>9}" + "".join(f"{ratio:>15.3f}" for ratio in ratios))
        best = min(names, key=lambda name: sum(tokens[name][index] for index in indices))
        if not best.startswith("toto"):
            lines.append(f"    {best} is shorter here")
    lines.append(f"{'not given back':<40}" + "".join(f"{wrong[name]:>15}" for name in names))
    return "\n".join(lines)


def plot(groups, tokens):
    shown = [name for name in ("minified", "TOON", "TRON", "toto lossless") if name in tokens]
    names = [group for group in groups if not group.startswith("TOON")]
    ratio = lambda name, group: (sum(tokens[name][index] for index in groups[group])  # noqa: E731
                                 / sum(tokens["original"][index] for index in groups[group]))
    series = [(name, [ratio(name, group) for group in names]) for name in shown]
    return "notations", svg.bars("Tokens, of the document as its tool printed it (less is better)", names, series, "")
