"""The same calls in the other arm: what the commands of a run would have printed with toto, or without.

An agent's strategy is most of the difference between two runs, and none of it is in a replay: the commands of a run are run
once more, in their order, in two fresh directories of the task: in its own arm, where each has to print what it printed then,
and in the other. The host is the same, so that what it cuts is cut in both.
"""
import collections
import re
import subprocess

from runs import HERE, TASKS, W, calls, cost, count, every, make, records

# Names that a cloud account or toto gave: the next run of the same things has others.
ID = re.compile(r"\b[a-z]{1,8}-[0-9a-f]{17}\b|(?<=toto show )\w+")
# What differs in each run: ids and hashes, addresses, times, names of temporary files and runs.
NOISE = re.compile(
    ID.pattern + r"|0x[0-9a-f]+|\b[0-9a-f]{7,}\b|\d+(\.\d+)?(?= ?(s|ms|seconds)\b)|\d+:\d\d[:.\d]*|\btmp\.?\w+"
    r"|/(runs|again/on|again/off)/(?=\w+)"
)
# The host's word for what it took out; toto's for what stands behind a page of source. A page saves nothing, as the rest is
# asked for: of a run with toto by a later call, and of one without where the host took something out; else that call is added.
CUT = " characters truncated "
REST = re.compile(r"; go on: (.*)\)$", re.MULTILINE)
# Seconds. A call that took longer asks a server one thing after another for each region: it is left out, too.
LONG = 120
# A call whose output differs by more of its characters than this is left out.
APART = 0.2


def places(run, arm):
    """Where the commands of a run are run once more: in its own arm, and in the other."""
    return [W / "again" / name / run.name for name in sorted(("on", "off"), key=lambda name: name != arm)]


def is_timed(run):
    return "begun" in next(iter(calls(run)), {})


def ask(run, command):
    subprocess.run([run / "sh"], input=command, text=True, stdout=subprocess.DEVNULL)


def repeat(run, settings, toto):
    own, other = places(run, settings["arm"])
    names = {}
    make(own, settings["task"], own.parent.name, toto, settings["rep"])
    for call in calls(run):
        command = call["command"] if call["ended"] - call["begun"] < LONG else ":"
        ask(own, ID.sub(lambda found: names.get(found[0], found[0]), command).replace(str(run), str(own)))
        then, now = (ID.findall(text) for text in (call["printed"], calls(own)[-1]["printed"]))
        if len(then) == len(now):
            names |= zip(then, now)
    make(other, settings["task"], other.parent.name, toto, settings["rep"])
    for call in calls(own):
        ask(other, call["command"].replace(str(own), str(other)))


def again(args):
    """What has been run again stays: remove W/again for another build of toto."""
    for run, settings in every(args.reps).items():
        _, other = places(run, settings["arm"])
        is_wanted = settings["arm"] in args.arms.split(",") and settings["task"] in (args.tasks or settings["task"]).split(",")
        if is_wanted and is_timed(run) and len(calls(other)) < len(calls(run)):
            print(settings["rep"], settings["task"], settings["arm"], run.name, flush=True)
            repeat(run, settings, args.toto)


def raw(run):
    """How many bytes the tools printed to toto in each call, as the ledger has it."""
    told = records(run)
    return [sum(record["bytes"] for record in told if call["begun"] <= record["at"] / 1e6 <= call["ended"]) for call in calls(run)]


def is_same(then, now, read):
    """Did a call go as it went then? The words that it printed may stand in another order; where another build of toto had
    other words, its tools have to have printed as much."""
    fewer, more = sorted(read)
    words = [collections.Counter(NOISE.sub("#", call["printed"]).split()) for call in (then, now)]
    size = lambda side: sum(len(word) * times for word, times in side.items())
    is_alike = size(words[0] & words[1]) >= (1 - APART) * max(map(size, words)) or fewer > (1 - APART) * more
    return bool(then["status"]) == bool(now["status"]) and is_alike


def priced(here, there, arm, toto):
    """The tokens that a call of this arm wrote and printed, and those of what stands for it in the other: it, it and the call
    for the rest of a page, or nothing, where it asked toto for the whole."""
    wrote, own, other = (count(toto, text) for text in (here["command"].rstrip(), here["printed"], there["printed"]))
    off, on = (here, there) if arm == "off" else (there, here)
    rest = REST.search(on["printed"])
    if rest and (arm == "on" or CUT in off["printed"]):
        other = own
    instead = [] if here["command"].startswith("toto ") else [(wrote, other)]
    if rest and other != own:
        instead.append((count(toto, rest[1]), max(own - other, 0)))
    return [(wrote, own)], instead


def replayed(run, arm, toto):
    """What the calls of a run cost once more in its own arm, in the other, and in its own if all that differs had no tokens;
    and how many were left out."""
    own, other = places(run, arm)
    sides, left_out = ([], [], []), 0
    for then, here, there, *read in zip(calls(run), calls(own), calls(other), raw(run), raw(own)):
        if is_same(then, here, read):
            [(wrote, printed)], instead = priced(here, there, arm, toto)
            rest = printed if instead == [(wrote, printed)] else 0
            for side, tokens in zip(sides, ([(wrote, printed)], instead, [(wrote, rest)])):
                side += tokens
        else:
            left_out += 1
    return *map(cost, sides), left_out


def report(args):
    """Markdown: what each kind of work and each task cost, and the same calls in the other arm; *at most* is what toto would
    take off if all that it changed had no tokens."""
    parts = collections.defaultdict(lambda: {"on": [], "off": []})
    for run, settings in every(args.reps).items():
        arm, task = settings["arm"], settings["task"]
        if calls(run) and len(calls(places(run, arm)[1])) >= len(calls(run)):
            row = replayed(run, arm, args.toto)
            for name in (TASKS[task]["kind"], "all", f"{TASKS[task]['kind']}: {task}"):
                parts[name][arm].append(row)
    lines = ["| work | runs with toto | calls left out | cost | the same without | | at most | "
             "runs without | calls left out | cost | the same with toto | |", "|---|" + "---:|" * 11]
    for name, arms in sorted(parts.items(), key=lambda part: (":" in part[0], part[0] == "all", part[0])):
        cells = []
        for arm in ("on", "off"):
            own, other, least, left_out = (sum(row[at] for row in arms[arm]) for at in range(4))
            with_toto, without = ((own, least), other) if arm == "on" else ((other,), own)
            changes = [f"{side / without - 1:+.0%}" if without else "" for side in with_toto]
            cells += [f"{len(arms[arm])}", f"{left_out}", f"{own:,.0f}", f"{other:,.0f}", *changes]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    text = "\n".join(lines) + "\n"
    kept = HERE.parents[2] / "target"
    kept.mkdir(exist_ok=True)
    (kept / "work-replay.md").write_text(text)
    print(text)
