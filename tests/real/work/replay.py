"""The same calls, replayed: what the commands of a run would have cost in the other arm.

An agent's strategy is most of the difference between two runs, and none of it is in a replay: each call stays as it was,
and only what toto was given, or would have been given, is exchanged.
"""
import os
import pathlib
import re
import shlex
import subprocess
import tempfile

# What hosts cut: as `cut` in host.py.
LIMIT = 30_000


def is_one_command(command):
    """The words of a command line that is one command, read by the agent directly; else None."""
    plain = re.sub(r"^cd \S+ && ", "", command.strip()).replace("2>&1", "").strip()
    if re.search(r"[|;&<>`$\n()]", plain):
        return None
    try:
        words = shlex.split(plain)
    except ValueError:
        return None
    while words and re.fullmatch(r"[A-Za-z_]\w*=.*", words[0]):
        words = words[1:]
    return words or None


def as_off(call, records, count):
    """Tokens that a call of a run with toto would have printed without: the ledger counted both."""
    own = [record for record in records if call["begun"] <= record["at"] / 1e6 <= call["ended"]]
    tokens = count(call["printed"])
    for record in own:
        tokens += record["without"] - record["given"] - record["receipt"]
    return max(tokens, 0)


def as_on(call, linked, toto, count):
    """Tokens that a call of a run without toto would have printed with it: what the host kept goes through the shim, as
    the output of a tool of that name. A pipeline, a script or a cut output stays as it is."""
    words = is_one_command(call["command"])
    if not words or os.path.basename(words[0]) not in linked or len(call["printed"]) >= LIMIT:
        return count(call["printed"])
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(directory)
        (place / "printed").write_text(call["printed"])
        tool = place / "tools" / os.path.basename(words[0])
        tool.parent.mkdir()
        tool.write_text(f"#!/bin/sh\ncat {place}/printed\nexit {call['status']}\n")
        tool.chmod(0o755)
        env = {"HOME": directory, "PATH": f"{tool.parent}:/usr/bin:/bin", "TOTO": "on", "LANG": "C.UTF-8"}
        ran = subprocess.run([toto, "run", "--", tool.name, *words[1:]], env=env, capture_output=True)
        if ran.returncode != call["status"]:
            raise RuntimeError(f"{call['command']}: status {ran.returncode}, not {call['status']}")
        return count(ran.stdout.decode() + ran.stderr.decode())
