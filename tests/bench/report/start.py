"""The binary before the tool runs: its size, system calls, page faults and instructions, beside their budgets."""

import json
import os
import re
import subprocess

from machine import Result


def measure(run):
    """Measures a farm with one shim in front of one tool, on the raw path and captured."""
    farm, tools = run.home / "start/bin", run.home / "start/tools"
    for directory in (farm, tools):
        directory.mkdir(parents=True)
    (farm / "aws").symlink_to(run.toto)
    (tools / "aws").symlink_to("/bin/cat")
    document = run.home / "start/1kb.json"
    rows = [{"InstanceId": f"i-{n:017x}", "State": "running", "Zone": "us-east-1a"} for n in range(12)]
    document.write_text(json.dumps({"Items": rows}, indent=4))
    env = {"HOME": str(run.home / "start"), "TOTO_HOME": str(run.home / "start"), "PATH": f"{farm}:{tools}:/usr/bin:/bin"}
    captured = [run.toto, "run", "--", tools / "aws", document]
    lines = [f"{'':<52} {'figure':>12} {'budget':>10}",
             row("binary, bytes", run.toto.stat().st_size, "12,000,000"),
             row("system calls before the tool runs (raw)", calls([farm / "aws", document], env), ""),
             row("page faults before the tool runs (raw)",
                 faults([farm / "aws", document], env) - faults([tools / "aws", document], env), ""),
             row("instructions before the tool runs (raw)", instructions(run, [farm / "aws", document], env), ""),
             row("instructions, 1 KB captured, everything on", instructions(run, captured, env), "")]
    return Result("\n".join(lines))


def row(name, figure, budget):
    return f"{name:<52} {figure if isinstance(figure, str) else f'{figure:,}':>12} {budget:>10}"


def calls(words, env):
    """System calls between our start and the tool's: strace sees both, and the second execve divides them."""
    done = run_quietly(["strace", "-qq", *words], env)
    if done is None:
        return "no strace"
    traced = [line for line in done.stderr.splitlines() if re.match(r"\w+\(", line)]
    execs = [index for index, line in enumerate(traced) if line.startswith("execve(") and line.endswith("= 0")]
    return execs[1] - execs[0]


def faults(words, env):
    """Page faults of a process, most often so many: those of a shim and of its tool together."""
    def once():
        with open(os.devnull, "w") as nothing:
            child = subprocess.Popen([str(word) for word in words], env=env, stdin=subprocess.DEVNULL, stdout=nothing)
        return os.wait4(child.pid, 0)[2].ru_minflt
    return sorted(once() for _ in range(21))[10]


def instructions(run, words, env):
    """Instructions of our own process, by callgrind."""
    done = run_quietly(["valgrind", "--tool=callgrind", f"--callgrind-out-file={run.home}/callgrind", *words], env)
    if done is None:
        return "no valgrind"
    # Of a process that becomes another, some versions tell nothing.
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found[1]) if found else "not told"


def run_quietly(words, env):
    try:
        return subprocess.run([str(word) for word in words], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
    except FileNotFoundError:
        return None
