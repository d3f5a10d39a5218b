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
    measured = []
    for section in sections.ALL:
        if arguments.only and section.name not in arguments.only:
            continue
        print(f"{section.name} …", file=sys.stderr, flush=True)
        measured.append((section, section.measure(run)))
    if arguments.quick:
        for section, result in measured:
            print(f"\n## {section.title}\n\n{result.table}\n")
        return
    write(run, measured, again=bool(arguments.only))


def write(run, measured, again):
    plots = ROOT / "docs/benchmarks"
    plots.mkdir(exist_ok=True)
    path = ROOT / "docs/benchmarks.md"
    parts = {}
    for section, result in measured:
        parts[section.title] = [f"## {section.title}", section.prose]
        if again:
            parts[section.title].append(f"Measured again: {run.description()}")
        for name, svg in result.plots:
            (plots / f"{name}.svg").write_text(svg)
            parts[section.title].append(f"![{section.title}](benchmarks/{name}.svg)")
        parts[section.title].append(f"```text\n{result.table}\n```")
    pages = {title: "\n\n".join(part for part in page if part) for title, page in parts.items()}
    if again:
        head, *rest = re.split(r"^(?=## )", path.read_text(), flags=re.MULTILINE)
        titles = [old.splitlines()[0].removeprefix("## ") for old in rest]
        page = [head.rstrip()] + [pages.get(title, old.rstrip()) for title, old in zip(titles, rest)]
    else:
        page = [PREFACE, run.description(), *pages.values()]
    path.write_text("\n\n".join(page) + "\n")
    tables = {section.name: result.table for section, result in measured}
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = path.read_text()
        filled = MARKED.sub(lambda found: fill(found, tables, path), text)
        if filled != text:
            path.write_text(filled)
            print(f"wrote the figures of {path.relative_to(ROOT)}", file=sys.stderr)


MARKED = re.compile(r"(<!-- figures: ([\w-]+) -->\n).*?(\n<!-- end -->)", re.DOTALL)


def fill(found, tables, path):
    name = found[2]
    if name not in tables and name not in [section.name for section in sections.ALL]:
        sys.exit(f"{path}: there are no figures named {name}")
    if name not in tables:
        return found[0]
    return f"{found[1]}```text\n{tables[name]}\n```{found[3]}"


PREFACE = """\
# Benchmarks

Every figure here was measured by one command, in one run on one machine:

```sh
tests/bench/peers.sh          # once: the peers, into target/peers
python3 tests/bench/report    # this page, its plots, and the tables in README.md and docs/
```

**A ratio stands for itself; a time or a rate does not.** What is marked † has no peer in the same run and says
something of this machine only."""

if __name__ == "__main__":
    main()
