"""Seconds of CPU for sentences of up to 400 tokens.

    python tests/benchmarks/speed.py

Each decoder reads chains, center embedding, unknown words, and words in random order. `amparser
compare` and `amparser evaluate` print the time of a usual sentence.
"""

import time
from collections.abc import Callable, Sequence
from itertools import product
from random import Random

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


def main() -> None:
    """Print the seconds of each kind of sentence with each decoder."""
    torch.set_num_threads(1)
    parser = Parser.load("slog", device="cpu")
    words = sorted({*parser.model.network.encoder.vocabulary.words})
    kinds: dict[str, Callable[[int], list[Tokens]]] = {
        "chain of clauses": lambda n: [chain_of_clauses(n)],
        "chain of phrases": lambda n: [chain_of_phrases(n)],
        "center embedding": lambda n: [center_embedding(n)],
        "unknown words": lambda n: [unknown_words(n)],
        "word salad": lambda n: [salad(words, n, seed) for seed in range(SALADS)],
    }
    parser.answers([("a",)], parser.decoders)
    for decoder, kind, length in product(parser.decoders, kinds, LENGTHS):
        slowest, failures = 0.0, []
        for tokens in kinds[kind](length):
            started = time.process_time()
            failures.append(parser.parse([tokens], decoder)[0].failure)
            slowest = max(slowest, time.process_time() - started)
        print(f"{decoder}, {kind}, {length}: {slowest:.2f} s, {failures}", flush=True)


if __name__ == "__main__":
    main()
