"""An agent's host in small: runs one command, given as standard input, as agents do, and hands back what it printed.

    host.py RUN      RUN is the directory of a run: run.json there says what the shell's environment is

work.py starts it as a program named `claude`, whose name and limit toto knows. Both streams of `bash -c COMMAND` go into one pipe;
what is longer than LIMIT characters loses its middle, as with every host. RUN/calls.jsonl has a line a call: the command,
its status, what it printed, when it began and ended (seconds since 1970).
"""
import json
import pathlib
import subprocess
import sys
import time

LIMIT = 30_000


def cut(text):
    if len(text) <= LIMIT:
        return text
    return f"{text[: LIMIT // 2]}\n... {len(text) - LIMIT} characters truncated ...\n{text[-LIMIT // 2 :]}"


def main():
    run = pathlib.Path(sys.argv[1])
    command = sys.stdin.read()
    begun = time.time()
    shell = subprocess.Popen(
        ["bash", "-c", command],
        cwd=run / "repo",
        env=json.loads((run / "run.json").read_text())["env"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    text = cut(shell.stdout.read().decode(errors="replace"))
    status = shell.wait()
    call = {"command": command, "status": status, "printed": text, "begun": begun, "ended": time.time()}
    with open(run / "calls.jsonl", "a") as calls:
        calls.write(json.dumps(call) + "\n")
    sys.stdout.write(text)
    if status:
        print(f"{'' if not text or text.endswith(chr(10)) else chr(10)}Exit code {status}")


main()
