"""How fast the parts are, in one run on one machine; machines are noisy, so ratios count.

    python tests/benchmarks/speed.py decoders|systems|lengths [MODEL ...]

- `decoders`: scoring the SLOG sample with the package's model, decoding it with every decoder, and
  both; then a nested sentence of 201 tokens.
- `systems`: sentences to meanings, by the package's parser with each of its decoders and by the
  models in folders; the rows are taken from each type in turn.
- `lengths`: seconds of CPU and MiB beyond the loaded model for sentences of up to 400 tokens with
  each decoder: chains, center embedding, unknown words, and words in random order.
"""

import argparse
import multiprocessing
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, product, zip_longest
from pathlib import Path
from random import Random
from typing import Any

import torch
from published import DATA

from amparser.api import load
from amparser.corpora.reading import read_examples
from amparser.corpora.splits import chunks
from amparser.decode import astar, astar_gap, fixed_tree
from amparser.decode.threads import in_threads
from amparser.learn.system import CHUNK_SIZE, Model
from amparser.limits import MAX_TOKENS
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


def cost_of(call: Callable[[], str | None]) -> tuple[float, float, str | None]:
    """The seconds of a call, the most MiB that it takes beyond what is loaded, and its answer."""
    # In a process of its own: memory that an earlier call has left would be used again.
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()

    def work() -> None:
        torch.set_num_threads(1)
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        before, started = _status("VmRSS"), time.process_time()
        answer = call()
        seconds = time.process_time() - started
        there.send((seconds, (_status("VmHWM") - before) / 1024, answer))

    process = context.Process(target=work)
    process.start()
    cost: tuple[float, float, str | None] = here.recv()
    process.join()
    return cost


def _status(field: str) -> int:
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(text.split(f"{field}:")[1].split()[0])


def failure_of(parser: Parser, decoder: str, tokens: Tokens) -> str | None:
    """Parse a sentence; return why it has no answer."""
    return parser.parse([tokens], decoder)[0].failure


def lengths(_: Sequence[Path]) -> None:
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
    parser.answers([("a",)], parser.decoders)
    for decoder, kind, length in product(parser.decoders, kinds, LENGTHS):
        costs = [
            cost_of(partial(failure_of, parser, decoder, tokens)) for tokens in kinds[kind](length)
        ]
        seconds, mib, failure = max(costs, key=lambda cost: cost[0])
        print(f"{decoder}, {kind}, {length}: {seconds:.2f} s, {mib:.0f} MiB, {failure}", flush=True)


PARTS = {one.__name__: one for one in (decoders, systems, lengths)}


def main() -> None:
    """Print the table of one part."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("part", choices=PARTS)
    arguments.add_argument("models", type=Path, nargs="*")
    options = arguments.parse_args()
    PARTS[options.part](options.models)


if __name__ == "__main__":
    main()
