#!/usr/bin/env python3
"""From a tarball to a short `git log` in two commands, where there is no Rust:  tests/real/clean_root.py DIR [--binary FILE]

DIR is a Debian with git and little else; debootstrap makes it (as root, with a network) where it is missing. bwrap enters
it: read-only, without a network, with an empty HOME. `--binary` as in packaging/build.py. Prints a line a check; exit
status 1 when one fails.
"""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMITS = 40
# A program of its own name that reads what its shell prints, and says that it is an agent: a copy of perl, which every
# Debian has.
AGENT = """cp /usr/bin/perl /tmp/agent; /tmp/agent -e '$ENV{TOTO_AGENT} = 1; print qx(CMD; true)'"""
REPOSITORY = f"""
git init -q repository && cd repository
git config user.name 'A U Thor' && git config user.email author@example.org
for n in $(seq {COMMITS}); do git commit -q --allow-empty -m "change $n"; done
"""
# By README.md, each with what it needs of a release.
WAYS = {
    "the tarball alone": "tar -xzf /mnt/release/toto-*.tar.gz\ntoto-*/toto setup --yes git",
    "install.sh --prebuilt": "/mnt/install.sh --prebuilt /mnt/release --yes git",
}
FAILED = []


def check(name, ok, detail):
    print(("ok    " if ok else "WRONG ") + name + ("" if ok else f"  ({detail})"), flush=True)
    if not ok:
        FAILED.append(name)


def inside(root, release, script):
    """What `script`, one shell's commands, prints in the root, both streams."""
    words = ["bwrap", "--ro-bind", root, "/", "--proc", "/proc", "--dev", "/dev", "--unshare-all", "--die-with-parent"]
    words += ["--tmpfs", "/root", "--tmpfs", "/tmp", "--tmpfs", "/mnt", "--chdir", "/root", "--clearenv"]
    words += ["--ro-bind", release, "/mnt/release", "--ro-bind", ROOT / "install.sh", "/mnt/install.sh"]
    words += ["--setenv", "HOME", "/root", "--setenv", "PATH", "/usr/bin:/bin"]
    done = subprocess.run([*words, "sh", "-ec", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def tried(root, release, way, install):
    login = f"""cat > /tmp/login <<'END'
echo --why; {AGENT.replace("CMD", "toto why")}
echo --raw; git log | cat
echo --agent; {AGENT.replace("CMD", "git log 2>&1")}
echo --removed; toto uninstall; ls -A "$HOME"
END
"""
    said = inside(root, release, f"{install}\n{REPOSITORY}{login}bash -l /tmp/login")
    why, _, rest = said.partition("--raw\n")
    raw, _, rest = rest.partition("--agent\n")
    agent, _, removed = rest.partition("--removed\n")
    check(f"{way}: a program gets git's bytes", raw.count("Author: ") == COMMITS, why)
    whole = all(f"    change {n}\n" in agent for n in range(1, COMMITS + 1))
    check(f"{way}: an agent gets every commit, the author once", whole and agent.count("Author: ") == 1, why)
    check(f"{way}: and a receipt", "[toto] Original: " in agent, why)
    check(f"{way}: is removed", "removed /root/.toto\n" in removed and ".toto" not in removed.split(), removed)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    if not root.exists():
        subprocess.run(["debootstrap", "--variant=minbase", "--include=git", "stable", root], check=True)
    with tempfile.TemporaryDirectory(prefix="toto-clean-") as release:
        subprocess.run([ROOT / "packaging/build.py", *sys.argv[2:], "--out", release, "tarball"], check=True)
        subprocess.run([ROOT / "packaging/release.py", release, "--url", "https://example.org"], check=True)
        found = inside(root, release, "command -v cargo rustc cc python3 || true")
        check("there is no Rust, compiler or Python", not found, found)
        for way, install in WAYS.items():
            tried(root, release, way, install)
    print(f"{len(FAILED)} wrong" if FAILED else "from nothing to a short git log")
    sys.exit(bool(FAILED))


if __name__ == "__main__":
    main()
