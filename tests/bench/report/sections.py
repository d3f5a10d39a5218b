"""The sections of the report, in order; a new one is a line here."""

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
    prose: str
    measure: Callable


def bench(name, *arguments, quick=(), features="", corpus=None):
    """Shows the output of a benchmark of the repository as it is."""
    def measure(run):
        env = {"CORPUS": str(run.corpus / corpus)} if corpus else None
        return Result(run.bench(name, *(quick if run.quick else arguments), features=features, env=env))
    return measure


def kept(name):
    """Shows what tests/real/agents.py or work.py left in target/, if anything: agents are measured apart."""
    def measure(run):
        left = run.root / f"target/{name}.md"
        return Result(left.read_text().rstrip(), is_markdown=True) if left.exists() else None
    return measure


def example(name, directory, features="", beside_toon=False):
    """Shows an example of the repository on a part of the corpus, perhaps beside that part in TOON's notation."""
    def measure(run):
        if not (run.corpus / directory).is_dir():
            return Result("../shared/corpus is not there")
        beside = [run.toon] if beside_toon and run.toon else []
        return Result(run.example(name, run.corpus / directory, *beside, features=features))
    return measure


def overhead(run):
    """The table; below it each peer that is faster, with the bytes that it gives; and a plot of each way's cost."""
    table = run.bench("overhead", "40" if run.quick else "300")
    rows = re.findall(r"^(\S.*?) {2,}(.+?) +[\d.]+ ms +(-?[\d.]+) ms +[\d.]+x +(\d+)$", table, re.MULTILINE)
    over = {(command, way): float(ms) for command, way, ms, _ in rows}
    size = {(command, way): int(given) for command, way, _, given in rows}
    commands = list(dict.fromkeys(command for command, *_ in rows))
    ways = [way for way in dict.fromkeys(way for _, way, *_ in rows) if way != "directly"]
    captured = next(way for way in ways if "captured" in way)
    faster = [f"{command}: {way} is faster than toto; it gives {size[command, way]} bytes of "
              f"{size[command, 'directly']}, toto {size[command, captured]}"
              for command in commands for way in ways
              if not way.startswith("toto") and over.get((command, way), 1e9) < over[command, captured]]
    series = [(way, [max(over[command, way], 0.01) if (command, way) in over else None for command in commands])
              for way in ways]
    plot = svg.bars("Milliseconds over the bare tool (less is better)", commands, series, "")
    return Result("\n".join([table, "", *faster] if faster else [table]), [("overhead", plot)])


ALL = [
    Section("notations", "Documents: tokens of each notation, and what is lost",
            "Exact cl100k_base tokens, of each document as its tool printed it. *Not given back*: documents that a notation refuses or "
            "whose own reader returns something else. toto's lossless output is read back by `toto expand`; the "
            "standard level leaves out nulls and empty values on purpose, and says so. Where another notation has the "
            "fewest tokens, a line below the row says which.", notations.measure),
    Section("shown", "Documents: those that the notation's page shows", "", notations.shown),
    Section("totals", "Documents: every group of the corpus",
            "Of each document pretty-printed, with the counts of the corpus itself (`counts.csv`) for minified JSON and "
            "TOON; every leaf of every document is looked for again.", example("totals", "dev/json")),
    Section("totals-o200k", "The same in o200k_base", "Of each document as its tool printed it. The order is the same.",
            example("totals", "dev/json", features="o200k", beside_toon=True)),
    Section("published", "Documents: what others publish", "TOON's own data sets, and the savings published for live "
            "calls of AWS with losses allowed, beside ours in tokens.", example("peers", "", beside_toon=True)),
    Section("texts", "Text: what an agent gets, by toto and by peers, and the reasons that are lost",
            "Real outputs of real tools, with their exit status, through the real programs, called as each one's hook "
            "would have an agent call it; receipts and notes count. *Reasons* are the lines of failing runs that say why (marked by "
            "hand in tests/bench/reasons.toml, else the first five different lines with a word such as error); *lost* "
            "are those that the agent does not see; *grew* counts outputs that have more tokens than the original. "
            "*Other*: the peer asks the tool for another output, by flags of its own or a second call; what that would "
            "have been is not known, so these are left out of the row, for both. Large output is saved whole by toto "
            "and named; its preview is what counts here. Where a peer is shorter, or shows a reason that toto does not, "
            "a line below the row says so and why.", texts.measure),
    Section("lossless", "Text: every line kept, beside what peers leave out",
            "The notation of text alone, with no filter and nothing left out, as shares of the original's tokens. *Missing*: "
            "the tokens of the tool's lines of which the peer does not give every word, wherever and however often; "
            "*both*: what it gives and what is missing together, as an agent has them that asks for the rest; *whole*: outputs of which no line is "
            "missing. Outputs for which a peer asks the tool otherwise are not counted for it.", lossless.measure),
    Section("families", "Text: the library of filters alone",
            "*Mean* is that of the outputs, each counted once; *overflow* what is saved with the preview of large output, "
            "too; *dishonest* counts outputs with a line that is neither the tool's nor marked, or a lost reason.",
            example("families", "dev/text")),
    Section("reasons", "Failing runs with large output",
            "The marked lines against head and tail truncation.", bench("reasons", corpus="dev/text")),
    Section("agents", "Real agents", "Real command lines against a scripted model, by `tests/real/agents.py` "
            "([what each column is](agents.md#what-was-verified)); the one table of this page that another run made, at the date and "
            "with the versions that it names, because it needs the agents installed.", kept("agents")),
    Section("work", "Tasks of agents", "By `tests/real/work/work.py` ([how it is counted](work.md)).", kept("work")),
    Section("work-sum", "Tasks of agents, in sum", "", kept("work-sum")),
    Section("work-last", "Tasks of agents, the last two runs of each", "", kept("work-last")),
    Section("work-shares", "What the cost of tasks is made of", "", kept("work-shares")),
    Section("agents-ends", "Real agents: the end of an output in a pseudo-terminal", "", kept("agents-ends")),
    Section("overhead", "What a shim costs a command",
            "Budgets: raw at most 1.5 ms over the bare tool, 1 KB captured at most 4 ms. *Given*: bytes that the caller "
            "gets, both streams. `rtk run` hands on what it reads; rtk filters commands that it knows by name, as here "
            "git status.", overhead),
    Section("building", "Building it", "The README's two commands, each with an empty target directory.", building.measure),
    Section("start", "Before the tool runs",
            "Counts, not times: they are the same on every machine of this kind. Instructions are those of our own "
            "process, by callgrind; system calls by strace.", start.measure),
    Section("hook", "What a hook costs a command", "`toto hook handle` beside `true`.", bench("hook", quick=("20",))),
    Section("decision", "Who reads?", "The decision alone.", bench("decision")),
    Section("throughput", "Speed and memory by size",
            "Start to end on the clock, beside `cat` alone; *by CPU* leaves other people's work out. A document over 64 MiB is taken "
            "for text: beyond that, and of any text, the whole goes to a file and a preview to the agent.",
            throughput.measure),
    Section("large", "A gigabyte of text", "Budget: at most 50 MB.", bench("large")),
    Section("notation", "Documents of many shapes: is the cost linear?",
            "`serde`: against serde_json parsing the same bytes, in the same run. Budgets: at least 40 MB/s of 10 MB, at "
            "most 6 bytes of memory a byte.", bench("notation")),
    Section("filters", "The heaviest filters", "", bench("filters")),
    Section("tokens", "Counting tokens", "", bench("tokens", features="o200k")),
    Section("ledger", "The ledger", "", bench("ledger")),
]
