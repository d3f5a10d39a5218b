#!/usr/bin/env python3
"""Every way to install toto, each into a clean directory:  tests/real/packages.py [--binary FILE]

Builds the packages (packaging/build.py), installs each without a network into a directory of its own, runs what was
installed in an empty environment, and takes it away again where the installer can. What an installer here is missing
for is said, and is a failure in CI. Prints a line a check; exit status 1 when one fails.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAILED = []
JSON = '{"Items": [' + ",".join(f'{{"Name": "item-{n}", "Kind": "thing", "Note": null}}' for n in range(40)) + "]}"


def check(name, ok, detail=""):
    print(("ok    " if ok else "WRONG ") + name + (f"  ({detail})" if detail and not ok else ""), flush=True)
    if not ok:
        FAILED.append(name)


def run(*words, cwd=ROOT, env=None, stdin=""):
    words = [str(word) for word in words]
    return subprocess.run(words, cwd=cwd, env=env, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def missing(name, *programs):
    lacking = [program for program in programs if not shutil.which(program)]
    if lacking:
        check(f"{name}: {', '.join(lacking)} is not here", "CI" not in os.environ)
    return lacking


def works(name, toto, place):
    """What was installed runs by itself: no library, no data file, nothing of this checkout."""
    home = pathlib.Path(tempfile.mkdtemp(dir=place))
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    version = run(toto, "--version", cwd=home, env=env)
    check(f"{name}: says its version", re.fullmatch(r"toto \d+\.\d+\.\d+( \([0-9a-f]{7,}\))?\n", version.stdout), version.stdout)
    output = run(toto, cwd=home, env=env, stdin=JSON)
    check(f"{name}: compresses", "item-39" in output.stdout and len(output.stdout) < len(JSON), output.stdout)
    verified = run(toto, "filter", "verify", cwd=home, env=env)
    check(f"{name}: has its filters", verified.returncode == 0, verified.stdout[-300:])
    tool = home / "tools/aws"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\ncat <<'END'\n" + JSON + "\nEND\n")
    tool.chmod(0o755)
    env["PATH"] = f"{home}/.toto/bin:{tool.parent}:{env['PATH']}"
    linked = run(toto, "link", "aws", cwd=home, env=env)
    shimmed = run("aws", cwd=home, env=env | {"TOTO": "on"})
    raw = run("aws", cwd=home, env=env)
    check(f"{name}: a shim of it compresses", "item-39" in shimmed.stdout and "Saved" in shimmed.stdout, linked.stdout + shimmed.stdout)
    check(f"{name}: a program gets the tool's bytes", raw.stdout == JSON + "\n", raw.stdout)


def reads_well(name, share):
    """The shells and man take what lies beside the binary."""
    shells = {"bash": ("toto.bash", "toto"), "zsh": ("_toto",), "fish": ("toto.fish",)}
    if name == "prebuilt":  # others ask `toto completions`
        shells = {"bash": shells["bash"]}
    for shell, files in shells.items():
        found = [path for file in files for path in share.rglob(file) if path.is_file() and path.parent.name != "bin"]
        checked = run(shell, "-n", found[0]) if found and shutil.which(shell) else None
        check(f"{name}: completions for {shell}", found and (checked is None or checked.returncode == 0), checked and checked.stdout)
    pages = list(share.rglob("toto-gain.1*"))
    check(f"{name}: a manual page a subcommand", len(pages) == 1 and len(list(share.rglob("toto*.1*"))) > 20)
    if pages and shutil.which("man"):
        page = run("man", "--warnings", "-l", pages[0], env=os.environ | {"MANPAGER": "cat", "MANWIDTH": "80"})
        check(f"{name}: man reads it", "--openmetrics" in page.stdout and "warning" not in page.stdout, page.stdout[:300])


def cargo(place):
    """By the build that the packages were made of; what it needs is here by now."""
    place.mkdir()
    done = run("cargo", "install", "--quiet", "--path", ".", "--root", place, "--locked", "--offline")
    check("cargo: installs", done.returncode == 0, done.stdout[-500:])
    works("cargo", place / "bin/toto", place)


def tarball(place, package):
    with tarfile.open(package) as archive:
        archive.extractall(place)
    top = next(place.iterdir())
    works("tarball", top / "toto", place)
    reads_well("tarball", top)


def prebuilt(place, release):
    """`install.sh --prebuilt`, without Rust, out of what a release holds; a tarball with another sum is refused."""
    made = run(ROOT / "packaging/release.py", release, "--url", "https://example.org/toto/releases/download/v0")
    check("prebuilt: sums, formula, crates", made.returncode == 0, made.stdout)
    if shutil.which("ruby"):
        formula = run("ruby", "-c", release / "toto.rb")
        check("prebuilt: the formula is Ruby", formula.returncode == 0, formula.stdout)
    env = {"HOME": str(place), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    install = [ROOT / "install.sh", "--no-modify-path", "--prebuilt", release, "--yes", "git"]
    done = run(*install, cwd=place, env=env)
    check("prebuilt: installs", done.returncode == 0, done.stdout)
    works("prebuilt", place / ".toto/toto", place)
    reads_well("prebuilt", place / ".toto/share")
    done = run(place / ".toto/toto", "uninstall", cwd=place, env=env)
    check("prebuilt: is removed", not (place / ".toto").exists(), done.stdout)
    tarball = next(release.glob("*-linux.tar.gz"))
    with tarball.open("ab") as file:
        file.write(b"x")
    done = run(*install, cwd=place, env=env)
    check("prebuilt: refuses another tarball", done.returncode == 1 and not (place / ".toto").exists(), done.stdout)


def deb(place, package):
    if missing("deb", "dpkg"):
        return
    for folder in ("info", "updates"):
        (place / "var/lib/dpkg" / folder).mkdir(parents=True)
    for file in ("status", "available"):
        (place / "var/lib/dpkg" / file).touch()
    # Nothing of this machine's packages is touched: the database is the directory's own.
    dpkg = ["dpkg", f"--root={place}", "--force-not-root", "--force-bad-path", f"--log={place}/log"]
    done = run(*dpkg, "-i", package)
    check("deb: installs", done.returncode == 0, done.stdout)
    works("deb", place / "usr/bin/toto", place)
    reads_well("deb", place / "usr/share")
    done = run(*dpkg, "-r", "toto")
    check("deb: is removed", done.returncode == 0 and not (place / "usr/bin/toto").exists(), done.stdout)


def npm(place, package):
    if missing("npm", "npm", "node"):
        return
    env = {"HOME": str(place / "home"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    command = ["npm", "--offline", "--no-audit", "--no-fund", "--global", "--prefix", place]
    done = run(*command, "install", package, cwd=place, env=env)
    check("npm: installs", done.returncode == 0, done.stdout)
    works("npm", place / "bin/toto", place)
    reads_well("npm", place / "lib/node_modules/llm-toto")
    done = run(*command, "uninstall", "llm-toto", cwd=place, env=env)
    check("npm: is removed", done.returncode == 0 and not (place / "bin/toto").exists(), done.stdout)


def wheel(place, package):
    made = run(sys.executable, "-m", "venv", place / "venv")
    if made.returncode:
        check("wheel: there is no venv here", "CI" not in os.environ, made.stdout)
        return
    pip = [place / "venv/bin/python", "-m", "pip", "--isolated", "--disable-pip-version-check"]
    done = run(*pip, "install", "--quiet", "--no-index", package)
    check("wheel: installs", done.returncode == 0, done.stdout)
    works("wheel", place / "venv/bin/toto", place)
    reads_well("wheel", place / "venv/share")
    done = run(*pip, "uninstall", "--quiet", "--yes", "llm-toto")
    check("wheel: is removed", done.returncode == 0 and not (place / "venv/bin/toto").exists(), done.stdout)


def main():
    kinds = {"tarball": tarball, "npm": npm, "wheel": wheel}
    if not missing("deb", "cargo-deb"):
        kinds["deb"] = deb
    flags = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="toto-packages-") as scratch:
        scratch = pathlib.Path(scratch)
        made = run(ROOT / "packaging/build.py", *flags, "--out", scratch / "made", *kinds)
        print(made.stdout, end="", flush=True)
        check("the packages are built", made.returncode == 0)
        for kind, install in kinds.items() if not made.returncode else ():
            place = scratch / kind
            place.mkdir()
            line = next(line for line in made.stdout.splitlines() if line.startswith(kind + " "))
            install(place, line.split("MB  ", 1)[1])
        if not made.returncode:
            (scratch / "prebuilt").mkdir()
            prebuilt(scratch / "prebuilt", scratch / "made")
        if not flags:
            cargo(scratch / "cargo")
    print(f"{len(FAILED)} wrong" if FAILED else "every package installs, works and goes")
    sys.exit(bool(FAILED))


if __name__ == "__main__":
    main()
