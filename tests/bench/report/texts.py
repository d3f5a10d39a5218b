"""Text: what an agent gets of the corpus' real outputs, by toto and by the peers, and which reasons are lost."""

import json
import os
import re
import subprocess
import tomllib
from collections import defaultdict
from zlib import crc32

import svg
from machine import Result

# How each is told to run a command.
PEERS = {"tokf": ["run"], "lean-ctx": ["-c"]}
# What says why something failed, where nobody marked it.
REASON = re.compile(r"\b(error|Error|ERROR|fatal|FAILED|FAIL|panicked|Exception|not found|No such)\b")
DIFFERS = re.compile(r"\d+|0x[0-9a-f]+")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


def measure(run):
    """Every output whose command is known, through each program."""
    corpus = run.corpus / "dev/text"
    if not corpus.is_dir():
        return Result("../shared/corpus is not there")
    marks = tomllib.loads((run.root / "tests/bench/reasons.toml").read_text())
    programs = {"toto": None} | {name: run.peer(name) for name in PEERS if run.peer(name)}
    sums, examples = defaultdict(lambda: defaultdict(int)), defaultdict(list)
    for meta in sorted(corpus.glob("*.meta.json")):
        name = meta.name.removesuffix(".meta.json")
        known = json.loads(meta.read_text())
        argv, exit_code = known["argv"], known["exit_code"] or 0
        if not re.fullmatch(r"[a-z][\w.+-]*", argv[0]) or name.startswith("jc__") or run.quick and crc32(name.encode()) % 8:
            continue
        text = corpus / f"{name}.txt"
        reasons = why(marks.get(name), text) if exit_code else []
        given = {"original": text}
        for program, path in programs.items():
            given[program] = run.home / f"{name}.{program}"
            given[program].write_bytes(call(run, program, path, argv, text, exit_code))
        counts = dict(zip(given, run.tokens(list(given.values()))))
        for key in ((family(argv[0]), exit_code == 0), ("all", exit_code == 0)):
            row = sums[key]
            row["outputs"] += 1
            row["reasons"] += len(reasons)
            for program, count in counts.items():
                row[program] += count
                row[f"lost {program}"] += lost(reasons, given[program])
                row[f"more {program}"] += count > counts["original"]
                if count < counts["toto"]:
                    examples[key, program] += dropped(text, given["toto"], given[program])
    return Result(table(sums, programs) + shorter(sums, programs, examples), [plot(sums, programs)])


def why(marked, text):
    """The lines that say why: those marked, else the first five different ones that sound like it."""
    if marked:
        return marked
    found = {}
    for line in plain(text.read_bytes()).splitlines():
        if REASON.search(line) and line.strip():
            found.setdefault(DIFFERS.sub("#", line.strip()), line.strip())
    return list(found.values())[:5]


def lost(reasons, given):
    text = " ".join(plain(given.read_bytes()).split())
    return sum(" ".join(reason.split()) not in text for reason in reasons)


def dropped(original, ours, theirs):
    """Lines of the tool that toto gives and the peer does not."""
    lines = {line.strip() for line in plain(original.read_bytes()).splitlines() if line.strip()}
    other = plain(theirs.read_bytes())
    kept = dict.fromkeys(line.strip() for line in plain(ours.read_bytes()).splitlines())
    return [line for line in kept if line in lines and line not in other]


def shorter(sums, programs, examples):
    """Where a peer needs fewer tokens, and what it leaves out for that."""
    lines = []
    for (tool, passing), row in sorted(sums.items()):
        for program in programs:
            if tool != "all" and row[program] < row["toto"]:
                left = examples[(tool, passing), program]
                example = f", the longest: {max(left, key=len)[:70]}" if left else ""
                lines.append(f"{tool}, {'passing' if passing else 'failing'}: {program} is shorter by "
                             f"{row['toto'] - row[program]} tokens, without {len(left)} lines that toto gives{example}")
    return "\n\n" + "\n".join(lines) if lines else ""


def plain(data):
    return ESCAPES.sub("", data.decode("utf-8", "replace"))


def call(run, program, path, argv, text, exit_code):
    """What an agent gets of this command by this program, both streams."""
    tools = run.home / "tools"
    tools.mkdir(exist_ok=True)
    tool = tools / argv[0]
    tool.write_text(f"#!/bin/sh\n/bin/cat '{text}'\nexit {exit_code}\n")
    tool.chmod(0o755)
    home = run.home / f"home-{program}"
    home.mkdir(exist_ok=True)
    env = {"HOME": str(home), "PATH": f"{tools}:/usr/bin:/bin", "LANG": "C.UTF-8"}
    if program == "toto":
        farm = run.home / "farm"
        farm.mkdir(exist_ok=True)
        shim = farm / argv[0]
        if not shim.exists():
            shim.symlink_to(run.toto)
        env |= {"PATH": f"{farm}:{env['PATH']}", "TOTO_AGENT": "1"}
        words = [str(shim), *argv[1:]]
    else:
        words = [str(path), *PEERS[program], *argv]
    done = subprocess.run(words, env=env, cwd=home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=120)
    os.unlink(tool)
    return done.stdout


def family(tool):
    return {"pip3": "pip", "python3": "python", "g++": "gcc", "pnpm": "npm", "yarn": "npm"}.get(tool, tool)


def table(sums, programs):
    lines = [f"{'tool':<18} {'run':<8} {'outputs':>7} {'original':>9} {'reasons':>8}"
             + "".join(f"{name:>11} {'saved':>7} {'lost':>5} {'grew':>5}" for name in programs)]
    for (tool, passing), row in sorted(sums.items(), key=lambda item: (item[0][0] == "all", item[0])):
        cells = "".join(f"{row[name]:>11} {100 * (1 - row[name] / max(row['original'], 1)):>6.1f}% "
                        f"{row[f'lost {name}']:>5} {row[f'more {name}']:>5}" for name in programs)
        lines.append(f"{tool:<18} {'passing' if passing else 'failing':<8} {row['outputs']:>7} {row['original']:>9} "
                     f"{row['reasons']:>8}{cells}")
    return "\n".join(lines)


def plot(sums, programs):
    rows = [("passing runs", sums["all", True]), ("failing runs", sums["all", False])]
    series = [(name, [100 * (1 - row[name] / max(row["original"], 1)) for _, row in rows]) for name in programs]
    return "texts", svg.bars("Tokens saved of real text outputs (more is better)", [name for name, _ in rows],
                             [(name, [max(value, 0) for value in values]) for name, values in series], " %")
