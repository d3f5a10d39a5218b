#!/usr/bin/env python3
"""Builds toto's packages out of this checkout:  packaging/build.py [--target TRIPLE] [--binary FILE] [--out DIR] [KIND…]

KIND is tarball, deb, npm or wheel; none means all that TRIPLE has. They go to DIR (default target/packages), each with
the binary (on Linux a static one), so that none needs anything on the machine that it is installed on; deb needs
cargo-deb on PATH. TRIPLE is this machine, if not said; `universal-apple-darwin` joins both kinds of Mac. With --binary
nothing is built (deb takes the release build in the target directory). The same sources give the same archives: no times, no owners. What a release has beside its packages
is packaging/release.py's.
"""
import argparse
import base64
import dataclasses
import gzip
import hashlib
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

@dataclasses.dataclass(frozen=True)
class Machine:
    """What a package is for, in the words of each kind of package."""

    tarball: str
    npm_os: str
    npm_cpu: tuple
    wheel: tuple
    kinds: tuple


def linux(machine, cpu):
    # The binary is static: any C library will do.
    wheel = (f"manylinux_2_17_{machine}", f"musllinux_1_1_{machine}")
    return Machine(f"{machine}-linux", "linux", (cpu,), wheel, ("tarball", "deb", "npm", "wheel"))


UNIVERSAL = "universal-apple-darwin"
MACHINES = {
    "x86_64-unknown-linux-gnu": linux("x86_64", "x64"),
    "aarch64-unknown-linux-gnu": linux("aarch64", "arm64"),
    UNIVERSAL: Machine("universal-macos", "darwin", ("x64", "arm64"), ("macosx_11_0_universal2",), ("tarball", "npm", "wheel")),
}
# The earliest time that a zip archive can hold.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


def run(*words):
    return subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def manifest():
    listing = json.loads(run("cargo", "metadata", "--no-deps", "--format-version", "1", "--locked"))
    return next(package for package in listing["packages"] if package["name"] == "llm-toto")


def host():
    triple = re.search(r"^host: (.*)$", run("rustc", "-vV"), re.MULTILINE)[1]
    return UNIVERSAL if triple.endswith("-apple-darwin") else triple


def built(target):
    """The release binary; the build says where it is, the target directory is the user's to choose."""
    if target == UNIVERSAL:
        return universal([built(f"{machine}-apple-darwin") for machine in ("x86_64", "aarch64")])
    words = ["cargo", "build", "--release", "--locked", "--bin", "toto", "--message-format", "json-render-diagnostics"]
    messages = [json.loads(line) for line in run(*words, "--target", target).splitlines()]
    found = [m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == "toto"]
    return pathlib.Path(found[-1])


def universal(binaries):
    joined = binaries[0].parents[2] / UNIVERSAL / "release/toto"
    joined.parent.mkdir(parents=True, exist_ok=True)
    run("lipo", "-create", "-output", joined, *binaries)
    return joined


def manual(binary):
    """Shell completions and manual pages, which the binary writes itself, or one for this machine out of the same
    sources; Cargo.toml's [package.metadata.deb] looks for them here."""
    directory = ROOT / "target/packages/manual"
    shutil.rmtree(directory, ignore_errors=True)
    try:
        run(binary, "manual", directory)
    except (OSError, subprocess.CalledProcessError):
        run("cargo", "run", "--quiet", "--locked", "--bin", "toto", "--", "manual", directory)
    return {f"{path.parent.name}/{path.name}": path.read_bytes() for path in sorted(directory.glob("*/*"))}


def tar(path, files):
    """A gzipped tar of {name: (mode, bytes)}."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, (mode, content) in files.items():
            entry = tarfile.TarInfo(name)
            entry.mode, entry.size = mode, len(content)
            archive.addfile(entry, io.BytesIO(content))
    path.write_bytes(gzip.compress(plain.getvalue(), mtime=0))


def tarball(out, package, machine, binary, beside):
    top = f"toto-{package['version']}-{machine.tarball}"
    texts = {name: (0o644, (ROOT / name).read_bytes()) for name in ("README.md", "CHANGELOG.md", "LICENSE")}
    generated = {name: (0o644, content) for name, content in beside.items()}
    files = {"toto": (0o755, binary.read_bytes())} | texts | generated
    path = out / f"{top}.tar.gz"
    tar(path, {f"{top}/{name}": file for name, file in files.items()})
    return path


def deb(out, package, machine, binary, beside):
    # It looks for the binary where a build for the named target leaves it.
    triple = next(triple for triple, it in MACHINES.items() if it == machine)
    made = run("cargo", "deb", "--no-build", "--no-strip", "--locked", "--target", triple, "--output", out)
    return pathlib.Path(made.strip().splitlines()[-1])


def npm(out, package, machine, binary, beside):
    """One package for this kind of machine; npm refuses it on others."""
    description = {
        "name": package["name"],
        "version": package["version"],
        "description": package["description"],
        "license": package["license"],
        "keywords": package["keywords"],
        "bin": {"toto": "bin/toto", "llm-toto": "bin/toto"},
        "man": sorted(f"./{name}" for name in beside if name.startswith("man/")),
        "os": [machine.npm_os],
        "cpu": machine.npm_cpu,
    }
    files = {
        "package.json": (0o644, json.dumps(description, indent=2).encode() + b"\n"),
        "bin/toto": (0o755, binary.read_bytes()),
    }
    files |= {name: (0o644, (ROOT / name).read_bytes()) for name in ("README.md", "LICENSE")}
    files |= {name: (0o644, content) for name, content in beside.items()}
    path = out / f"{package['name']}-{package['version']}-{machine.npm_os}-{'-'.join(machine.npm_cpu)}.tgz"
    tar(path, {f"package/{name}": file for name, file in files.items()})
    return path


def wheel(out, package, machine, binary, beside):
    """PEP 427."""
    name, version = package["name"].replace("-", "_"), package["version"]
    info, data = f"{name}-{version}.dist-info", f"{name}-{version}.data"
    metadata = (
        f"Metadata-Version: 2.1\nName: {package['name']}\nVersion: {version}\nSummary: {package['description']}\n"
        f"License: {package['license']}\nDescription-Content-Type: text/markdown\n\n"
    )
    kind = "Wheel-Version: 1.0\nGenerator: packaging/build.py\nRoot-Is-Purelib: false\n"
    files = {
        f"{data}/scripts/toto": (0o755, binary.read_bytes()),
        f"{info}/METADATA": (0o644, metadata.encode() + (ROOT / "README.md").read_bytes()),
        f"{info}/WHEEL": (0o644, (kind + "".join(f"Tag: py3-none-{tag}\n" for tag in machine.wheel)).encode()),
        f"{info}/licenses/LICENSE": (0o644, (ROOT / "LICENSE").read_bytes()),
    }
    share = {"man": "share/man/man1", "completions": "share/toto/completions"}
    for path, content in beside.items():
        folder, _, file = path.partition("/")
        files[f"{data}/data/{share[folder]}/{file}"] = (0o644, content)
    record = ""
    for path, (_, content) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (0o644, f"{record}{info}/RECORD,,\n".encode())
    path = out / f"{name}-{version}-py3-none-{'.'.join(machine.wheel)}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for inside, (mode, content) in files.items():
            entry = zipfile.ZipInfo(inside, ZIP_EPOCH)
            entry.external_attr, entry.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return path


KINDS = {"tarball": tarball, "deb": deb, "npm": npm, "wheel": wheel}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="tarball, deb, npm, wheel")
    parser.add_argument("--target", choices=MACHINES, help="the machine that they are for (default: this one)")
    parser.add_argument("--binary", type=pathlib.Path, metavar="FILE", help="put this binary into them; nothing is built")
    parser.add_argument("--out", type=pathlib.Path, metavar="DIR", help="where they go (default: target/packages)")
    args = parser.parse_args()
    target = args.target or host()
    machine = MACHINES[target]
    unknown = [kind for kind in args.kinds if kind not in machine.kinds]
    if unknown:
        sys.exit(f"build.py: {unknown[0]} is none of {', '.join(machine.kinds)}, the packages for {target}")
    package = manifest()
    out = (args.out or ROOT / "target/packages").resolve()
    out.mkdir(parents=True, exist_ok=True)
    binary = args.binary.resolve() if args.binary else built(target)
    beside = manual(binary)
    for kind in args.kinds or machine.kinds:
        path = KINDS[kind](out, package, machine, binary, beside)
        print(f"{kind:8} {path.stat().st_size / 1e6:5.1f} MB  {path}", flush=True)


if __name__ == "__main__":
    main()
