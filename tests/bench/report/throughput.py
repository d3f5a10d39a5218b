"""Megabytes a second and peak memory from 1 MB to 1 GB, a document and text, against cat in the same run."""

import json
import os
import shutil

import svg
from machine import Result, timed


def measure(run):
    """`toto run -- cat FILE` against `cat FILE`, both read through a pipe; the least of several rounds, as in large.rs."""
    sizes = [1, 10, 100] if run.quick else [1, 10, 100, 1000]
    env = {"HOME": str(run.home), "PATH": "/usr/bin:/bin"}
    lines = [f"{'':<10} {'MB':>5} {'cat MB/s †':>11} {'toto MB/s †':>12} {'of cat':>8} {'by CPU †':>9} {'peak MB':>8} {'B a byte':>9}"]
    speeds, peaks = {}, {}
    for kind, write in (("JSON", documents), ("text", lines_of_log)):
        for size in sizes:
            if kind == "JSON" and size > 100:
                continue
            file = run.home / f"{size}.{kind}"
            write(file, size)
            rounds = 3 if size >= 1000 else 5 if size >= 100 else 11
            ways = [run.toto, "run", "--", "/bin/cat", file], ["/bin/cat", file]
            taken = []
            for _ in range(rounds):
                # The memory of the copy before serves the next one: finding more of it is not toto's work.
                shutil.rmtree(run.home / ".local", ignore_errors=True)
                taken.append([timed(words, env) for words in ways])
            bare = min(cat[0] for _, cat in taken)
            seconds, processors = (min(toto[at] for toto, _ in taken) for at in (0, 1))
            peak = max(toto[2] for toto, _ in taken)
            megabytes = file.stat().st_size / 1e6
            lines.append(f"{kind:<10} {size:>5} {megabytes / bare:>11.0f} {megabytes / seconds:>12.1f} {bare / seconds:>8.3f} "
                         f"{megabytes / processors:>9.1f} {peak:>8.1f} {peak / megabytes:>9.2f}")
            speeds.setdefault(kind, []).append((size, megabytes / seconds))
            peaks.setdefault(kind, []).append((size, peak))
            os.unlink(file)
    return Result("\n".join(lines), [
        ("speed", svg.lines("Speed by size (†)", list(speeds.items()), "MB of output", "MB/s")),
        ("memory", svg.lines("Peak resident memory", list(peaks.items()), "MB of output", "MB"))])


def documents(file, megabytes):
    """A list of instances, as a cloud's command line prints them."""
    with file.open("w") as out:
        out.write('{\n    "Reservations": [\n')
        number, written = 0, 0
        while written < megabytes * 1_000_000:
            item = {"InstanceId": f"i-{number * 0x9E3779B97F4A7C15 % 2**68:017x}", "InstanceType": "t3.micro",
                    "State": {"Code": 16, "Name": "running"}, "PrivateIpAddress": f"10.0.{number >> 8 & 255}.{number & 255}",
                    "Tags": [{"Key": "Name", "Value": f"worker-{number}"}], "Cpus": 1 << number % 5}
            text = json.dumps(item, indent=4).replace("\n", "\n        ")
            written += out.write(f"{',' if number else ''}\n        {text}")
            number += 1
        out.write("\n    ]\n}\n")


def lines_of_log(file, megabytes):
    """A build's log without anything to fold."""
    words = ["compiled", "linked", "resolved", "fetched", "checked", "packed"]
    with file.open("w") as out:
        number, written = 0, 0
        while written < megabytes * 1_000_000:
            written += out.write("".join(f"step {n} {words[n % 6]} unit_{n * 7919 % 100003}.o in {n % 977} ms\n"
                                         for n in range(number, number + 10_000)))
            number += 10_000
