"""Text without loss: known forms alone beside the peers, and the lines that the peers' outputs lack."""

import tomllib
from collections import defaultdict
from dataclasses import dataclass

from machine import PROGRAMS, Result
from texts import given, lacking, listed

SIZES = range(1500, (1 << 20) + 1)  # bytes of the texts, as in tests/bench/texts_totals.rs


@dataclass
class Peer:
    """Sums over the outputs for which a peer called the tool as it was called: tokens, and numbers of outputs."""

    original: int = 0
    given: int = 0
    missing: int = 0
    whole: int = 0
    outputs: int = 0


def measure(run):
    """Measures every output of a family in texts.toml whose command is known."""
    peers = [peer for peer in PROGRAMS if run.peer(peer)]
    if not run.corpus.is_dir() or not peers:
        return Result("../shared/corpus is not there" if peers else "no peer is there")
    known = tomllib.loads((run.root / "tests/bench/texts.toml").read_text())["families"]
    families = {name: family for family, names in known.items() for name in names}
    outputs = [output for output in listed(run) if output.text.stem in families and output.text.stat().st_size in SIZES]
    to = run.home / "lossless"
    to.mkdir()
    run.example("texts-totals", run.corpus / "dev/text", "-", to)
    originals = run.tokens([output.text for output in outputs])
    notation = dict(zip((path.stem for path in sorted(to.iterdir())), run.tokens(sorted(to.iterdir()))))
    rows = defaultdict(lambda: defaultdict(Peer))
    for peer in peers:
        theirs = given(run, peer, outputs)
        missing = run.tokens([left_out(to / f"{number}.{peer}", output, their)
                              for number, (output, their) in enumerate(zip(outputs, theirs))])
        for output, original, their, lacks in zip(outputs, originals, theirs, missing):
            for family in (families[output.text.stem], "total"):
                if their:
                    add(rows[family][peer], original, their.tokens, lacks)
    for output, original in zip(outputs, originals):
        for family in (families[output.text.stem], "total"):
            add(rows[family]["notation"], original, min(notation.get(output.text.stem, original), original), 0)
    return Result(table(peers, rows), sums="family|total")


def left_out(file, output, their):
    """Writes the tool's distinct lines of which the peer lacks a word; returns the file."""
    file.write_text("".join(f"{line}\n" for line in (lacking(output.text, their.text) if their else [])))
    return file


def add(row, original, given, missing):
    row.outputs += 1
    row.original += original
    row.given += given
    row.missing += missing
    row.whole += missing == 0


def table(peers, rows):
    head = f"{'family':<13} {'outputs':>7} {'original':>9} {'notation':>9}"
    lines = [head + "".join(f"{peer:>12} {'missing':>8} {'both':>6} {'whole':>7}" for peer in peers)]
    for family, row in sorted(rows.items(), key=lambda item: (item[0] == "total", item[0])):
        ours = row["notation"]
        cells = "".join(
            f"{share(theirs.given, theirs):>12} {share(theirs.missing, theirs):>8} "
            f"{share(theirs.given + theirs.missing, theirs):>6} {f'{theirs.whole}/{theirs.outputs}':>7}"
            for theirs in (row[peer] for peer in peers))
        lines.append(f"{family:<13} {ours.outputs:>7} {ours.original:>9} {share(ours.given, ours):>9}{cells}")
    return "\n".join(lines)


def share(tokens, row):
    return f"{tokens / row.original:.3f}" if row.original else "-"
