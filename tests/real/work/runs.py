"""What a run is: its directory, its environment, its calls, and what they cost. work.py and replay.py make and read them."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
W = pathlib.Path(os.environ.get("W", "/tmp/toto-work"))
PORT = os.environ.get("PORT", "5598")
# JSON is YAML, and this is read by kubectl.
KUBECONFIG = json.dumps({
    "apiVersion": "v1", "kind": "Config", "current-context": "corp", "users": [{"name": "viewer", "user": {}}],
    "clusters": [{"name": "corp", "cluster": {"server": f"http://127.0.0.1:{os.environ.get('KUBE_PORT', '5599')}"}}],
    "contexts": [{"name": "corp", "context": {"cluster": "corp", "user": "viewer"}}],
})
TASKS = tomllib.loads((HERE / "tasks.toml").read_text())
# What each call reads again beside what the calls before it wrote and printed, in tokens.
CONTEXT = 15_000
# Prices of a token against one that is read for the first time without a cache.
FIRST, AGAIN, OUTPUT = 1.25, 0.1, 5
# Seconds. What comes after such a pause was not the agent's (which may wait an hour for its model): somebody else looked at
# its directory.
PAUSE = 7200


def every(reps=None):
    """Each run's directory, with what prepared it; of these repetitions alone, if any are named."""
    found = {path.parent: json.loads(path.read_text()) for path in sorted((W / "runs").glob("*/run.json"))}
    return {run: settings for run, settings in found.items() if not reps or settings["rep"] in reps.split(",")}


def calls(run):
    """What the agent ran, in order, as host.py noted it."""
    path = run / "calls.jsonl"
    noted = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    for nth, (call, after) in enumerate(zip(noted, noted[1:]), 1):
        if after.get("begun", 0) - call.get("ended", 0) > PAUSE:
            return noted[:nth]
    return noted


def host():
    """The program that runs commands, under an agent's name."""
    program = W / "host/claude"
    program.parent.mkdir(parents=True, exist_ok=True)
    if not program.exists():
        shutil.copy(os.path.realpath("/usr/bin/python3"), program)
    shutil.copy(HERE / "host.py", program.parent)
    return program


def environment(run):
    home = os.path.expanduser("~")
    return {
        "HOME": f"{run}/home",
        "PATH": f"{W}/venv/bin:{home}/.cargo/bin:/usr/local/bin:/usr/bin:/bin",
        "CARGO_HOME": os.environ.get("CARGO_HOME", f"{home}/.cargo"),
        "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", f"{home}/.rustup"),
        "RUSTUP_TOOLCHAIN": "stable",
        "CARGO_TARGET_DIR": f"{run}/target",
        "PYTHONPATH": "src",
        "PYTHONDONTWRITEBYTECODE": "1",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{PORT}",
        "AWS_ACCESS_KEY_ID": "x",
        "AWS_SECRET_ACCESS_KEY": "x",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_PAGER": "",
        "PAGER": "cat",
        "GIT_PAGER": "cat",
        "NO_COLOR": "1",
        "LANG": "C.UTF-8",
        "CLAUDECODE": "1",
    }


def set_up(toto, env):
    """What `toto setup` and `toto agents setup` do for an agent whose host names a file in BASH_ENV; returns the words that
    the agent reads when its session starts."""
    subprocess.run([toto, "setup", "--no-modify-path", "--yes"], env=env, stdout=subprocess.DEVNULL, check=True)
    greeting = subprocess.run([toto, "agents", "greet"], env=env, capture_output=True, text=True, check=True).stdout
    env["BASH_ENV"] = f"{env['HOME']}/.toto/agent.sh"
    env["PATH"] = f"{env['HOME']}/.toto/bin:{env['PATH']}"
    return "\n" + json.loads(greeting)["hookSpecificOutput"]["additionalContext"] + "\n"


def make(run, task, arm, toto, rep):
    """The directory of a run; returns the words that the agent reads when its session starts."""
    shutil.rmtree(run, ignore_errors=True)
    (run / "home/.kube").mkdir(parents=True)
    for job, place in jobs(task):
        if (run / "repo" / place).exists():
            continue
        if "repo" in TASKS[job]:
            shutil.copytree(W / "tpl" / TASKS[job]["repo"], run / "repo" / place, symlinks=True)
        else:
            (run / "repo" / place).mkdir(parents=True)
    (run / "home/.kube/config").write_text(KUBECONFIG)
    (run / "home/.gitconfig").write_text("[user]\n name=dev\n email=dev@example.com\n[safe]\n directory=*\n")
    env = environment(run)
    greeting = set_up(toto, env) if arm != "off" else ""
    (run / "run.json").write_text(json.dumps({"task": task, "arm": arm, "rep": rep, "env": env}, indent=1))
    (run / "sh").write_text(f"#!/bin/sh\nexec {host()} {W}/host/host.py {run}\n")
    (run / "sh").chmod(0o755)
    return greeting


def jobs(name):
    """The jobs of a task and the directory of each: a long session has several, each in one of its own."""
    return [(job, TASKS[job].get("repo", job)) for job in TASKS[name].get("jobs", [])] or [(name, "")]


def records(run):
    """What toto's ledger has of a run, in order of time."""
    spool = sorted((run / "home/.local/share/toto/spool").glob("*.jsonl"))
    return [json.loads(line) for path in spool for line in path.read_text().splitlines()]


def cost(made):
    """Thousands of tokens, priced as input, of calls by the tokens that each wrote and printed: the command once as output,
    what it printed once as input, both again in every later call, and before them all the rest of the context."""
    total = 0
    for nth, (wrote, printed) in enumerate(made):
        later = len(made) - nth - 1
        total += OUTPUT * wrote + FIRST * printed + AGAIN * (later * (wrote + printed) + CONTEXT)
    return total / 1000


def count(toto, text):
    counted = subprocess.run([toto, "count"], input=text.encode(), capture_output=True, check=True).stdout
    return int(re.search(rb"\d+", counted)[0])


def tokens(toto, made):
    """What each call wrote and printed."""
    return [(count(toto, call["command"].rstrip()), count(toto, call["printed"])) for call in made]
