#!/usr/bin/env python3
"""Seeds the fuzz targets and runs them one after another: tests/fuzz/README.md.

tests/fuzz/run.py [--runs N] [--seconds N] [TARGET...] [-- OPTIONS OF LIBFUZZER]
"""

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LONGEST = 4096  # bytes of a seed and of what is made of it: longer ones cost more executions than they find
SHORTER = {"scrub": 256}  # its property repeats inputs by itself


def table(name):
    return tomllib.loads((HERE / name).read_text())


def seed(target, directories):
    """Copies the seeds into the target's corpus, each under its hash as libFuzzer names its own."""
    corpus = HERE / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    for directory in directories:
        for path in (ROOT / directory).rglob("*"):
            if path.is_file() and path.stat().st_size <= LONGEST:
                data = path.read_bytes()
                (corpus / hashlib.sha1(data).hexdigest()).write_bytes(data)
    return corpus


def dictionary(target, words):
    quoted = lambda word: "".join(
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\x{byte:02x}" for byte in word.encode()
    )
    path = HERE / "corpus" / f"{target}.dict"
    path.write_text("".join(f'"{quoted(word)}"\n' for word in words))
    return path


def build(targets):
    lock = HERE / "Cargo.lock"
    if not lock.exists():  # the versions that the crate is built of
        shutil.copy(ROOT / "Cargo.lock", lock)
    # Without a sanitizer the targets are built by a stable compiler, too.
    command = ["cargo", "fuzz", "build", "--fuzz-dir", HERE, "-s", "none", "--codegen-units", "16"]
    for named in [[target] for target in targets] or [[]]:
        subprocess.run([*command, *named], cwd=ROOT, check=True)
    host = re.search(r"^host: (.*)$", subprocess.check_output(["rustc", "-vV"], text=True), re.M).group(1)
    return HERE / "target" / host / "release"


def main():
    parser = argparse.ArgumentParser(usage=__doc__.strip().splitlines()[-1])
    parser.add_argument("--runs", type=int, default=1_000_000, help="executions a target (1,000,000); 0: without end")
    parser.add_argument("--seconds", type=int, default=0, help="at most so long a target (0: no limit)")
    parser.add_argument("targets", nargs="*", help="all, if none is named")
    own, fuzzers = sys.argv[1:], []
    if "--" in own:
        own, fuzzers = own[: own.index("--")], own[own.index("--") + 1 :]
    options = parser.parse_args(own)
    seeds, pieces = table("seeds.toml"), table("pieces.toml")
    unknown = [target for target in options.targets if target not in seeds]
    if unknown:
        parser.error(f"{unknown[0]}: no target; there are {', '.join(seeds)}")
    programs = build(options.targets)
    failed = []
    for target in options.targets or seeds:
        artifacts = HERE / "artifacts" / target
        artifacts.mkdir(parents=True, exist_ok=True)
        corpus = seed(target, seeds[target])
        print(f"==> {target}", flush=True)
        command = [programs / target, corpus, f"-artifact_prefix={artifacts}/"]
        command += [f"-dict={dictionary(target, pieces[target])}", f"-max_len={SHORTER.get(target, LONGEST)}"]
        command += ["-timeout=10", f"-runs={options.runs or -1}", f"-max_total_time={options.seconds}", "-print_final_stats=1"]
        if subprocess.run([*command, *fuzzers], cwd=ROOT).returncode != 0:
            failed.append(target)
    if failed:
        sys.exit(f"a finding in {', '.join(failed)}: the input lies in tests/fuzz/artifacts")


if __name__ == "__main__":
    main()
