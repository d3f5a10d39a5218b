#!/usr/bin/env python3
"""Builds toto's packages out of this checkout:  packaging/build.py [--no-build] [--out DIR] [KIND…]

KIND is tarball, deb, npm or wheel; none means all. They go to DIR (default target/packages), each with the static
binary, so that none needs anything on the machine that it is installed on; deb needs cargo-deb on PATH. With
--no-build the release binary that is there is taken. The same sources give the same archives: no times, no owners.
"""
import argparse
import base64
import gzip
import hashlib
import io
import json
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Names of one machine, by whose they are.
NPM_CPU = {"x86_64": "x64", "aarch64": "arm64"}
# The earliest time that a zip archive can hold.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


def run(*words):
    return subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def manifest():
    listing = json.loads(run("cargo", "metadata", "--no-deps", "--format-version", "1", "--locked"))
    package = next(package for package in listing["packages"] if package["name"] == "llm-toto")
    return package, pathlib.Path(listing["target_directory"])


def built():
    """The release binary; the build says where it is, the target directory is the user's to choose."""
    words = ["cargo", "build", "--release", "--locked", "--bin", "toto", "--message-format", "json-render-diagnostics"]
    messages = [json.loads(line) for line in run(*words).splitlines()]
    found = [m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == "toto"]
    return pathlib.Path(found[-1])


def there(target):
    found = [target / "release/toto", *target.glob("*-linux-*/release/toto")]
    return next((path for path in found if path.is_file()), None) or sys.exit("build.py: there is no release binary")


def manual():
    """Shell completions and manual pages, made by an example of the crate; Cargo.toml's [package.metadata.deb] looks
    for them here."""
    directory = ROOT / "target/packages/manual"
    shutil.rmtree(directory, ignore_errors=True)
    run("cargo", "run", "--quiet", "--locked", "--example", "manual", "--", str(directory))
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


def tarball(out, package, binary, beside):
    top = f"toto-{package['version']}-{platform.machine()}-linux"
    texts = {name: (0o644, (ROOT / name).read_bytes()) for name in ("README.md", "LICENSE")}
    generated = {name: (0o644, content) for name, content in beside.items()}
    files = {"toto": (0o755, binary.read_bytes())} | texts | generated
    path = out / f"{top}.tar.gz"
    tar(path, {f"{top}/{name}": file for name, file in files.items()})
    return path


def deb(out, package, binary, beside):
    # Of cargo's own layout it knows the triple by the directory above `release`.
    triple = binary.parent.parent.name
    where = ["--target", triple] if triple.count("-") >= 2 else []
    made = run("cargo", "deb", "--no-build", "--no-strip", "--locked", *where, "--output", str(out))
    return pathlib.Path(made.strip().splitlines()[-1])


def npm(out, package, binary, beside):
    """One package for this kind of machine; npm refuses it on others."""
    description = {
        "name": package["name"],
        "version": package["version"],
        "description": package["description"],
        "license": package["license"],
        "keywords": package["keywords"],
        "bin": {"toto": "bin/toto", "llm-toto": "bin/toto"},
        "man": sorted(f"./{name}" for name in beside if name.startswith("man/")),
        "os": ["linux"],
        "cpu": [NPM_CPU[platform.machine()]],
    }
    files = {
        "package.json": (0o644, json.dumps(description, indent=2).encode() + b"\n"),
        "bin/toto": (0o755, binary.read_bytes()),
    }
    files |= {name: (0o644, (ROOT / name).read_bytes()) for name in ("README.md", "LICENSE")}
    files |= {name: (0o644, content) for name, content in beside.items()}
    path = out / f"{package['name']}-{package['version']}.tgz"
    tar(path, {f"package/{name}": file for name, file in files.items()})
    return path


def wheel(out, package, binary, beside):
    """PEP 427. The binary is static: any C library will do, so it is tagged for both."""
    name, version, machine = package["name"].replace("-", "_"), package["version"], platform.machine()
    tags = [f"py3-none-manylinux_2_17_{machine}", f"py3-none-musllinux_1_1_{machine}"]
    info, data = f"{name}-{version}.dist-info", f"{name}-{version}.data"
    metadata = (
        f"Metadata-Version: 2.1\nName: {package['name']}\nVersion: {version}\nSummary: {package['description']}\n"
        f"License: {package['license']}\nDescription-Content-Type: text/markdown\n\n"
    )
    kind = "Wheel-Version: 1.0\nGenerator: packaging/build.py\nRoot-Is-Purelib: false\n"
    files = {
        f"{data}/scripts/toto": (0o755, binary.read_bytes()),
        f"{info}/METADATA": (0o644, metadata.encode() + (ROOT / "README.md").read_bytes()),
        f"{info}/WHEEL": (0o644, (kind + "".join(f"Tag: {tag}\n" for tag in tags)).encode()),
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
    platforms = ".".join(tag.split("-")[2] for tag in tags)
    path = out / f"{name}-{version}-py3-none-{platforms}.whl"
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
    parser.add_argument("--no-build", action="store_true", help="take the release binary that is there")
    parser.add_argument("--out", type=pathlib.Path, metavar="DIR", help="where they go (default: target/packages)")
    args = parser.parse_args()
    unknown = [kind for kind in args.kinds if kind not in KINDS]
    if unknown:
        sys.exit(f"build.py: {unknown[0]} is none of {', '.join(KINDS)}")
    package, target = manifest()
    out = (args.out or ROOT / "target/packages").resolve()
    out.mkdir(parents=True, exist_ok=True)
    binary = there(target) if args.no_build else built()
    beside = manual()
    for kind in args.kinds or KINDS:
        path = KINDS[kind](out, package, binary, beside)
        print(f"{kind:8} {path.stat().st_size / 1e6:5.1f} MB  {path}", flush=True)


if __name__ == "__main__":
    main()
