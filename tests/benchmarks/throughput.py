"""How many sentences a second each system answers, in one run on one machine.

    python tests/benchmarks/throughput.py DATA.tsv.gz [-n ROWS] MODEL_DIR ...

A parser goes from sentences to meanings with each of its decoders; a sequence-to-sequence
model searches in batches, as its settings say. The rows are taken from each type in turn.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from itertools import chain, zip_longest
from pathlib import Path

from amparser.api import load
from amparser.corpora.reading import read_examples
from amparser.corpora.splits import chunks
from amparser.learn.system import CHUNK_SIZE, Model
from amparser.parser import Parser


def spread(path: Path, count: int) -> list[tuple[str, ...]]:
    """The tokens of rows, taken from each type in turn."""
    types: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for example in read_examples(path):
        types.setdefault(example.tags, []).append(example.tokens)
    rows = [tokens for tokens in chain(*zip_longest(*types.values())) if tokens is not None]
    return rows[:count]


def seconds(call: Callable[[], object]) -> float:
    """The better of two runs."""
    times = []
    for _ in range(2):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return min(times)


def answer(model: Model, sentences: Sequence[tuple[str, ...]], decoder: str) -> None:
    """Answer all sentences, in chunks."""
    for chunk in chunks(sentences, CHUNK_SIZE):
        model.answers(chunk, [decoder])


def throughputs(sentences: Sequence[tuple[str, ...]], folders: Sequence[Path]) -> dict[str, float]:
    """Sentences a second of the bundled parser and of the models in folders, by decoder."""
    rates: dict[str, float] = {}
    for folder in (None, *folders):
        model = load(folder)
        name = model.system if folder is None else f"{folder}: {model.system}, {model.notation}"
        # A parser's decoders search different trees; other models search as they are set to.
        for decoder in model.decoders if isinstance(model, Parser) else model.decoders[:1]:
            answer(model, sentences[:1], decoder)  # compiles
            taken = seconds(lambda m=model, d=decoder: answer(m, sentences, d))  # type: ignore[misc]
            rates[f"{name}, {decoder}"] = len(sentences) / taken
    return rates


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=Path)
    arguments.add_argument("folders", type=Path, nargs="*")
    arguments.add_argument("-n", type=int, default=340)
    given = arguments.parse_intermixed_args()
    sentences = spread(given.data, given.n)
    print(f"{len(sentences)} sentences of {given.data.name}")
    for name, rate in throughputs(sentences, given.folders).items():
        print(f"{rate:10.1f} sentences/s  {name}")


if __name__ == "__main__":
    main()
