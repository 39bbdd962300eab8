"""Measure answers of `amparser serve` under load, with and without hostile requests.

    python tests/benchmarks/load.py --clients 50 --seconds 30

Each client sends a request, waits for the answer, pauses, and repeats. In the second run every
tenth request is hostile: a long sentence of made-up words for all decoders with several meanings,
a huge or deeply nested body, or a header that is slow to parse. The times are those of the other
requests.
"""

import argparse
import http.client
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from random import Random

import numpy as np

from amparser import api

SENTENCES = (
    "Who did Emma give a cake to?",
    "A cat on the mat slept.",
    "Liam hoped that the boy saw a hedgehog.",
    "The girl that Noah liked ran.",
)
JSON_TYPE = "application/json"
Request = tuple[bytes, str]


def request_of(**fields: object) -> Request:
    return json.dumps(fields).encode(), JSON_TYPE


def hostile_requests(decoders: Sequence[str]) -> Iterator[Request]:
    random = Random(0)
    for size in (5, 10, 20, 40, 80, 160, 320, 640):
        words = ["".join(random.choices("abcdefghij", k=6)) for _ in range(size)]
        for best in (1, 3, 10):
            yield request_of(sentence=" ".join(words), best=best)
            yield request_of(sentence="that saw the cat " * (size // 4), best=best)
        yield request_of(sentence=" ".join(words), decoders=list(decoders))
        yield request_of(sentence="the cat " * (1000 * size))
        yield b"[" * (100 * size), JSON_TYPE
        yield b'{"sentence": ' + b'{"a":' * (100 * size), JSON_TYPE
        yield b"{}", f'{JSON_TYPE}; a="' + ";" * (90 * size)


def answered(port: int, request: Request) -> tuple[int, float]:
    """Return the status of the answer, and the time in seconds."""
    body, content_type = request
    begun = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request("POST", "/api/parse", body, {"Content-Type": content_type})
        response = connection.getresponse()
        response.read()
        return response.status, time.perf_counter() - begun
    except OSError:
        return 0, time.perf_counter() - begun
    finally:
        connection.close()


def measure(port: int, options: argparse.Namespace, hostile: Sequence[Request]) -> np.ndarray:
    """Print the statuses, and return the times of good requests that were answered."""
    end = time.perf_counter() + options.seconds

    def client(number: int) -> list[tuple[bool, int, float]]:
        random = Random(number)
        bad = cycle(random.sample(hostile, len(hostile)))
        rows = []
        while time.perf_counter() < end:
            is_bad = len(hostile) > 0 and random.random() < 0.1
            good = request_of(sentence=random.choice(SENTENCES))
            rows.append((is_bad, *answered(port, next(bad) if is_bad else good)))
            time.sleep(random.uniform(0, 2 * options.pause))
        return rows

    with ThreadPoolExecutor(options.clients) as pool:
        rows = [row for some in pool.map(client, range(options.clients)) for row in some]
    for is_bad, name in ((False, "good"), (True, "hostile")):
        if statuses := Counter(status for bad, status, _ in rows if bad == is_bad):
            print(f"  {name}: {statuses.total()} requests, {dict(sorted(statuses.items()))}")
    times = np.array([seconds for bad, status, seconds in rows if not bad and status == 200])
    quantiles = 1000 * np.quantile(times, [0.5, 0.9, 0.99])
    print("  good, milliseconds: median {:.0f}, 90 % {:.0f}, 99 % {:.0f}".format(*quantiles))
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pause", type=float, default=2.0, help="mean seconds between requests")
    options = parser.parse_args()
    command = [sys.executable, "-m", "amparser", "serve", "--port", "0", "--device", "cpu"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    assert process.stdout is not None
    port = int(process.stdout.readline().strip().rsplit(":", 1)[1].rstrip("/"))
    try:
        print("good requests alone")
        alone = measure(port, options, ())
        print("one hostile request in ten")
        beside = measure(port, options, [*hostile_requests(api.load("slog").decoders)])
        print("good requests alone, again")
        again = measure(port, options, ())
    finally:
        process.terminate()
        process.wait()
    usual = np.concatenate([alone, again])
    print(f"ratio of medians {np.median(beside) / np.median(usual):.2f}", end=", ")
    print(f"of means {beside.mean() / usual.mean():.2f}")


if __name__ == "__main__":
    main()
