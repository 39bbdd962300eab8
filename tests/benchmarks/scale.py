"""How time and memory of parsing grow with length, a line for each decoder, kind and length.

    python tests/benchmarks/scale.py

Sentences of up to 400 tokens are parsed one at a time with each decoder: chains of clauses and of
phrases, center embedding, unknown words, and words in random order. Seconds are those that a core
works, so that other work on the machine does not count.
"""

import argparse
import multiprocessing
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch

from amparser.limits import MAX_TOKENS
from amparser.parser import Parser

LENGTHS = (10, 25, 50, 100, 200, 300, MAX_TOKENS)
SALADS = 3
"""How many random sentences there are of each length; the slowest one counts."""

Tokens = tuple[str, ...]


def chain_of_clauses(length: int) -> Tokens:
    """Emma said that Emma said that ... Emma slept ."""
    return ("Emma", "said", "that") * ((length - 3) // 3) + ("Emma", "slept", ".")


def chain_of_phrases(length: int) -> Tokens:
    """A cat on a table on a table ... slept ."""
    return ("A", "cat", *("on", "a", "table") * ((length - 4) // 3), "slept", ".")


def center_embedding(length: int) -> Tokens:
    """Emma saw a dog that a cat that a cat ... liked liked ."""
    depth = (length - 5) // 4
    return ("Emma", "saw", "a", "dog", *("that", "a", "cat") * depth, *("liked",) * depth, ".")


def unknown_words(length: int) -> Tokens:
    """The wug0 that wug1 wug2 ... : words that nobody knows, with some that everybody does."""
    known = ("The", "that", "a", "to", "was", "by", "on", "who")
    chance = Random(length)
    words = [
        chance.choice(known) if chance.random() < 0.3 else f"wug{chance.randrange(1000)}"
        for _ in range(length - 1)
    ]
    return (*words, ".")


def salad(words: Sequence[str], length: int, seed: int) -> Tokens:
    """Words of train in random order."""
    return tuple(Random(seed).choices(words, k=length))


def seconds_of(call: Callable[[], object]) -> float:
    """The time that this process works for a call."""
    started = time.process_time()
    call()
    return time.process_time() - started


def cost_of(call: Callable[[], str | None]) -> tuple[float, float, str | None]:
    """The seconds of a call, the most MiB that it takes beyond what is loaded, and its answer."""
    # In a process of its own: memory that an earlier call has left would be used again.
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()

    def work() -> None:
        torch.set_num_threads(1)
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        before = _status("VmRSS")
        answer = call()
        peak = (_status("VmHWM") - before) / 1024
        there.send((min(seconds_of(call) for _ in range(2)), peak, answer))

    process = context.Process(target=work)
    process.start()
    cost: tuple[float, float, str | None] = here.recv()
    process.join()
    return cost


def _status(field: str) -> int:
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(text.split(f"{field}:")[1].split()[0])


def measure_length() -> None:
    """Print seconds and MiB of each kind of sentence with each decoder."""
    parser = Parser.load("slog", device="cpu")
    words = sorted({*parser.composition.network.encoder.vocabulary.words})
    kinds: dict[str, Callable[[int], list[Tokens]]] = {
        "chain of clauses": lambda n: [chain_of_clauses(n)],
        "chain of phrases": lambda n: [chain_of_phrases(n)],
        "center embedding": lambda n: [center_embedding(n)],
        "unknown words": lambda n: [unknown_words(n)],
        "word salad": lambda n: [salad(words, n, seed) for seed in range(SALADS)],
    }
    parser.answers([("a",)], parser.decoders)
    for decoder in parser.decoders:
        for kind, sentences in kinds.items():
            for length in LENGTHS:
                found: list[dict[str, Any]] = []
                for tokens in sentences(length):

                    def parse(tokens: Tokens = tokens, decoder: str = decoder) -> str | None:
                        [result] = parser.parse([tokens], decoder)
                        return result.failure

                    seconds, peak, failure = cost_of(parse)
                    cost = {"seconds": seconds, "mib": peak, "failure": failure}
                    found.append({**cost, "tokens": len(tokens)})
                slowest = max(found, key=lambda one: float(one["seconds"]))
                slowest["mib"] = max(one["mib"] for one in found)
                print({"decoder": decoder, "kind": kind, **slowest}, flush=True)


def main() -> None:
    """Measure and print."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    torch.set_num_threads(1)
    measure_length()


if __name__ == "__main__":
    main()
