"""One command, one report: every figure of README.md and docs/ measured in one run on one machine.

    python3 tests/bench/report [--quick] [--peers DIR] [--before COMMIT] [--only NAME ...]

writes the figures between `<!-- figures: NAME -->` and `<!-- end -->` in README.md and docs/*.md, the plots
(docs/benchmarks/*.svg), and the table of runs in docs/benchmarks/runs.md. ../shared/corpus is needed for what is measured on
real outputs; peers are installed into DIR (target/peers) by tests/bench/peers.sh, and left out where they are not there.
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
    parser.add_argument("--before", metavar="COMMIT", help="building measures this commit, too")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="these sections; the others stay")
    arguments = parser.parse_args()
    run = machine.Run(ROOT, arguments.peers.resolve(), arguments.quick, arguments.before)
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
        write(run, measured)
    if failed:
        sys.exit(f"not measured: {', '.join(failed)}")


def write(run, measured):
    """Writes the plots, the blocks of the pages, and this run into the table of runs; what was not measured stays."""
    plots = ROOT / "docs/benchmarks"
    plots.mkdir(exist_ok=True)
    for _, result in measured:
        for name, svg in result.plots:
            (plots / f"{name}.svg").write_text(svg)
    shown = {section.name: result.brief(section.name) for section, result in measured}
    for section, result in measured:
        if result.is_long:
            (ROOT / "docs" / result.file(section.name)).write_text(result.table + "\n")
    # What another program left says itself when it was measured.
    names = [section.name for section, result in measured if not result.is_markdown]
    for path in [ROOT / "README.md", plots / "runs.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = path.read_text()
        filled = MARKED.sub(lambda found: fill(found, shown, path), text)
        if names:
            filled = RUNS.sub(lambda found: f"{found[1]}{runs(found[2], names, run.description())}{found[3]}", filled)
        if filled != text:
            path.write_text(filled)
            print(f"wrote the figures of {path.relative_to(ROOT)}", file=sys.stderr)


MARKED = re.compile(r"(<!-- figures: ([\w-]+) -->\n).*?(\n<!-- end -->)", re.DOTALL)


def fill(found, shown, path):
    name = found[2]
    if name not in [section.name for section in sections.ALL]:
        sys.exit(f"{path}: there are no figures named {name}")
    return f"{found[1]}{shown[name]}{found[3]}" if name in shown else found[0]


RUNS = re.compile(r"(<!-- table: runs -->\n[^\n]*\n\|---\|---\|\n)(.*?)(<!-- table end -->)", re.DOTALL)


def runs(rows, names, description):
    """The rows of the table (sections, and the run that measured them) with the named sections moved to a row of this run."""
    table = [([name for name in re.findall(r"`([\w-]+)`", first) if name not in names], second)
             for first, second in re.findall(r"^\| (.*) \| (.*) \|$", rows, re.MULTILINE)]
    return "".join(f"| {', '.join(f'`{name}`' for name in measured)} | {run} |\n"
                   for measured, run in [*table, (names, description)] if measured)


if __name__ == "__main__":
    main()
