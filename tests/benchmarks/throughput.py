"""How many sentences a second each system answers, in one run on one machine.

    python tests/benchmarks/throughput.py DATA.tsv.gz [-n ROWS] MODEL_DIR ...

Each model goes from sentences to meanings with each of its decoders. A row of every type, in
turn, makes up the rows that are asked.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from itertools import chain, zip_longest
from pathlib import Path

from amparser.corpora.reading import read_examples
from amparser.learn.system import Model
from amparser.learn.systems import load
from amparser.parser import Parser


def spread(path: Path, count: int) -> list[tuple[str, ...]]:
    """The tokens of rows, taken from each type in turn."""
    types: dict[str, list[tuple[str, ...]]] = {}
    for example in read_examples(path):
        types.setdefault(" ".join(example.tags), []).append(example.tokens)
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


def throughputs(sentences: Sequence[tuple[str, ...]], folders: Sequence[Path]) -> dict[str, float]:
    """Sentences a second of the package's parser and of the models in folders, by decoder."""
    found: dict[str, float] = {}
    models: list[tuple[str, Model]] = [("bundled", Parser.load())]
    models += [(str(folder), load(folder)) for folder in folders]
    for name, model in models:
        for decoder in model.decoders:
            model.answers(sentences[:1], [decoder])  # compiles
            taken = seconds(lambda m=model, d=decoder: m.answers(sentences, [d]))  # type: ignore[misc]
            found[f"{name}: {model.system}, {model.notation}, {decoder}"] = len(sentences) / taken
    return found


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
