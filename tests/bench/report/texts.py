"""Text: what an agent gets of the corpus' real outputs, by toto and by the peers, and which reasons are lost."""

import json
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import svg
from machine import PROGRAMS, Result

# Words of a line that says why something failed, in outputs that nobody marked.
REASON = re.compile(r"\b(error|Error|ERROR|fatal|FAILED|FAIL|panicked|Exception|not found|No such)\b")
WORDS = re.compile(r"\w+")
DIFFERS = re.compile(r"\d+|0x[0-9a-f]+")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


@dataclass
class Output:
    """A real output: what was called, what it printed, and the lines that say why it failed."""

    argv: list
    exit_code: int
    text: Path
    reasons: list

    @property
    def family(self):
        tool = self.argv[0]
        return {"pip3": "pip", "python3": "python", "g++": "gcc", "pnpm": "npm", "yarn": "npm"}.get(tool, tool)


@dataclass
class Given:
    """What an agent gets of an output through a program."""

    text: Path
    tokens: int
    lost: list


def measure(run):
    """Measures every output whose command is known, through each program."""
    outputs = listed(run)
    if not outputs:
        return Result("../shared/corpus is not there")
    ours = given(run, "toto", outputs)
    originals = run.tokens([output.text for output in outputs])
    tables, series = [], []
    for peer in PROGRAMS:
        if not run.peer(peer):
            continue
        theirs = given(run, peer, outputs)
        rows = compared(outputs, originals, ours, theirs)
        tables.append(table(peer, rows))
        series.append((peer, rows))
    if not series:
        return Result("no peer is there")
    return Result("\n\n".join(tables), [plot(series)])


def listed(run):
    corpus = run.corpus / "dev/text"
    marks = tomllib.loads((run.root / "tests/bench/reasons.toml").read_text())
    outputs = []
    for meta in sorted(corpus.glob("*.meta.json")):
        name = meta.name.removesuffix(".meta.json")
        known = json.loads(meta.read_text())
        argv, exit_code = known["argv"], known["exit_code"] or 0
        if not re.fullmatch(r"[a-z][\w.+-]*", argv[0]) or name.startswith("jc__") or run.quick and crc32(name.encode()) % 8:
            continue
        text = corpus / f"{name}.txt"
        outputs.append(Output(argv, exit_code, text, why(marks.get(name), text) if exit_code else []))
    return outputs


def why(marked, text):
    """The lines that say why: those marked, else the first five different ones that sound like it."""
    if marked:
        return marked
    found = {}
    for line in plain(text.read_bytes()).splitlines():
        if REASON.search(line) and line.strip():
            found.setdefault(DIFFERS.sub("#", line.strip()), line.strip())
    return list(found.values())[:5]


def given(run, program, outputs):
    """What an agent gets of each output through a program: None where the program asked the tool for another output."""
    to = run.home / f"texts-{program}"
    to.mkdir(exist_ok=True)
    asked = [call(run, program, output, to / str(number)) for number, output in enumerate(outputs)]
    files = [to / str(number) for number in range(len(outputs))]
    return [Given(file, count, lost(output.reasons, file)) if same else None
            for output, file, count, same in zip(outputs, files, run.tokens(files), asked)]


def lost(reasons, file):
    text = " ".join(plain(file.read_bytes()).split())
    has = lambda reason: all(" ".join(part.split()) in text for part in reason.split(" … "))
    return [reason for reason in reasons if not has(reason)]


def plain(data):
    return ESCAPES.sub("", data.decode("utf-8", "replace"))


def call(run, program, output, to):
    """Writes both streams of a command as an agent gets them; returns whether the tool was asked for just that output.

    The tool is a script that prints what the real tool printed, and writes down its arguments.
    """
    world = run.home / f"world-{program}"
    shutil.rmtree(world, ignore_errors=True)
    tools, farm, asked = world / "tools", world / "farm", world / "asked"
    for directory in (tools, farm):
        directory.mkdir(parents=True)
    script = f"#!/bin/sh\necho \"$@\" >>{asked}\n/bin/cat '{output.text}'\nexit {output.exit_code}\n"
    # `npx eslint` may be run as eslint.
    names = output.argv[:2] if output.argv[0] == "npx" else output.argv[:1]
    for name in names:
        (tools / name).write_text(script)
        (tools / name).chmod(0o755)
    (farm / output.argv[0]).symlink_to(run.toto)
    path = f"{tools}:{run.peers / 'bin'}:/usr/bin:/bin"
    env = {"HOME": str(world), "PATH": path, "LANG": "C.UTF-8", "RTK_TELEMETRY_DISABLED": "1"}
    line = shlex.join(output.argv)
    if program == "toto":
        env |= {"PATH": f"{farm}:{path}", "TOTO_AGENT": "1"}
    else:
        line = rewritten(run.peer(program), line, env)
    done = subprocess.run(["/bin/sh", "-c", line], env=env, cwd=world, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    to.write_bytes(done.stdout)
    expected = {" ".join(output.argv[number:]) for number in range(1, len(names) + 1)}
    calls = set(asked.read_text().splitlines()) if asked.exists() else set()
    return bool(calls) and calls <= expected


def rewritten(peer, line, env):
    """The command as the peer's hook would have the agent run it; lean-ctx takes any."""
    if peer.name == "lean-ctx":
        return f"lean-ctx -c {shlex.quote(line)}"
    said = subprocess.run([peer, "rewrite", line], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, timeout=60)
    return said.stdout.strip() or line


def compared(outputs, originals, ours, theirs):
    """Sums by tool and by how it ended, of the outputs for which the peer called the tool as it was called."""
    rows = defaultdict(lambda: defaultdict(int, {"examples": [], "only toto lost": []}))
    for output, original, our, their in zip(outputs, originals, ours, theirs):
        for family in (output.family, "all"):
            row = rows[family, output.exit_code == 0]
            row["outputs"] += 1
            if their is None:
                row["otherwise"] += 1
                continue
            row["original"] += original
            row["reasons"] += len(output.reasons)
            for name, one in (("toto", our), ("peer", their)):
                row[name] += one.tokens
                row[f"lost {name}"] += len(one.lost)
                row[f"grew {name}"] += one.tokens > original
            row["only toto lost"] += [reason for reason in our.lost if reason not in their.lost]
            if their.tokens < our.tokens:
                row["examples"] += dropped(output.text, our.text, their.text)
    return rows


def dropped(original, ours, theirs):
    """Lines of the tool that toto gives and of which the peer lacks a word."""
    lines = {line.strip() for line in plain(original.read_bytes()).splitlines()}
    return [line for line in lacking(ours, theirs) if line in lines]


def lacking(file, other):
    """The distinct lines of a file of which another lacks a word, wherever it may stand."""
    has = set(WORDS.findall(plain(other.read_bytes())))
    lines = dict.fromkeys(line.strip() for line in plain(file.read_bytes()).splitlines())
    return [line for line in lines if not has.issuperset(WORDS.findall(line))]


def table(peer, rows):
    head = f"{'tool':<18} {'run':<8} {'outputs':>7} {'other':>5} {'original':>9} {'reasons':>8}"
    lines = [head + "".join(f"{name:>11} {'saved':>7} {'lost':>5} {'grew':>5}" for name in ("toto", peer))]
    alike, otherwise = [], []
    for (tool, passing), row in sorted(rows.items(), key=lambda item: (item[0][0] == "all", item[0])):
        ended = "passing" if passing else "failing"
        if row["original"] == row["toto"] == row["peer"]:
            (otherwise if row["outputs"] == row["otherwise"] else alike).append(f"{tool} ({ended})")
            continue
        cells = "".join(f"{row[name]:>11} {100 * (1 - row[name] / max(row['original'], 1)):>6.1f}% "
                        f"{row[f'lost {name}']:>5} {row[f'grew {name}']:>5}" for name in ("toto", "peer"))
        lines.append(f"{tool:<18} {ended:<8} {row['outputs']:>7} {row['otherwise']:>5} "
                     f"{row['original']:>9} {row['reasons']:>8}{cells}")
        if tool != "all":
            lines += remarks(peer, row)
    lines.append("")
    for said, those in ((f"Changed by neither toto nor {peer}:", alike), (f"Asked for otherwise by {peer}:", otherwise)):
        lines += [f"{said} {', '.join(those)}."] if those else []
    return "\n".join(lines)


def remarks(peer, row):
    """Lines that say where toto is not the better program, and why."""
    if row["peer"] < row["toto"]:
        left = row["examples"]
        why = (f"words are missing of {len(left)} lines that toto gives, such as: {max(left, key=len)[:80]}"
               if left else "the same words, written shorter")
        if row["toto"] == row["original"]:
            why += "; toto hands the tool's own bytes on here"
        yield f"    {peer} is shorter by {row['toto'] - row['peer']} tokens: {why}"
    if row["lost toto"] > row["lost peer"]:
        yield f"    toto does not show: {max(row['only toto lost'], key=len)[:100]}"


def plot(series):
    """Tokens saved, beside each peer on the outputs for which it called the tool as it was called."""
    names, ours, theirs = [], [], []
    for peer, rows in series:
        for ended, passing in (("passing", True), ("failing", False)):
            row = rows["all", passing]
            names.append(f"{peer}, {ended}")
            for name, values in (("toto", ours), ("peer", theirs)):
                values.append(max(100 * (1 - row[name] / max(row["original"], 1)), 0))
    return "texts", svg.bars("Tokens saved of real text outputs (more is better)", names,
                             [("toto", ours), ("the peer", theirs)], " %")
