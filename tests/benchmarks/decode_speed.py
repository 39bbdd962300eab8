"""How fast the decoders are, as ratios to each other in one run: no model, no data.

    PYTHONPATH=tests/oracles python tests/benchmarks/decode_speed.py [--count 500]
        [--threads 2] [--seed 0]

Sentences come from a small grammar whose types are like those of SLOG; their scores
are a margin for the true tree and noise for everything else, normalised. A word is
mobile if it stands displaced. The first column of each table counts sentences decoded
a second.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import exhaustive_chart as chart
import numpy as np

from amparser.algebra.type_table import TypeTable, type_table
from amparser.algebra.types import type_from_str
from amparser.decode import astar, astar_gap, fixed_tree
from amparser.decode.outside import HEURISTICS
from amparser.decode.parse import Parse
from amparser.decode.scores import Scores
from amparser.decode.threads import in_threads

TYPES = (
    "()",
    "(L1())",
    "(L1(), R1())",
    "(L1(), that())",
    "(L1(), R1(), to())",
    "(L1(), by())",
    "(M())",
    "(M(), R1())",
    "(C())",
    "(C(R1_UNIFY_M), M())",
)
OPERATIONS = (
    "IGNORE",
    "ROOT",
    *(f"APP_{s}" for s in ("L1", "R1", "C", "that", "to", "by")),
    "MOD_M",
)
TABLE: TypeTable = type_table([None, *(type_from_str(t) for t in TYPES)], OPERATIONS)


@dataclass
class Sentence:
    """A sentence as it grows: (supertag, head, operation) of each token."""

    rng: np.random.Generator
    tokens: list[tuple[int, int, int]] = field(default_factory=list)
    displaced: list[int] = field(default_factory=list)

    def add(self, lexical_type: str | None) -> int:
        """Append a token; its position, from 1."""
        self.tokens.append((0 if lexical_type is None else 1 + TYPES.index(lexical_type), 0, 0))
        return len(self.tokens)

    def attach(self, dependent: int, head: int, operation: str) -> None:
        """Hang a token from a head."""
        supertag, _, _ = self.tokens[dependent - 1]
        self.tokens[dependent - 1] = (supertag, head, OPERATIONS.index(operation))

    def noun(self, depth: int = 0) -> int:
        """A noun, with `depth` prepositional phrases in each other."""
        if self.rng.random() < 0.6:
            self.add(None)
        noun = self.add("()")
        if depth > 0:
            preposition = self.add("(M(), R1())")
            self.attach(preposition, noun, "MOD_M")
            self.attach(self.noun(depth - 1), preposition, "APP_R1")
        return noun

    def nested(self, depth: int) -> int:
        """A noun, with `depth` relative clauses in each other's subject."""
        noun = self.noun()
        if depth > 0:
            relative = self.add("(C(R1_UNIFY_M), M())")
            self.attach(relative, noun, "MOD_M")
            subject = self.nested(depth - 1)
            verb = self.add("(L1(), R1())")
            self.attach(subject, verb, "APP_L1")
            self.attach(verb, relative, "APP_C")
        return noun

    def question(self, depth: int) -> int:
        """A clause whose innermost object stands before it, `depth` clauses in each other."""
        self.displaced.append(self.add("()"))
        self.add(None)
        return self.clause(depth, self.displaced[-1])

    def clause(self, depth: int = 0, object_: int | None = None) -> int:
        """A clause, with `depth` clauses in each other; the innermost object may be there."""
        subject = self.noun(int(self.rng.random() < 0.3))
        if depth > 0:
            verb = self.add("(L1(), that())")
            that = self.add("(C())")
            self.attach(that, verb, "APP_that")
            self.attach(self.clause(depth - 1, object_), that, "APP_C")
        elif object_ is None and self.rng.random() < 0.5:
            verb = self.add("(L1())")
        else:
            verb = self.add("(L1(), R1())")
            if object_ is None:
                object_ = self.noun(int(self.rng.integers(3)))
            self.attach(object_, verb, "APP_R1")
        self.attach(subject, verb, "APP_L1")
        return verb


def scored(sentence: Sentence, margin: float, noise: float) -> Scores:
    """Normalised scores of a sentence: a margin for what is true, noise of a deviation for all."""
    rng, n = sentence.rng, len(sentence.tokens)
    supertags, heads, operations = np.array(sentence.tokens).T
    tags = rng.normal(scale=noise, size=(n, len(TABLE.lexical_type)))
    edges = rng.normal(scale=noise, size=(n, n + 1, len(OPERATIONS)))
    tags[range(n), supertags] += margin
    edges[range(n), heads, operations] += margin
    tags -= np.logaddexp.reduce(tags, axis=1, keepdims=True)
    edges -= np.logaddexp.reduce(np.logaddexp.reduce(edges, axis=2), axis=1)[:, None, None]
    mobile = np.zeros(n, dtype=np.bool_)
    mobile[[token - 1 for token in sentence.displaced]] = True
    return Scores(tags.astype(np.float32), edges.astype(np.float32), None, mobile)


def sentences(
    rng: np.random.Generator, count: int, lengths: range, depths: range, kind: str = "clause"
) -> list[Sentence]:
    """Random sentences of these lengths with these depths of embedding."""
    found: list[Sentence] = []
    while len(found) < count:
        sentence = Sentence(rng)
        sentence.attach(getattr(sentence, kind)(int(rng.choice(depths))), 0, "ROOT")
        if len(sentence.tokens) in lengths:
            found.append(sentence)
    return found


Decoder = Callable[[Sequence[Scores]], list[Parse]]


def report(
    title: str, batch: list[Scores], trees: list[Sentence], table: dict[str, Decoder]
) -> None:
    """Time each decoder on a batch; print speeds, ratios to the first one, and quality."""
    mean_length = np.mean([len(scores) for scores in batch])
    print(f"\n{title}: {len(batch)} sentences of {mean_length:.0f} tokens on average")
    print(f"{'':22}{'sent./s':>9}{'ratio':>8}{'popped':>9}{'right':>7}{'failed':>7}{'logp':>9}")
    first = 0.0
    for name, decode in table.items():
        decode(batch[:2])
        start = time.perf_counter()
        parses = decode(batch)
        speed = len(batch) / (time.perf_counter() - start)
        first = first or speed
        right = np.mean(
            [
                parse.found and list(parse.heads) == [head for _, head, _ in sentence.tokens]
                for parse, sentence in zip(parses, trees, strict=True)
            ]
        )
        popped = np.mean([parse.popped_count for parse in parses])
        found = [parse.logp for parse in parses if parse.found]
        print(
            f"{name:22}{speed:9.0f}{speed / first:8.2f}{popped:9.0f}{right:7.2f}"
            f"{len(parses) - len(found):7d}{np.mean(found) if found else np.nan:9.2f}",
            flush=True,
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=500, help="short sentences a table")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    a_star: dict[str, Decoder] = {
        f"astar, {heuristic}": partial(
            in_threads, astar.decode, table=TABLE, heuristic=heuristic, threads=1
        )
        for heuristic in reversed(HEURISTICS)
    }
    default = next(iter(a_star.items()))
    others: dict[str, Decoder] = {
        f"astar, {options.threads} threads": partial(
            in_threads, astar.decode, table=TABLE, threads=options.threads
        ),
        "fixed-tree": partial(in_threads, fixed_tree.decode, table=TABLE, threads=1),
    }
    gap: dict[str, Decoder] = {
        "astar-gap": partial(in_threads, astar_gap.decode, table=TABLE, threads=1)
    }
    exhaustive: dict[str, Decoder] = {
        "chart": partial(in_threads, chart.decode, table=TABLE, threads=1)
    }
    a_star_and_gap = dict([default]) | gap
    short = sentences(rng, options.count, range(10, 21), range(2))
    for margin, noise in ((12.0, 1.0), (8.0, 2.0), (8.0, 3.0)):
        batch = [scored(sentence, margin, noise) for sentence in short]
        decoders = a_star | others | gap | exhaustive
        report(f"margin {margin}, noise {noise}", batch, short, decoders)
    nonsense = sentences(rng, 100, range(8, 12), range(2))
    batch = [scored(sentence, 0.0, 1.0) for sentence in nonsense]
    report("nonsense, noise 1.0", batch, nonsense, a_star_and_gap)
    questions = sentences(rng, options.count, range(10, 31), range(1, 5), "question")
    batch = [scored(sentence, 12.0, 1.0) for sentence in questions]
    report("questions, margin 12.0, noise 1.0", batch, questions, a_star_and_gap | others)
    for kind, depths in (
        ("clause", range(40, 60)),
        ("nested", range(50, 80)),
        ("question", range(40, 60)),
    ):
        long = sentences(rng, 3, range(180, 221), depths, kind)
        for margin, noise in ((12.0, 1.0), (9.0, 2.0)):
            batch = [scored(sentence, margin, noise) for sentence in long]
            title = f"{kind} of 200 tokens, margin {margin}, noise {noise}"
            report(title, batch, long, a_star_and_gap | others)


if __name__ == "__main__":
    main()
