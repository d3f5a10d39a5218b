#!/usr/bin/env python3
"""What a release has beside its packages:  packaging/release.py DIR --url URL [--tag vX.Y.Z]

DIR holds the packages of packaging/build.py, of every machine. Written beside them: SHA256SUMS; `toto.rb`, a Homebrew
formula whose tarballs lie at URL; `toto.cdx.json`, the crates that the binary is made of (CycloneDX 1.5). The same
packages give the same files. With --tag, what CHANGELOG.md says of that version is printed; it has to be Cargo.toml's.
"""
import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OTHERS = ("SHA256SUMS", "toto.rb", "toto.cdx.json")


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def metadata():
    words = ["cargo", "metadata", "--format-version", "1", "--locked"]
    return json.loads(subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


def sbom(listing):
    """Normal dependencies, and those of theirs: what only builds or tests has no part in the binary."""
    packages = {package["id"]: package for package in listing["packages"]}
    edges = {node["id"]: node["deps"] for node in listing["resolve"]["nodes"]}
    root = listing["resolve"]["root"]
    known, waiting = {root}, [root]
    while waiting:
        for edge in edges[waiting.pop()]:
            if edge["pkg"] not in known and any(kind["kind"] is None for kind in edge["dep_kinds"]):
                known.add(edge["pkg"])
                waiting.append(edge["pkg"])
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(packages[root], "application")},
        "components": sorted((component(packages[it], "library") for it in known - {root}), key=lambda it: it["purl"]),
    }


def component(package, kind):
    name, version = package["name"], package["version"]
    licence = {"licenses": [{"expression": package["license"].replace("/", " OR ")}]} if package["license"] else {}
    return {"type": kind, "name": name, "version": version, "purl": f"pkg:cargo/{name}@{version}", **licence}


FORMULA = '''\
class Toto < Formula
  desc "Tool outputs for AI agents: the same facts in fewer tokens"
  homepage "{homepage}"
  version "{version}"
  license "{licence}"

{places}
  def install
    bin.install "toto"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/toto.bash" => "toto"
    zsh_completion.install "completions/_toto"
    fish_completion.install "completions/toto.fish"
  end

  def caveats
    "toto stands in front of no tool yet: toto setup NAME…"
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/toto --version")
  end
end
'''
# Of a tarball, by its machine: the formula's block.
BLOCKS = {
    "universal-macos": "  on_macos do\n    url {url}\n    sha256 {sum}\n  end\n",
    "x86_64-linux": "  on_linux do\n    on_intel do\n      url {url}\n      sha256 {sum}\n    end\n  end\n",
    "aarch64-linux": "  on_linux do\n    on_arm do\n      url {url}\n      sha256 {sum}\n    end\n  end\n",
}


def formula(directory, package, url):
    places = []
    for machine, block in BLOCKS.items():
        path = directory / f"toto-{package['version']}-{machine}.tar.gz"
        if path.is_file():
            places.append(block.format(url=json.dumps(f"{url}/{path.name}"), sum=json.dumps(digest(path))))
    homepage = re.sub("/releases/.*", "", url)
    return FORMULA.format(
        homepage=homepage, version=package["version"], licence=package["license"], places="\n".join(places)
    )


def notes(tag, package):
    """The version's part of CHANGELOG.md."""
    if tag != f"v{package['version']}":
        sys.exit(f"release.py: the tag is {tag}, and Cargo.toml says {package['version']}")
    parts = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    part = next((part for part in parts if part.startswith(f"[{package['version']}]")), None)
    return part.partition("\n")[2].strip() if part else sys.exit(f"release.py: CHANGELOG.md has no part for {tag}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--url", required=True, help="where the packages will lie")
    parser.add_argument("--tag", help="print this version's notes")
    args = parser.parse_args()
    packages = sorted(path for path in args.directory.iterdir() if path.is_file() and path.name not in OTHERS)
    if not packages:
        sys.exit(f"release.py: there is no package in {args.directory}")
    listing = metadata()
    package = next(it for it in listing["packages"] if it["id"] == listing["resolve"]["root"])
    if args.tag:
        print(notes(args.tag, package))
    (args.directory / "toto.rb").write_text(formula(args.directory, package, args.url.rstrip("/")))
    (args.directory / "toto.cdx.json").write_text(json.dumps(sbom(listing), indent=1) + "\n")
    summed = [*packages, *(args.directory / name for name in OTHERS[1:])]
    (args.directory / "SHA256SUMS").write_text("".join(f"{digest(path)}  {path.name}\n" for path in summed))
    print(f"{args.directory}: {len(packages)} packages; SHA256SUMS, toto.rb, toto.cdx.json", file=sys.stderr)


if __name__ == "__main__":
    main()
