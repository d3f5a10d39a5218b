#!/usr/bin/env python3
"""Draws the README's picture, docs/picture.svg, out of a real run:  packaging/picture.py TOTO

A listing that the aws command line printed (tests/fixtures/aws) comes through a shim; left stands what the tool prints,
right what an agent reads, with the counts of the receipt. tests/suite/readme.rs holds the picture to the shim.
"""
import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURE = ROOT / "tests/fixtures/aws/ecr__describe-repositories.json"
CALL = "aws ecr describe-repositories"
# In pixels; a character of the font is 0.6 of its size wide.
SIZE, LINE, COLUMNS, PAD = 13, 18, 52, 16
HALF = int(COLUMNS * SIZE * 0.602) + 2 * PAD

STYLE = """
  .paper { fill: #ffffff } .pane { fill: #f6f8fa; stroke: #d0d7de } .bar { fill: #eaeef2 }
  text { font: %dpx ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
         fill: #1f2328; white-space: pre }
  .head { font-weight: 600 } .dim { fill: #636c76 } .less { fill: #1a7f37; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } .pane { fill: #161b22; stroke: #30363d } .bar { fill: #21262d }
    text { fill: #e6edf3 } .dim { fill: #9198a1 } .less { fill: #3fb950 }
  }
""" % SIZE


def shimmed(toto):
    """What comes out of `aws ecr describe-repositories` through a shim: standard output, and the receipt."""
    with tempfile.TemporaryDirectory() as home:
        tool = pathlib.Path(home, "tools/aws")
        tool.parent.mkdir()
        tool.write_text(f"#!/bin/sh\ncat '{FIXTURE}'\n")
        tool.chmod(0o755)
        env = {"HOME": home, "PATH": f"{home}/.toto/bin:{tool.parent}:/usr/bin:/bin", "LANG": "C.UTF-8"}
        subprocess.run([toto, "link", "aws"], env=env, check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run(CALL, shell=True, env=env | {"TOTO": "on"}, check=True, capture_output=True, text=True)
        return done.stdout, done.stderr


def wrapped(line):
    """A long line in rows of so many columns, ended at blanks, `/`, `:` and `=`; what follows the first stands further in."""
    rows = [""]
    for word in re.findall(r"\s*[^\s/:=]+[/:=]*", line):
        if len(rows[-1] + word) > COLUMNS:
            rows.append("  " + word.strip())
        else:
            rows[-1] += word
    return rows


def row(x, y, text, kind=""):
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{kind}>{html.escape(text, quote=False)}</text>'


def pane(x, height, title, count, lines):
    parts = [f'<rect class="pane" x="{x}" y="8" width="{HALF}" height="{height - 16}" rx="8"/>']
    parts.append(f'<path class="bar" d="M{x + 1} 42V16a7 7 0 0 1 7-7h{HALF - 16}a7 7 0 0 1 7 7v26z"/>')
    parts.append(row(x + PAD, 30, title, "head"))
    right = row(x + HALF - PAD, 30, *count)
    parts.append(right.replace("<text ", '<text text-anchor="end" ', 1))
    parts += [row(x + PAD, 64 + at * LINE, text, kind) for at, (text, kind) in enumerate(lines)]
    return parts


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    read, receipt = shimmed(os.path.abspath(sys.argv[1]))
    before, after = re.search(r"Original: (\d+) tok \| Compressed: (\d+) tok", receipt).groups()
    agent = [(f"$ {CALL}", "dim")]
    agent += [(part, "") for line in read.splitlines() for part in wrapped(line)]
    agent += [(part, "dim") for part in wrapped(receipt.strip())]
    printed = FIXTURE.read_text().splitlines()
    room = len(agent) - 2
    tool = [(f"$ {CALL}", "dim")] + [(line if len(line) <= COLUMNS else line[: COLUMNS - 1] + "…", "") for line in printed[:room]]
    tool.append((f"… {len(printed) - room} lines more", "dim"))
    height = 64 + len(agent) * LINE + 8
    width = 2 * HALF + 3 * 8
    label = textwrap.dedent(f"""\
        Left: {CALL} prints {len(printed)} lines of JSON, {before} tokens. Right: through toto an agent reads the same
        facts as a table, {after} tokens with the receipt.""").replace("\n", " ")
    parts = pane(8, height, "what the tool prints", (f"{int(before):,} tokens", "dim"), tool)
    parts += pane(HALF + 16, height, "what the agent reads", (f"{int(after):,} tokens", "less"), agent)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">\n'
    svg += f"<title>{html.escape(label)}</title>\n<style>{STYLE}</style>\n"
    svg += f'<rect class="paper" width="{width}" height="{height}" rx="8"/>\n' + "\n".join(parts) + "\n</svg>\n"
    (ROOT / "docs/picture.svg").write_text(svg)


if __name__ == "__main__":
    main()
