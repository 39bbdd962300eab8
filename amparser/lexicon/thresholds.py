"""From how many occurrences on a lexicon rules out what it has not seen, read off train.

A half of train is taken for the whole, and the other half shows what is ruled out wrongly.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np

from amparser.algebra.derivation import Derivation
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.restrictions import NEVER, Restrictions

_Halves: TypeAlias = tuple[Sequence[Derivation], Sequence[Derivation]]

COUNTS = (3, 5, 10, 20, 40)
_SENTENCES = 1000
"""So many sentences are looked at; those of a small corpus in several divisions."""


class Thresholds(NamedTuple):
    """Occurrences that make a word frequent, and any other thing."""

    word_count: int
    supertag_count: int


def thresholds(
    trees: Sequence[Derivation], *, polymorphic: bool = True, seed: int = 0
) -> Thresholds:
    """Counts with which restrictions hold for sentences that they were not read off.

    They are twice the least of `COUNTS` that is enough, and are reckoned for words and for all
    else apart. Fewer than two trees have no halves, so nothing is ruled out.

    Args:
        trees: those of train.
        polymorphic: see `Lexicon.from_trees`.
        seed: of the divisions.
    """
    if len(trees) < 2:
        return Thresholds(NEVER, NEVER)
    wrong = {count: Counter[str]() for count in COUNTS}
    looked_at = 0
    for halves in _divisions(trees, Random(seed)):
        for known, others in (halves, halves[::-1]):
            lexicon = Lexicon.from_trees(known, polymorphic=polymorphic)
            for count in COUNTS:
                rules = Restrictions(lexicon=lexicon, word_count=count, supertag_count=count)
                for tree in others:
                    kinds = broken(rules, tree)
                    wrong[count].update({"words" if kind == "words" else "rest" for kind in kinds})
        looked_at += len(halves[0]) + len(halves[1])
    # So many times the least count that is enough.
    # Of the sentences of one half so many may have what the other half rules out.
    return Thresholds(
        *(
            next(
                (
                    2 * count
                    for i, count in enumerate(COUNTS)
                    if all(wrong[c][kind] <= 0.002 * looked_at for c in COUNTS[i:])
                ),
                NEVER,
            )
            for kind in ("words", "rest")
        )
    )


def _divisions(trees: Sequence[Derivation], random: Random) -> Iterator[_Halves]:
    """Halves of the trees, or of some of many trees; all halves where there are few."""
    size = min(len(trees), _SENTENCES)
    half, count = size // 2, math.ceil(_SENTENCES / size)
    if size == len(trees) and math.comb(size, half) <= count:
        for known in combinations(range(size), half):
            others = (i for i in range(size) if i not in known)
            yield [trees[i] for i in known], [trees[i] for i in others]
        return
    for _ in range(count):
        chosen = random.sample(trees, size)
        yield chosen[:half], chosen[half:]


def broken(rules: Restrictions, tree: Derivation) -> set[str]:
    """What a gold tree has that the restrictions rule out, by their names.

    A tree with a supertag that the lexicon does not have breaks none.
    """
    encoded = rules.lexicon.encode(tree)
    if encoded is None:
        return set()
    found: set[str] = set()
    below: dict[tuple[int, int], list[int]] = {}
    forms = encoded.tokens
    behind = rules.allowed_in(forms)
    rows = zip(forms, encoded.supertags, encoded.heads, encoded.operations, strict=True)
    for token, (form, k, head, o) in enumerate(rows):
        ruled_out = {
            "words": rules.word(form)[k] == -np.inf,
            "followers": not behind[token, k],
            "markers": not rules.fills[k, o] or o in rules.never_hangs(form),
        }
        if head:
            side = int(token >= head)
            below.setdefault((head, side), []).append(o)
            ruled_out["modified"] = rules.bare[encoded.supertags[head - 1], o]
            ruled_out["sides"] = not rules.side_allowed[k, side, o]
        found.update(name for name, is_out in ruled_out.items() if is_out)
    for (_, side), near_first in below.items():
        pairs = combinations(near_first if side else near_first[::-1], 2)
        if any(rules.table.nearer[side, far, near] for near, far in pairs):
            found.add("orders")
    return found
