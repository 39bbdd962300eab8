"""How time and memory of parsing grow with length, as a picture, and speed with processes.

    python tests/benchmarks/scale.py [--output FILE.svg] [--only PART ...]

- `length`: sentences of up to 400 tokens, one at a time, with each decoder: chains of clauses and
  of phrases, center embedding, unknown words, and words in random order.
- `processes`: sentences per second of `Parser.stream` with 1, 2, ... processes, up to the number of
  cores; and how fast as many processes run that only count, which is what the machine allows.

All processes have one thread. Seconds of `length` are those that a core works, so that other work
on the machine does not count; those of `processes` are seconds of the clock.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch

from amparser.corpora.tokens import MAX_TOKENS
from amparser.decode.decoders import DECODERS
from amparser.experiments.plots import plain_svg
from amparser.files import write_atomically
from amparser.parser import Parser
from amparser.processes import core_count

PICTURE = Path(__file__).resolve().parents[2] / "docs/pictures/scale-length.svg"
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


def measure_length() -> list[dict[str, Any]]:
    """Seconds and MiB of each kind of sentence with each decoder."""
    parser = Parser.load("slog", device="cpu")
    words = sorted({*parser.composition.network.encoder.vocabulary.words})
    kinds: dict[str, Callable[[int], list[Tokens]]] = {
        "chain of clauses": lambda n: [chain_of_clauses(n)],
        "chain of phrases": lambda n: [chain_of_phrases(n)],
        "center embedding": lambda n: [center_embedding(n)],
        "unknown words": lambda n: [unknown_words(n)],
        "word salad": lambda n: [salad(words, n, seed) for seed in range(SALADS)],
    }
    rows = []
    parser.answers([("a",)], list(DECODERS))
    for decoder in DECODERS:
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
                rows.append({"decoder": decoder, "kind": kind, **slowest})
                print(rows[-1], flush=True)
    return rows


def measure_processes(rounds: int = 3) -> list[dict[str, Any]]:
    """Sentences per second with several processes, and what the machine allows."""
    parser = Parser.load("slog", device="cpu")
    chance = Random(0)
    kinds = (chain_of_clauses, chain_of_phrases, center_embedding)
    sentences = [chance.choice(kinds)(chance.randrange(9, 24)) for _ in range(8000)]
    rates: dict[int, list[float]] = {}
    allowed: dict[int, list[float]] = {}
    counts = range(1, core_count() + 1)
    for _ in range(rounds + 1):  # the first one warms up
        for count in counts:
            started = time.perf_counter()
            for result in parser.stream(sentences, processes=count):
                assert result.parse is not None
            rates.setdefault(count, []).append(len(sentences) / (time.perf_counter() - started))
            allowed.setdefault(count, []).append(_counting(count))
    return [
        {
            "processes": count,
            "sentences_per_second": statistics.median(rates[count][1:]),
            "times": statistics.median(
                few / one for few, one in zip(rates[count][1:], rates[1][1:], strict=True)
            ),
            "allowed": statistics.median(
                few / one for few, one in zip(allowed[count][1:], allowed[1][1:], strict=True)
            ),
        }
        for count in counts
    ]


def _counting(count: int) -> float:
    """How often so many processes count to a number, per second."""
    context = multiprocessing.get_context("fork")
    started = time.perf_counter()
    workers = [context.Process(target=_count) for _ in range(count)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return count / (time.perf_counter() - started)


def _count() -> None:
    number = 0
    for i in range(20_000_000):
        number += i


def _drawn(rows: Sequence[dict[str, Any]]) -> Any:
    from matplotlib.figure import Figure

    decoders = list(dict.fromkeys(row["decoder"] for row in rows))
    figure = Figure(figsize=(3.2 * len(decoders), 5.4), layout="constrained")
    axes = figure.subplots(2, len(decoders), sharex=True, sharey="row", squeeze=False)
    for column, decoder in enumerate(decoders):
        for kind in dict.fromkeys(row["kind"] for row in rows):
            here = [row for row in rows if (row["decoder"], row["kind"]) == (decoder, kind)]
            lengths = [row["tokens"] for row in here]
            axes[0][column].plot(lengths, [row["seconds"] for row in here], "o-", ms=3, label=kind)
            axes[1][column].plot(lengths, [row["mib"] for row in here], "o-", ms=3)
        axes[0][column].set_title(decoder)
        axes[1][column].set_xlabel("tokens")
    axes[0][0].set_ylabel("seconds")
    axes[1][0].set_ylabel("MiB more")
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure


PARTS: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "length": measure_length,
    "processes": measure_processes,
}


def main() -> None:
    """Measure, print and draw."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--output", type=Path, default=PICTURE)
    arguments.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    given = arguments.parse_args()
    torch.set_num_threads(1)
    for part in given.only:
        rows = PARTS[part]()
        if part == "length":
            content = io.BytesIO()
            with plain_svg():
                _drawn(rows).savefig(content, format="svg", metadata={"Date": None})
            write_atomically(given.output, content.getvalue())
        for row in rows:
            print(row)


if __name__ == "__main__":
    main()
