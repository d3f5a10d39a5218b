"""The same calls in the other arm: what the commands of a run would have printed with toto, or without.

An agent's strategy is most of the difference between two runs, and none of it is in a replay: each command stays as it was.
Of a run with toto the ledger knows what its tools printed. The commands of a run without are run once more, in their order,
in two fresh directories of the task: without toto, which has to print what it printed then, and with it.
"""
import collections
import re
import subprocess

from runs import HERE, TASKS, W, calls, cost, count, every, make, records, tokens

# Names that a cloud account gives: another account of the same things has others.
ID = re.compile(r"\b[a-z]{1,8}-[0-9a-f]{17}\b")
# What differs in each run: ids and hashes, addresses, times, names of temporary files.
NOISE = re.compile(r"\b[a-z]+-[0-9a-f]{17}\b|0x[0-9a-f]+|\b[0-9a-f]{7,}\b|\d+(\.\d+)?(?= ?(s|ms|seconds)\b)|\d+:\d\d[:.\d]*|\btmp\.?\w+")
# A call whose output differs by more of its characters than this is left out.
APART = 0.2


def places(run):
    """Where the commands of a run are run once more."""
    return W / "again/off" / run.name, W / "again/on" / run.name


def is_timed(run):
    return "begun" in next(iter(calls(run)), {})


def again(args):
    """What has been run again stays: remove W/again for another build of toto."""
    wanted = args.tasks.split(",") if args.tasks else TASKS
    for run, settings in every().items():
        is_there = len(calls(places(run)[1])) == len(calls(run))
        if settings["arm"] == "off" and settings["task"] in wanted and is_timed(run) and not is_there:
            print(settings["rep"], settings["task"], run.name, flush=True)
            repeat(run, settings, args.toto)


def repeat(run, settings, toto):
    off, on = places(run)
    names = {}
    make(off, settings["task"], "off", toto, settings["rep"])
    for call in calls(run):
        command = ID.sub(lambda found: names.get(found[0], found[0]), call["command"]).replace(str(run), str(off))
        subprocess.run([off / "sh"], input=command, text=True, stdout=subprocess.DEVNULL)
        then, now = (ID.findall(text) for text in (call["printed"], calls(off)[-1]["printed"]))
        if len(then) == len(now):
            names |= zip(then, now)
    make(on, settings["task"], "on", toto, settings["rep"])
    for call in calls(off):
        command = call["command"].replace(str(off), str(on))
        subprocess.run([on / "sh"], input=command, text=True, stdout=subprocess.DEVNULL)


def is_same(then, now, run):
    """Did a command print the same once more? Lines may stand in another order."""
    lines = [collections.Counter(NOISE.sub("#", call["printed"].replace(str(place), "")).splitlines(keepends=True))
             for call, place in ((then, run), (now, places(run)[0]))]
    size = [sum(len(line) * times for line, times in side.items()) for side in lines]
    common = sum(len(line) * times for line, times in (lines[0] & lines[1]).items())
    return then["status"] == now["status"] and common >= (1 - APART) * max(size)


def as_off(run, toto):
    """What the calls of a run with toto cost, and would have without: the ledger counted both."""
    made, told = calls(run), records(run)
    priced = tokens(toto, made)
    other = []
    for call, (wrote, printed) in zip(made, priced):
        own = [record for record in told if call["begun"] <= record["at"] / 1e6 <= call["ended"]]
        more = sum(record["without"] - record["given"] - record["receipt"] for record in own)
        other.append((wrote, max(printed + more, 0)))
    return cost(priced), cost(other), 0


def as_on(run, toto):
    """What the calls of a run without toto cost once more, and with it, and how many were left out."""
    off, on = (calls(place) for place in places(run))
    same = [nth for nth, (then, now) in enumerate(zip(calls(run), off)) if is_same(then, now, run)]
    wrote = [count(toto, call["command"].rstrip()) for call in off]
    sides = [[(wrote[nth], count(toto, side[nth]["printed"])) for nth in same] for side in (off, on)]
    return cost(sides[0]), cost(sides[1]), len(off) - len(same)


def report(args):
    """Markdown: what each kind of work and each task cost, and the same calls in the other arm."""
    parts = collections.defaultdict(lambda: {"on": [], "off": []})
    for run, settings in every().items():
        arm = settings["arm"]
        if arm not in ("off", "on") or not is_timed(run) or arm == "off" and not calls(places(run)[1]):
            continue
        replayed = (as_on if arm == "off" else as_off)(run, args.toto)
        kind = TASKS[settings["task"]]["kind"]
        for name in (kind, "all", f"{kind}: {settings['task']}"):
            parts[name][arm].append(replayed)
    lines = ["| work | runs with toto | cost | the same calls without | | runs without | cost | the same calls with toto | | calls left out |"]
    lines.append("|---|" + "---:|" * 9)
    for name, arms in sorted(parts.items(), key=lambda part: (":" in part[0], part[0] == "all", part[0])):
        cells = []
        for arm in ("on", "off"):
            own, other, left_out = (sum(row[at] for row in arms[arm]) for at in range(3))
            with_toto, without = (own, other) if arm == "on" else (other, own)
            change = f"{with_toto / without - 1:+.0%}" if without else ""
            cells += [str(len(arms[arm])), f"{own:,.0f}", f"{other:,.0f}", change]
        lines.append(f"| {name} | {' | '.join(cells)} | {left_out} |")
    text = "\n".join(lines) + "\n"
    kept = HERE.parents[2] / "target"
    kept.mkdir(exist_ok=True)
    (kept / "work-replay.md").write_text(text)
    print(text)
