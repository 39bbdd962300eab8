"""Ahead-of-time compilation (`python -m amparser.ahead`), to speed up the first sentence."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

import numpy as np

from amparser.algebra.type_table import type_table
from amparser.algebra.types import type_from_str
from amparser.decode.chart import Tokens, Variants
from amparser.decode.compiled import LOG
from amparser.decode.decoders import DECODERS, DecodersOf
from amparser.decode.scores import Scores
from amparser.induction.alignment.injective import assign_all
from amparser.induction.alignment.ordered import BOX, CONSTANT, NODE, Pair, Target, align_in_order
from amparser.induction.alignment.search import Candidates
from amparser.induction.forest import TagNode
from amparser.induction.sorts import induce_sorts


def compile_all() -> Iterator[tuple[str, float]]:
    """Compile each decoder and the induction by running small examples; yield names and seconds."""
    table = type_table([None, type_from_str("()")], ["IGNORE", "ROOT"])
    word = Scores(np.zeros((1, 2), np.float32), np.zeros((1, 2, 2), np.float32))
    one, number = np.zeros(1), np.zeros(1, np.int64)
    tokens = Tokens(one, one, np.zeros((1, 2)), one)
    flat, cube = np.zeros((1, 1)), np.zeros((1, 1, 1))
    variants = Variants(number, number, flat, flat, number[:, None] - 1, flat, cube, cube, one)
    typed, charts, arcs = (set(DecodersOf(constants)) for constants in ("node", "tree", "graph"))
    for name in DECODERS:
        started = time.perf_counter()
        if name in typed:
            DECODERS[name].search([word], table, supertag_limit=None)
        if name in charts:
            DECODERS[name].chart(tokens, variants)
        if name in arcs:
            DECODERS[name].heads(np.zeros((2, 2)))
        yield name, time.perf_counter() - started
    started = time.perf_counter()
    _induce()
    yield "induction", time.perf_counter() - started


def _induce() -> None:
    row = Candidates(("a", "b", "c"), ("A", "B"), (-1, 0), ((0, 1, 2), (0, 1, 2)))
    assign_all([row, row]).refined()
    targets = [Target(kind, "A", "a", "A") for kind in (NODE, CONSTANT, BOX)]
    align_in_order([Pair([["a"], ["b"]], [["a"], ["b"]], [], targets)])
    induce_sorts([TagNode(0, ((0, TagNode(1, ())),)), TagNode(1, ())], 2)


if __name__ == "__main__":
    LOG.setLevel(logging.ERROR)  # the notice of compilation is redundant here
    for name, seconds in compile_all():
        print(f"{name}: {seconds:.1f} s")
