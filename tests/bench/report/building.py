"""The README's two commands, each with an empty target directory; with --before, beside those of an earlier commit."""

import resource
import shutil
import time

from machine import Result

COMMANDS = [("cargo run --release --locked -- demo", 150), ("cargo test --locked", 480)]  # seconds, at most


def measure(run):
    """Seconds on the clock and of processors; the dependencies are here already, unpacked."""
    if run.quick:
        return None
    trees = [("", run.root)]
    if run.before:
        earlier = run.home / "before"
        run.output("git", "clone", "--quiet", "--shared", run.root, earlier)
        run.output("git", "checkout", "--quiet", run.before, cwd=earlier)
        trees.append((f"  at {run.before}", earlier))
    for _, tree in trees:
        run.output("cargo", "fetch", "--locked", cwd=tree)
    sign = "" if run.before else " †"
    lines = [f"{'from nothing':<40} {'on the clock':>14} {'of processors':>14} {'budget':>9}"]
    for command, budget in COMMANDS:
        for name, tree in trees:
            clock, processor = (f"{seconds:.0f} s{sign}" for seconds in built(run, command, tree))
            limit = "" if name else f"{budget} s"
            lines.append(f"{name or command:<40} {clock:>14} {processor:>14} {limit:>9}".rstrip())
    return Result("\n".join(lines))


def built(run, command, tree):
    """Seconds on the clock, and of processors, of a command with an empty target directory."""
    target = run.home / "building"
    start, before = time.monotonic(), processors()
    run.output(*command.split(), env={"CARGO_TARGET_DIR": str(target)}, cwd=tree)
    took, used = time.monotonic() - start, processors() - before
    shutil.rmtree(target)
    return took, used


def processors():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
