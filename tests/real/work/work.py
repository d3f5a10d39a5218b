#!/usr/bin/env python3
"""The same task done by an agent with toto and without: what did its commands cost it? docs/work.md tells how to read it.

    work.py prepare REP [--toto BIN] [--tasks a,b] [--arms off,on] [--shell]
                                                                      directories, environments and prompts; an agent
                                                                      with a shell alone where --shell is given
    work.py verify                                                    which runs did their task
    work.py measure [--toto BIN] [--reps s1,s2] [--greeted s2]        calls, tokens and cost of each, side by side
    work.py ledger [--toto BIN]                                       does toto's ledger say what the host was given?
    work.py again [--toto BIN] [--tasks a,b] [--arms off,on]          the commands of each run once more, in fresh
                                                                      directories below W/again, without toto and with it
    work.py replay [--toto BIN]                                       what they cost in either arm, by kind and task

build.py makes the tasks below W (default /tmp/toto-work) first. A run is W/runs/ID with W/prompts/ID.txt: give an agent that
text as its whole task, and say neither what is measured nor which arm the run is in.
"""
import argparse
import collections
import hashlib
import json
import re
import shlex
import subprocess
import sys

import cluster
import replay
from runs import HERE, TASKS, W, calls, cost, count, every, jobs, make, records, tokens

# What is asked of an account or a cluster.
OPERATION = re.compile(r"\b(?:describe|list|filter|get)-[a-z-]+|\b(?:get|describe|logs)\b[ ,\"']+(?:-[nA] ?\w* )?(?:pods?|deploy|rs|cm|sts)\b")
# Tokens of an output's end that are counted together with what stands behind it.
ROUNDING = 3
PROMPT = """You are a coding agent at work in a prepared directory. Run EVERY shell command through its wrapper, as a here-document:

{run}/sh <<'END'
your command, of one line or more
END

It starts a new bash in the working directory {run}/repo with the right environment; nothing else has that. Work only there. {files} Do not look at other directories below {w}, and do not inspect or change the wrapper.
{greeting}
The task: {ask}

Work as you always do. When done, answer with (1) the result in one or two sentences and (2) in one to three sentences anything about what the commands printed that slowed you down, misled you, or that you had to ask for again.
"""

JOBS = """{count} jobs, one after another in this order; finish each before you begin the next. Each is done in a directory of its own below the working directory, which its text calls "this directory" or "the working directory"."""

WITH_A_FILE_TOOL = "You may view and edit files of that directory with your file tool, too."
BY_THE_SHELL_ALONE = "Read and write its files by shell commands alone, not with a file tool."


def asked(name):
    if "jobs" not in TASKS[name]:
        return TASKS[name]["ask"]
    texts = [f"{nth}. In {place}: {TASKS[job]['ask']}" for nth, (job, place) in enumerate(jobs(name), 1)]
    return "\n\n".join([JOBS.format(count=len(texts)), *texts])


def prepare(args):
    (W / "prompts").mkdir(exist_ok=True)
    for task in args.tasks.split(",") if args.tasks else (name for name in TASKS if "kind" in TASKS[name]):
        for arm in args.arms.split(","):
            name = hashlib.sha1(f"{task} {arm} {args.rep}".encode()).hexdigest()[:6]
            run = W / "runs" / name
            greeting = make(run, task, arm, args.toto, args.rep)
            files = BY_THE_SHELL_ALONE if args.shell else WITH_A_FILE_TOOL
            prompt = PROMPT.format(run=run, w=W, ask=asked(task), greeting=greeting, files=files)
            (W / f"prompts/{name}.txt").write_text(prompt)
            print(name, task, arm, W / f"prompts/{name}.txt")


def history():
    """The answers to the questions about the history of this repository."""

    def git(*words):
        words = ["git", "-C", W / "tpl/history", *words]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    first = git("log", "--reverse", "--format=%h", "--abbrev=7", "--diff-filter=A", "--", "src/fetch/").split()[0]
    commit = git("log", "--reverse", "--topo-order", "--format=%H", "-SHURRIED_LIMIT", "--", "src").split()[0]
    value = re.search(r"HURRIED_LIMIT\s*:\s*\w+\s*=\s*(.*);", git("grep", "-h", "HURRIED_LIMIT", commit, "--", "src"))
    names = git("log", "--no-merges", "--format=", "--name-only", "--", "src").splitlines()
    [(most, times)] = collections.Counter(name for name in names if name).most_common(1)
    return {"fetch_commit": first, "hurried_first": value and value[1], "most_touched": most, "touched": times}


def right_answers(task):
    """They stand in the task, or are those of the cluster, the AWS estate or the history."""
    if "right" in task:
        return task["right"]
    if "answers" not in task:
        return history()
    of_cluster = cluster.answers(cluster.Cluster().found)
    return of_cluster.get(task["answers"]) or json.loads((W / "answers.json").read_text())[task["answers"]]


def lacking(run, place, task):
    """What is missing of a job; nothing if it is done."""
    if "done" in task:
        env = json.loads((run / "run.json").read_text())["env"] | {"TOTO": "off", "BASH_ENV": ""}
        words = ["bash", "-c", task["done"]]
        ended = subprocess.run(words, cwd=run / "repo" / place, env=env, capture_output=True, text=True)
        return ended.returncode and f"status {ended.returncode}: " + " ".join((ended.stdout + ended.stderr)[-150:].split())
    try:
        answers = json.loads((run / "repo" / place / "answers.json").read_text())
    except (OSError, ValueError) as error:
        return repr(error)
    if "contains" in task:
        plain = json.dumps(answers).replace("\\", "")
        return [words for words in task["contains"] if words not in plain]
    return {key: answers.get(key) for key, value in right_answers(task).items() if answers.get(key) != value
            and not (isinstance(value, list) and answers.get(key) in value)}


def verify(args):
    for run, settings in every(args.reps).items():
        if calls(run):
            missing = [f"{job}: {what}" for job, place in jobs(settings["task"]) if (what := lacking(run, place, TASKS[job]))]
            said = "NOT done: " + "; ".join(missing) if missing else "done"
            print(settings["rep"], settings["task"], settings["arm"], run.name, said, flush=True)


def table(rows, arms):
    """Markdown: a row a task and run."""
    lines = ["| task | run | " + " | ".join(f"{arm}: calls | tokens | cost" for arm in arms) + " | cost against off |"]
    lines.append("|---|---|" + "---:|---:|---:|" * len(arms) + "---:|")
    for (task, rep), row in sorted(rows.items()):
        cells = ["{} | {:,} | {:.1f}".format(*row[arm]) if arm in row else " | | " for arm in arms]
        changes = [f"{row[arm][2] / row['off'][2] - 1:+.0%}" for arm in arms[1:] if arm in row and "off" in row]
        lines.append(f"| {task} | {rep} | {' | '.join(cells)} | {', '.join(changes)} |")
    return "\n".join(lines) + "\n"


def sums(rows, arm):
    """Markdown: what the runs cost that have a pair in both arms."""
    pairs = [(row["off"], row[arm]) for row in rows.values() if "off" in row and arm in row]
    lines = [f"| {len(pairs)} pairs of runs | without toto | with it | |", "|---|---:|---:|---:|"]
    names = ("calls", "tokens that the commands printed", "cost, in thousands of tokens")
    for at, name in enumerate(names):
        off, on = (sum(pair[side][at] for pair in pairs) for side in (0, 1))
        lines.append(f"| {name} | {off:,.0f} | {on:,.0f} | {on / off - 1:+.0%} |")
    return "\n".join(lines) + "\n"


def kinds(rows, arm, greeted):
    """Markdown: the same by kind of work, and of the repetitions that had the present greeting."""
    parts = collections.defaultdict(list)
    for (task, rep), row in rows.items():
        if "off" in row and arm in row:
            kind = TASKS[task]["kind"]
            for part in (kind, "all", *([f"{kind}, the present greeting"] if rep in greeted else [])):
                parts[part].append((row["off"], row[arm]))
    lines = ["| work | pairs of runs | calls | tokens printed | cost without toto | with it | |", "|---|" + "---:|" * 6]
    for kind, pairs in sorted(parts.items(), key=lambda part: (part[0] == "all", part[0])):
        off, on = ([sum(pair[side][at] for pair in pairs) for at in range(3)] for side in (0, 1))
        calls_, printed, spent = (f"{on[at] / off[at] - 1:+.0%}" for at in range(3))
        lines.append(f"| {kind} | {len(pairs)} | {calls_} | {printed} | {off[2]:,.0f} | {on[2]:,.0f} | {spent} |")
    return "\n".join(lines) + "\n"


def shares(args):
    """Markdown: what the cost is made of. What linked tools printed is told by the ledger, so of runs with toto alone, and
    of those whose calls have their times."""
    parts = collections.defaultdict(lambda: collections.defaultdict(float))
    for run, settings in every(args.reps).items():
        made, told = calls(run), records(run)
        if not made or "begun" not in made[0]:
            continue
        arm = parts[settings["arm"]]
        priced = tokens(args.toto, made)
        within = lambda call: [r for r in told if call["begun"] <= r["at"] / 1e6 <= call["ended"]]
        tools = [(wrote, sum(record["given"] + record["receipt"] for record in within(call)))
                 for call, (wrote, _) in zip(made, priced)]
        commands = [(wrote, 0) for wrote, _ in priced]
        arm["runs"] += 1
        arm["the calls themselves"] += cost([(0, 0)] * len(made))
        arm["the commands, written"] += cost(commands) - cost([(0, 0)] * len(made))
        arm["what linked tools printed"] += cost(tools) - cost(commands)
        arm["all else that was printed: source, scripts"] += cost(priced) - cost(tools)
    parts = dict(sorted(parts.items(), key=lambda part: (part[0] != "off", part[0])))
    lines = ["| thousands of tokens | " + " | ".join(f"{arm}, {row['runs']:.0f} runs" for arm, row in parts.items()) + " |"]
    lines.append("|---|" + "---:|" * len(parts))
    names = list(next(iter(parts.values()), {}))[1:]
    for name in names:
        lines.append(f"| {name} | " + " | ".join(f"{row[name]:,.0f}" for row in parts.values()) + " |")
    return "\n".join(lines) + "\n"


def asked_again(args):
    """Markdown: what runs on accounts and clusters asked their tools for a second time, as scripts do with what was looked
    at before, and how often they asked toto for a whole."""
    arms = collections.defaultdict(lambda: [0, 0, 0])
    for run, settings in every(args.reps).items():
        if not (made := calls(run)) or not any("answers" in TASKS[job] for job, _ in jobs(settings["task"])):
            continue
        found = collections.Counter(word for call in made for word in set(OPERATION.findall(call["command"])))
        shown = sum("toto show" in call["command"] for call in made)
        row = (1, sum(times > 1 for times in found.values()), shown)
        arms[settings["arm"]] = [of + more for of, more in zip(arms[settings["arm"]], row)]
    lines = ["| | runs on accounts and clusters | asked a tool for the same again | calls of `toto show` |", "|---|---:|---:|---:|"]
    lines += [f"| {arm} | {' | '.join(map(str, row))} |" for arm, row in sorted(arms.items())]
    return "\n".join(lines) + "\n"


def measure(args):
    rows = collections.defaultdict(dict)
    for run, settings in every(args.reps).items():
        priced = tokens(args.toto, calls(run))
        if priced:
            printed = sum(printed for _, printed in priced)
            rows[settings["task"], settings["rep"]][settings["arm"]] = (len(priced), printed, cost(priced))
    arms = sorted({arm for row in rows.values() for arm in row}, key=lambda arm: (arm != "off", arm))
    # tests/bench/report takes them from there.
    kept = HERE.parents[2] / "target"
    kept.mkdir(exist_ok=True)
    (kept / "work.md").write_text(table(rows, arms))
    print(table(rows, arms))
    for arm in arms[1:]:
        print(sums(rows, arm))
    by_kind = kinds(rows, "on", (args.greeted or "").split(","))
    (kept / "work-kinds.md").write_text(by_kind)
    print(by_kind)
    for name, table_of in (("work-shares", shares), ("work-again", asked_again)):
        (kept / f"{name}.md").write_text(table_of(args))
        print(table_of(args))


def is_one_command(command):
    """Is a command line one command, read by the agent directly?"""
    plain = re.sub(r"^cd \S+ && ", "", command.strip()).replace("2>&1", "").strip()
    if re.search(r"[|;&<>`$\n()]", plain):
        return False
    try:
        words = shlex.split(plain)
    except ValueError:
        return False
    return not all(re.fullmatch(r"[A-Za-z_]\w*=.*", word) for word in words)


def is_toto_alone(command, told):
    """Has toto written all that this command line printed? One command, told of by one record; of a window the ledger has
    only what was added."""
    return len(told) == 1 and told[0]["shape"] != "Window" and is_one_command(command)


def ledger(args):
    """The ledger can say nothing of what other programs print, so that a run's sums differ: a call at a time is compared.
    Of a call that one command made the ledger has to say what the host was given, of any other no more than that."""
    wrong = alone = bounded = untimed = 0
    worst = 0.0
    for run, settings in every().items():
        told = records(run)
        for call in calls(run) if told else []:
            if "begun" not in call:
                untimed += 1
                continue
            own = [record for record in told if call["begun"] <= record["at"] / 1e6 <= call["ended"]]
            ours = sum(record["given"] + record["receipt"] for record in own)
            hosts = count(args.toto, call["printed"])
            apart = (ours - hosts) / max(hosts, 1)
            is_alone = is_toto_alone(call["command"], own)
            alone, bounded = alone + is_alone, bounded + (bool(own) and not is_alone)
            worst = max(worst, abs(apart) if is_alone else apart)
            if ours > hosts * 1.05 + ROUNDING or is_alone and ours < hosts * 0.95 - ROUNDING:
                wrong += 1
                print(run.name, f"the ledger says {ours}, the host was given {hosts}:", call["command"].strip()[:120])
        ours = sum(record["given"] + record["receipt"] for record in told)
        hosts = sum(count(args.toto, call["printed"]) for call in calls(run))
        if told and calls(run):
            print(f"{run.name} {settings['task']:<10} {settings['rep']:<7} ledger {ours:>7,} host {hosts:>7,}")
            if ours > hosts * 1.05:
                wrong += 1
                print(run.name, "the ledger says more than the host was given")
    print(f"{alone} calls of toto's alone and {bounded} with others': at most {worst:.1%} apart; {untimed} of unknown time")
    print(f"{wrong} wrong")
    return wrong > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, do, options in (
        ("prepare", prepare, ("tasks", "arms")),
        ("verify", verify, ("reps",)),
        ("measure", measure, ("reps", "greeted")),
        ("ledger", ledger, ()),
        ("again", replay.again, ("tasks", "arms", "reps")),
        ("replay", replay.report, ("reps",)),
    ):
        command = commands.add_parser(name)
        command.add_argument("--toto", default="toto")
        for option in options:
            command.add_argument(f"--{option}", default="off,on" if option == "arms" else None)
        command.set_defaults(do=do)
    commands.choices["prepare"].add_argument("rep")
    commands.choices["prepare"].add_argument("--shell", action="store_true")
    args = parser.parse_args()
    return args.do(args)


if __name__ == "__main__":
    sys.exit(main())
