"""The sections of the report, in order; a new one is a line here."""

import re
from dataclasses import dataclass
from typing import Callable

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
    prose: str
    measure: Callable


def bench(name, *arguments, quick=(), corpus=None):
    """A benchmark of the repository, its output as it is."""
    def measure(run):
        env = {"CORPUS": str(run.corpus / corpus)} if corpus else None
        return Result(run.bench(name, *(quick if run.quick else arguments), env=env))
    return measure


def example(name, directory, features=(), beside_toon=False):
    """A report of the repository on a part of the corpus, perhaps beside what TOON's encoder made of it."""
    def measure(run):
        if not (run.corpus / directory).is_dir():
            return Result("../shared/corpus is not there")
        beside = [run.toon] if beside_toon and run.toon else []
        return Result(run.example(name, run.corpus / directory, *beside, features=features))
    return measure


def overhead(run):
    """The table, and a plot of what each way costs over the bare tool."""
    table = run.bench("overhead", "40" if run.quick else "300")
    rows = re.findall(r"^(\S.*?) {2,}(.+?) +[\d.]+ ms +(-?[\d.]+) ms +[\d.]+x$", table, re.MULTILINE)
    commands = list(dict.fromkeys(command for command, _, _ in rows))
    ways = [way for way in dict.fromkeys(way for _, way, _ in rows) if way != "directly"]
    over = {(command, way): max(float(ms), 0.01) for command, way, ms in rows}
    series = [(way, [over.get((command, way)) for command in commands]) for way in ways]
    return Result(table, [("overhead", svg.bars("Milliseconds over the bare tool (less is better)", commands, series, ""))])


ALL = [
    Section("notations", "Documents: tokens of each notation, and what is lost",
            "Exact cl100k_base tokens, of each document as its tool printed it. *Not given back*: documents that a notation refuses or "
            "whose own reader returns something else. toto's lossless output is read back by `toto expand`; the "
            "standard level leaves out nulls and empty values on purpose, and says so.", notations.measure),
    Section("totals", "Documents: every group of the corpus",
            "The counts of the corpus (`counts.csv`) and ours; every leaf of every document is looked for again.",
            example("totals", "dev/json")),
    Section("totals-o200k", "The same in o200k_base", "The order is the same.",
            example("totals", "dev/json", features=("o200k",), beside_toon=True)),
    Section("published", "Documents: what others publish", "TOON's own data sets, and the savings published for live "
            "calls of AWS with losses allowed, beside ours in tokens.", example("peers", "", beside_toon=True)),
    Section("texts", "Text: what an agent gets, by toto and by peers, and the reasons that are lost",
            "Real outputs of real tools, with their exit status, through the real programs; a receipt counts. "
            "*Reasons* are the lines of failing runs that say why (marked by hand in tests/bench/reasons.toml, else "
            "the first five different lines with a word such as error); *lost* are those that the agent does not "
            "see; *grew* counts outputs that have more tokens than the original. Large output is saved whole by toto and "
            "named; its preview is what counts here. Some peers ask the tool for another output by a flag of theirs: "
            "here every one gets the same text. Families where a peer is shorter are named below the table, with "
            "what it leaves out for that.", texts.measure),
    Section("families", "Text: the library of filters alone", "", example("families", "dev/text")),
    Section("reasons", "Failing runs with large output",
            "The marked lines against head and tail truncation.", bench("reasons", corpus="dev/text")),
    Section("overhead", "What a shim costs a command",
            "Budgets: raw at most 1.5 ms over the bare tool, 1 KB captured at most 4 ms.", overhead),
    Section("start", "Before the tool runs",
            "Counts, not times: they are the same on every machine of this kind. Instructions are those of our own "
            "process, by callgrind; system calls by strace.", start.measure),
    Section("hook", "What a hook costs a command", "`toto hook handle` beside `true`.", bench("hook", quick=("20",))),
    Section("decision", "Who reads?", "The decision alone. †", bench("decision")),
    Section("throughput", "Speed and memory by size", "", throughput.measure),
    Section("large", "A gigabyte of text", "", bench("large")),
    Section("notation", "Documents of many shapes: is the cost linear?", "", bench("notation")),
    Section("filters", "The heaviest filters", "", bench("filters")),
    Section("tokens", "Counting tokens", "", bench("tokens")),
    Section("ledger", "The ledger", "", bench("ledger")),
]
