"""`amparser serve` under clients of which some are hostile, and the memory that it takes.

    python tests/fuzz/load.py [--clients 50] [--seconds 60] [--hostile 0.1]

The same load runs twice: without hostile requests, which send nothing in their place, and with
them. A table has the times of good requests, what hostile ones got, and the memory of all
processes of the server at the beginning and at the end.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import mean, median

if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    sys.path[:0] = [str(here.parent), str(here.parents[1])]

from page_client import send

SENTENCES = ("Emma gave a cake to the dog .", "A cat ran .", "Who did Liam see ?", "Noah slept .")
WORDS = ("dog", "that", "Emma", "gave", "wug", "[SEP]", "the", "<b>", "in", "said")
ALL = ("astar-gap", "astar", "fixed-tree")
PAUSE = 5.0
"""A client waits up to so many seconds before its next request, as a person would."""


def hostile(dice: Random) -> bytes:
    """The body of a request that costs much, or that is none."""
    endless = " ".join(dice.choices(WORDS, k=399))
    return dice.choice(
        (
            json.dumps({"sentence": endless}).encode(),
            json.dumps({"sentence": "a" * 60_000}).encode(),
            json.dumps(
                {"sentence": endless, "decoders": ["astar-gap", "astar", "fixed-tree"]}
            ).encode(),
            b"[" * 60_000,
            b'{"sentence": ' + b"9" * 5000 + b"}",
            b"\xff\xfe{}",
            b"x" * 70_000,
        )
    )


@contextmanager
def server(seconds: int) -> Iterator[tuple[str, int]]:
    """The address and the process of a server."""
    arguments = ("serve", "--port", "0", "--device", "cpu", "--timeout", str(seconds))
    process = subprocess.Popen(
        [sys.executable, "-m", "amparser", *arguments], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip(), process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def memory(process: int) -> int:
    """The bytes of a process and of those that it has started, without what they share."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False
    )
    total = 0
    for one in (str(process), *listed.stdout.split()):
        lines = Path(f"/proc/{one}/smaps_rollup").read_text("utf-8").splitlines()
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total * 1024


def client(
    address: str, number: int, ends: float, share: float, *, quiet: bool
) -> list[tuple[bool, int, float]]:
    """What a client saw: whether a request was good, its status, its seconds."""
    dice, seen = Random(f"client {number}"), []
    while time.monotonic() < ends:
        time.sleep(dice.uniform(0, PAUSE))
        bad = dice.random() < share
        body = hostile(dice) if bad else json.dumps({"sentence": dice.choice(SENTENCES)}).encode()
        if bad and quiet:
            continue
        started = time.monotonic()
        status, _, _ = send(address, "/api/parse", body)
        seen.append((not bad, status, time.monotonic() - started))
    return seen


def main() -> int:
    """Run both loads and print the table; the exit code says whether the bound was kept."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--clients", type=int, default=50)
    options.add_argument("--seconds", type=float, default=60.0, help="of each load")
    options.add_argument("--hostile", type=float, default=0.1, help="share of the requests")
    options.add_argument("--timeout", type=int, default=30, help="of the server")
    chosen = options.parse_args()
    print("| load | good | mean s | median s | 95 % s | refused | hostile | MiB before | after |")
    print("|---|--:|--:|--:|--:|--:|---|--:|--:|", flush=True)
    means = []
    with server(chosen.timeout) as (address, process), ThreadPoolExecutor(chosen.clients) as pool:
        while send(address, "/api/parse", b'{"sentence": "Emma slept ."}')[0] == 504:
            pass
        for quiet in (True, False):
            before, ends = memory(process), time.monotonic() + chosen.seconds
            clients = [
                pool.submit(client, address, number, ends, chosen.hostile, quiet=quiet)
                for number in range(chosen.clients)
            ]
            seen = [row for one in clients for row in one.result()]
            good = sorted(spent for is_good, _, spent in seen if is_good)
            refused = sum(is_good and status != 200 for is_good, status, _ in seen)
            statuses = Counter(status for is_good, status, _ in seen if not is_good)
            told = " ".join(f"{status}: {count}" for status, count in sorted(statuses.items()))
            means.append(mean(good))
            times = f"{mean(good):.2f} | {median(good):.2f} | {good[len(good) * 95 // 100]:.2f}"
            sizes = f"{before >> 20} | {memory(process) >> 20}"
            name = "good alone" if quiet else "one in ten hostile"
            print(f"| {name} | {len(good)} | {times} | {refused} | {told} | {sizes} |", flush=True)
    return int(means[1] > 2 * means[0])


if __name__ == "__main__":
    sys.exit(main())
