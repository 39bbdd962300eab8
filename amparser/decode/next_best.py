"""The trees after the best one, in the order of their scores.

The space of trees without the best one is split (Lawler 1972): each part agrees with it in its
first choices and differs in the next, where a choice is a token's supertag or its edge. The best
tree of each part is found by the same search; the best of these is the next one, whose part is
split in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from amparser.decode.scores import Scores

if TYPE_CHECKING:
    from amparser.algebra.type_table import TypeTable
    from amparser.decode.decoder import TypedDecoder
    from amparser.decode.parse import Parse


WORK = 1_200_000
"""There is no further tree after so much work: for each search the square of the number of tokens,
and 10 for each item that it took."""


class _Part(NamedTuple):
    """A part of the space of trees: its best tree, and the scores that allow its trees alone.

    The first `fixed` choices are the same in all its trees.
    """

    best: Parse
    scores: Scores
    fixed: int


def next_best(
    decoder: TypedDecoder,
    scores: Scores,
    table: TypeTable,
    best: Parse,
    *,
    supertag_limit: int | None,
    open_root: bool = False,
    work: float = WORK,
) -> Iterator[Parse]:
    """The trees after the best one, best first; each is found when it is asked for.

    Args:
        decoder: the search. The order is exact if it finds the best tree of its class.
        scores: of one sentence; not changed.
        table, supertag_limit, open_root: see `TypedDecoder.search`.
        best: what it found for these scores.
        work: there is no further tree after so much of it (see `WORK`).
    """
    if not best.found:
        return
    order = count()
    parts = [(0.0, next(order), _Part(best, scores, 0))]
    n = len(scores)
    while parts:
        part = heappop(parts)[2]
        if part.best is not best:
            yield part.best
        for choice, rest in _split(part):
            if work <= 0:
                return
            [found] = decoder.search(
                [rest], table, supertag_limit=supertag_limit, open_root=open_root
            )
            work -= n * n + 10 * found.popped_count
            if found.found:
                heappush(parts, (-found.logp, next(order), _Part(found, rest, choice)))


def _split(part: _Part) -> Iterator[tuple[int, Scores]]:
    """The part without its best tree: for each choice the trees that first differ in it.

    Choices are numbered by tokens: 2 * i is the supertag of token i (from 0), 2 * i + 1 its edge.
    One that leaves nothing else is left out.
    """
    best, scores, fixed = part
    arrays = scores.supertag_logp.copy(), scores.edge_logp.copy()
    for choice in range(fixed, 2 * len(scores)):
        token, is_edge = divmod(choice, 2)
        row = arrays[is_edge][token]
        if (row > -np.inf).sum() < 2:
            continue
        chosen = (best.heads[token], best.operations[token]) if is_edge else best.supertags[token]
        kept = row[chosen]
        row[chosen] = -np.inf
        supertags, edges = (array.copy() for array in arrays)
        yield choice, Scores(supertags, edges, scores.in_place, scores.mobile)
        row[:] = -np.inf
        row[chosen] = kept
