#!/usr/bin/env python3
"""Does each program of this machine run behind a shim as it runs without? `NAME --version` and `NAME --help` of every
program on PATH, by its name, with a private HOME and a farm that links them all; nobody reads as an agent. Prints what
differs: another status, another text.

    tests/real/programs.py TOTO [DIR]     DIR, by default a new one, is HOME and the working directory

Known to differ: usage lines of what is started by its path (python3), `pod2man --help`, which looks for its own text by
its name on PATH.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# What ends the machine or the session, changes it whatever its options, or waits for somebody, and what toto never stands
# before. Programs of the system's keeper (sbin) are left out, too: some take no option for a question.
LEFT_OUT = re.compile(
    r"(re)?boot|poweroff|halt|shutdown|(tel)?init|login|su|sudo|sulogin|a?getty|.*kill.*|systemctl|service|passwd|ch(sh|fn|root)"
    r"|(pivot|switch)_root|unshare|nsenter|setsid|mount|umount|swapo.*|mk(fs|swap).*|fsck.*|.*fdisk|wipefs|wall|write|mesg"
    r"|pam.*|dpkg.*|apt.*|debconf.*|script.*|tmux|screen|sleep|yes|nohup|timeout|env|nice|time|.?a?sh|bash|zsh|fish|toto|update-.*|invoke-rc.*|(add|del)(user|group)"
)
CALLS = (["--version"], ["--help"])
SECONDS = 8


def main():
    toto = pathlib.Path(sys.argv[1]).resolve()
    home = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()).resolve()
    farm = home / ".toto/bin"
    farm.mkdir(parents=True, exist_ok=True)
    shutil.copy(toto, farm.parent / "toto")
    # The shims of a version manager find other programs, or none.
    path = os.pathsep.join(part for part in os.environ["PATH"].split(os.pathsep) if "shims" not in part)
    found = {}
    for directory in map(pathlib.Path, path.split(os.pathsep)):
        for program in sorted(directory.iterdir()) if directory.is_dir() and directory.name != "sbin" else ():
            if program.is_file() and os.access(program, os.X_OK) and not LEFT_OUT.fullmatch(program.name):
                found.setdefault(program.name, program)
    for name in found:
        (farm / name).unlink(missing_ok=True)
        (farm / name).symlink_to("../toto")

    def ran(call, where):
        env = {"HOME": str(home), "PATH": where, "LANG": "C.UTF-8", "TERM": "dumb", "PAGER": "cat"}
        # env(1) looks the name up on the PATH that it is given.
        words = ["/usr/bin/env", *call]
        try:
            done = subprocess.run(words, env=env, cwd=home, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return ("no end", b"", b"")
        return (done.returncode, done.stdout, done.stderr)

    def differs(name):
        for options in CALLS:
            call = [name, *options]
            bare, behind = ran(call, path), ran(call, f"{farm}{os.pathsep}{path}")
            # What says something else each time tells nothing.
            if bare != behind and ran(call, path) == bare:
                yield call, bare, behind

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        wrong = [one for each in pool.map(lambda name: list(differs(name)), found) for one in each]
    for call, bare, behind in wrong:
        print(*call)
        for part, other in zip(bare, behind):
            if part != other:
                print(f"  without {part!r:.160}\n  behind  {other!r:.160}")
    print(f"{len(found)} programs, {len(wrong)} calls differ")


if __name__ == "__main__":
    main()
