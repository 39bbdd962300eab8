"""How fast the parts are, in one run on one machine; machines are noisy, so ratios count.

    python tests/benchmarks/speed.py decoders|systems [MODEL ...]

- `decoders`: scoring the SLOG sample with the package's model, decoding it with every decoder, and
  both; then a nested sentence of 201 tokens.
- `systems`: sentences to meanings, by the package's parser with each of its decoders and by the
  models in folders; the rows are taken from each type in turn.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from published import DATA

from amparser.api import load
from amparser.corpora.reading import read_examples
from amparser.corpora.splits import chunks
from amparser.decode import astar, astar_gap, fixed_tree
from amparser.decode.threads import in_threads
from amparser.learn.system import CHUNK_SIZE, Model
from amparser.parser import Parser

SAMPLE = DATA / "slog/cogs_lf/gen_sample.tsv.gz"
SEARCHES: dict[str, Callable[..., Any]] = {
    "astar": astar.decode,
    "astar-gap": astar_gap.decode,
    "fixed-tree": fixed_tree.decode,
}


def show(count: int, calls: dict[str, Callable[[], object]], *, rounds: int = 3) -> None:
    """Print the best of some runs of each call, after one that compiles, for so many items."""
    unit = 0.0
    for name, call in calls.items():
        times = []
        for _ in range(rounds + 1):
            start = time.perf_counter()
            call()
            times.append(time.perf_counter() - start)
        best = min(times[1:])
        unit = unit or best
        each = f"{1000 * best / count:9.3f} ms {count / best:9.0f} /s"
        print(f"{name:46}{each} {best / unit:7.2f} times {next(iter(calls))}", flush=True)


def decoders(_: Sequence[Path]) -> None:
    """Scoring and decoding, together and apart."""
    parser = Parser.load()
    table = parser.composition.restrictions.table
    clauses = " ".join("that a cat" for _ in range(49))
    nested = tuple(f"Emma saw a dog {clauses} {'liked ' * 49}.".split())
    sample = [example.tokens for example in read_examples(SAMPLE)]
    for sentences in (sample, [nested]):
        scores = parser.score(sentences)
        calls: dict[str, Callable[[], object]] = {"scoring": partial(parser.score, sentences)}
        for name, search in SEARCHES.items():
            calls[name] = partial(in_threads, search, scores, table)
        for name in ("astar", "astar-gap"):
            calls[f"{name}, all of it"] = partial(parser.parse, sentences, name)
        print(f"{len(sentences)} sentences")
        show(len(sentences), calls)


def systems(folders: Sequence[Path], count: int = 170) -> None:
    """Sentences to meanings of the package's parser and of models in folders."""
    types: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for example in read_examples(SAMPLE):
        types.setdefault(example.tags, []).append(example.tokens)
    rows = [tokens for tokens in chain(*zip_longest(*types.values())) if tokens is not None]

    def answer(model: Model, decoder: str) -> None:
        for chunk in chunks(rows[:count], CHUNK_SIZE):
            model.answers(chunk, [decoder])

    calls: dict[str, Callable[[], object]] = {}
    for folder in (None, *folders):
        model = load(folder)
        # A parser's decoders search different trees; other models search as they are set to.
        for decoder in model.decoders if isinstance(model, Parser) else model.decoders[:1]:
            calls[f"{folder or model.system}, {decoder}"] = partial(answer, model, decoder)
    show(count, calls, rounds=2)


PARTS = {one.__name__: one for one in (decoders, systems)}


def main() -> None:
    """Print the table of one part."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("part", choices=PARTS)
    arguments.add_argument("models", type=Path, nargs="*")
    options = arguments.parse_args()
    PARTS[options.part](options.models)


if __name__ == "__main__":
    main()
