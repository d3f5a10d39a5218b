"""The machine, the binary, and how programs are run."""

import datetime
import os
import platform
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path


# Benchmarks that only count: they are built without link-time optimisation. With it some code is twice as fast, so that what
# is timed is built as it is shipped.
COUNTING = ("reasons",)
# Peers that shorten what commands print.
PROGRAMS = ("tokf", "rtk", "lean-ctx")


LONG = 40  # lines


@dataclass
class Result:
    """The result of a section: a table of plain text, and plots by name."""

    table: str
    plots: list = field(default_factory=list)
    is_markdown: bool = False
    # An expression: the rows that stand on the page, where the whole stands in a file beside it.
    sums: str = ""

    @property
    def is_long(self):
        """Too long for a page: the whole is a file beside it."""
        return bool(self.sums) or self.table.count("\n") >= LONG

    def file(self, name):
        """Where a long table stands as a whole, from docs/."""
        return f"benchmarks/{name}.{'md' if self.is_markdown else 'txt'}"

    def brief(self, name):
        """The table as it stands in a page: of a long one its heads and sums."""
        if not self.is_long:
            return self.shown()
        rows = self.table.splitlines()
        kept = "\n".join(row for row in rows if re.match(self.sums or "tool |all |total ", row)).strip("\n")
        if self.is_markdown and not self.sums:
            return f"{len(rows) - 2} rows:\n[every one]({self.file(name)})"
        return f"{kept if self.is_markdown else self.fenced(kept)}\n\n[Every row]({self.file(name)})"

    def shown(self):
        """The whole table."""
        return self.table if self.is_markdown else self.fenced(self.table)

    def fenced(self, rows):
        """Plain text for a page, with the meaning of its sign."""
        legend = "\n\n† nothing in the same run to hold it against: it tells of this machine only" if "†" in rows else ""
        return f"```text\n{rows}{legend}\n```"


class Failed(Exception):
    """A command that had to succeed and did not."""


class Run:
    """One run of the report."""

    def __init__(self, root, peers, quick, before=None):
        self.root, self.peers, self.quick, self.before = root, peers, quick, before
        self.corpus = (root / "../shared/corpus").resolve()
        self.home = Path(tempfile.mkdtemp(prefix="toto-report-"))
        self.load = os.getloadavg()[0]
        # The directory of the corpus in TOON's notation, once its encoder has run.
        self.toon = None
        self.output("cargo", "build", "--release", "--locked")
        self.toto = next((root / "target").glob("*/release/toto"))

    def output(self, *words, env=None, cwd=None, **more):
        """The output of a command, which must succeed."""
        env = {**os.environ, **(env or {})}
        done = subprocess.run([str(word) for word in words], cwd=cwd or self.root, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, **more)
        if done.returncode:
            raise Failed(f"{' '.join(map(str, words))[:200]} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
        return done.stdout.rstrip()

    def bench(self, name, *arguments, env=None):
        """The output of a benchmark of this repository."""
        profile = ["--profile", "measure"] if name in COUNTING else []
        return self.output("cargo", "bench", "--locked", *profile, "--bench", name, "--", *arguments,
                           env={"TOTO_PEERS": str(self.peers / "bin"), **(env or {})})

    def example(self, name, *arguments):
        """The output of an example of this repository on the corpus: counts, which no optimisation changes."""
        return self.output("cargo", "run", "--locked", "--profile", "measure", "--example", name,
                           "--", *arguments)

    def tokens(self, files):
        """The exact number of tokens of each file."""
        counts = []
        for start in range(0, len(files), 500):
            lines = self.output(self.toto, "count", *files[start:start + 500]).splitlines()
            counts += [int(line.split()[0].replace(",", "")) for line in lines[:len(files[start:start + 500])]]
        return counts

    def peer(self, name):
        """The program of a peer, or None."""
        path = self.peers / "bin" / name
        return path if path.exists() else None

    def description(self):
        """The machine, in a sentence or two."""
        cpu = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                    if line.startswith("model name")), platform.machine())
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
        commit = self.output("git", "rev-parse", "--short", "HEAD")
        rust = self.output("rustc", "--version").split()[1]
        versions = dict(self.peer_versions())
        peers = ", ".join(f"{name} {version}" for name, version in versions.items()) or "none"
        missing = ", ".join(name for name in PROGRAMS if name not in versions)
        return (f"{datetime.date.today()}, commit {commit}, Rust {rust}; {os.cpu_count()} cores of {cpu}, "
                f"{memory:.0f} GiB, Linux {platform.release()}; load {self.load:.1f} when it began. "
                f"Peers: {peers}.{f' Not installed here: {missing}.' if missing else ''}")

    def peer_versions(self):
        """The peers that are installed, each as [name, version]."""
        listed = self.peers / "versions"
        return [line.split()[:2] for line in listed.read_text().splitlines()] if listed.exists() else []


def timed(words, env=None):
    """Seconds on the clock, processor seconds, and peak resident MB (0 without time(1)) of a command, read to its end.

    The peak of a process includes that of the process that forked it, so a small process stands between.
    """
    small = ["/usr/bin/time", "-q", "-f", "%M", *words] if os.path.exists("/usr/bin/time") else words
    start = time.monotonic()
    child = subprocess.Popen([str(word) for word in small], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             stdin=subprocess.DEVNULL, env=env)
    while child.stdout.read(1 << 20):
        pass
    said = child.stderr.read().split()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    took = time.monotonic() - start
    return took, used.ru_utime + used.ru_stime, int(said[-1]) / 1024 if small is not words else 0
