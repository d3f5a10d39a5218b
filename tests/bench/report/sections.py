"""The sections of the report, in order. A new one is a line here and a block on a page; tests/suite/figures.rs compares them."""

import re
from dataclasses import dataclass
from typing import Callable

import building
import lossless
import notations
import start
import svg
import texts
import throughput
from machine import Result


@dataclass
class Section:
    name: str
    title: str
    measure: Callable


def bench(name, *arguments, quick=(), corpus=None, sums=""):
    """Shows the output of a benchmark of the repository as it is."""
    def measure(run):
        env = {"CORPUS": str(run.corpus / corpus)} if corpus else None
        return Result(run.bench(name, *(quick if run.quick else arguments), env=env), sums=sums)
    return measure


def kept(name, sums=""):
    """Shows what tests/real/agents.py or work.py left in target/, if anything: agents are measured apart."""
    def measure(run):
        left = run.root / f"target/{name}.md"
        return Result(left.read_text().rstrip(), is_markdown=True, sums=sums) if left.exists() else None
    return measure


def example(name, directory, beside_toon=False, sums=""):
    """Shows an example of the repository on a part of the corpus, perhaps beside that part in TOON's notation."""
    def measure(run):
        if not (run.corpus / directory).is_dir():
            return Result("../shared/corpus is not there")
        beside = [run.toon] if beside_toon and run.toon else []
        return Result(run.example(name, run.corpus / directory, *beside), sums=sums)
    return measure


def overhead(run):
    """The table; below it the raw path beside its limit, each peer that is faster, with the bytes that it gives; and a
    plot of each way's cost."""
    table = run.bench("overhead", "40" if run.quick else "300")
    rows = re.findall(r"^(\S.*?) {2,}(.+?) +[\d.]+ ms +(-?[\d.]+) ms +[\d.]+x +(\d+)$", table, re.MULTILINE)
    over = {(command, way): float(ms) for command, way, ms, _ in rows}
    size = {(command, way): int(given) for command, way, _, given in rows}
    commands = list(dict.fromkeys(command for command, *_ in rows))
    ways = [way for way in dict.fromkeys(way for _, way, *_ in rows) if way != "directly"]
    limit, raw, captured = (next(way for way in ways if word in way) for word in ("limit", "(raw)", "captured"))
    beside = f"true: raw adds {over['true', raw] / over['true', limit]:.1f} of what the limit adds; budget 1.4"
    faster = [f"{command}: {way} is faster than toto; it gives {size[command, way]} bytes of "
              f"{size[command, 'directly']}, toto {size[command, captured]}"
              for command in commands for way in ways
              if not way.startswith(("toto", "limit")) and over.get((command, way), 1e9) < over[command, captured]]
    series = [(way, [max(over[command, way], 0.01) if (command, way) in over else None for command in commands])
              for way in ways]
    plot = svg.bars("Milliseconds over the bare tool (less is better)", commands, series, "")
    return Result("\n".join([table, "", beside, *faster]), [("overhead", plot)],
                  sums=r"command|1 KB|.*: (?!execve)")


ALL = [
    Section("notations", "Notations", notations.measure),
    Section("published", "What others publish",
            example("peers", "", beside_toon=True, sums="TOON's|tokens__(event|github|nested |tabular)|live|all of")),
    Section("texts", "Text beside peers", texts.measure),
    Section("lossless", "Text without losses", lossless.measure),
    Section("families", "The library of filters", example("families", "dev/text")),
    Section("reasons", "Failing runs", bench("reasons", corpus="dev/text", sums="failing|all ")),
    Section("agents", "Real agents", kept("agents", sums=r"2|$|\| (agent|claude.*head|codex.*code|cont)|\|---")),
    Section("agents-ends", "Ends in a pseudo-terminal", kept("agents-ends")),
    Section("work", "Tasks", kept("work")),
    Section("work-kinds", "Tasks, by kind", kept("work-kinds")),
    Section("work-shares", "Tasks, shares of cost", kept("work-shares")),
    Section("work-again", "Tasks, asked again", kept("work-again")),
    Section("work-replay", "Tasks, replayed", kept("work-replay", sums=r"\| [^:|]+ \||\|---")),
    Section("overhead", "What a shim costs a command", overhead),
    Section("building", "Building it", building.measure),
    Section("start", "Before the tool runs", start.measure),
    Section("hook", "A hook", bench("hook", quick=("20",), sums="one|asked|true|claude")),
    Section("decision", "Who reads?", bench("decision", sums="the dec|no agent|agent, (10|500) ")),
    Section("throughput", "Speed and memory by size", throughput.measure),
    Section("large", "A gigabyte of text", bench("large")),
    Section("notation", "Cost by shape",
            bench("notation", sums="shape|(pods|sparse).*  100  |100,000")),
    Section("filters", "The heaviest filters", bench("filters", sums="look-up|  lib|  150|through|  1,000,000 lines +exit 0")),
    Section("tokens", "Counting tokens", bench("tokens", sums="milli| +bytes| +1024|10485760|mega| +(JSON|random|spaces)")),
    Section("ledger", "The ledger", bench("ledger", sums="a record|a captured|1000000|toto gain  ")),
]
