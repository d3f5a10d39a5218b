"""The README's two commands, each with an empty target directory."""

import resource
import shutil
import time

from machine import Result

COMMANDS = [("cargo run --release --locked -- demo", 150), ("cargo test --locked", 480)]  # seconds, at most


def measure(run):
    """Seconds on the clock and of processors; the dependencies are here already, unpacked."""
    if run.quick:
        return None
    run.output("cargo", "fetch", "--locked")
    target = run.home / "building"
    lines = [f"{'from nothing':<40} {'on the clock':>14} {'of processors':>14} {'budget':>9}"]
    for command, budget in COMMANDS:
        start, before = time.monotonic(), processors()
        run.output(*command.split(), env={"CARGO_TARGET_DIR": str(target)})
        took, used = time.monotonic() - start, processors() - before
        shutil.rmtree(target)
        lines.append(f"{command:<40} {f'{took:.0f} s †':>14} {f'{used:.0f} s †':>14} {f'{budget} s':>9}")
    return Result("\n".join(lines))


def processors():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
