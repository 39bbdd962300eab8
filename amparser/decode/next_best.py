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
    from amparser.decode.decoder import Decoder
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
    decoder: Decoder,
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
        table, supertag_limit, open_root: see `Decoder.search`.
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
        for choice in range(part.fixed, 2 * n):
            rest = _without(part, choice)
            if rest is None:
                continue
            if work <= 0:
                return
            [found] = decoder.search(
                [rest], table, supertag_limit=supertag_limit, open_root=open_root
            )
            work -= n * n + 10 * found.popped_count
            if found.found:
                heappush(parts, (-found.logp, next(order), _Part(found, rest, choice)))


def _without(part: _Part, choice: int) -> Scores | None:
    """The part's trees that agree with its best tree before a choice and differ in it.

    Choices are numbered by tokens: 2 * i is the supertag of token i (from 0), 2 * i + 1 its edge.
    None if nothing else can be chosen.
    """
    best, scores, fixed = part
    supertags, edges = scores.supertag_logp, scores.edge_logp
    token, is_edge = divmod(choice, 2)
    here = (token, best.heads[token], best.operations[token]) if is_edge else ()
    row = edges[token] if is_edge else supertags[token]
    if (row > -np.inf).sum() < 2:
        return None
    supertags, edges = supertags.copy(), edges.copy()
    for earlier in range(fixed, choice):
        i, of_edge = divmod(earlier, 2)
        chosen = (best.heads[i], best.operations[i]) if of_edge else best.supertags[i]
        array = edges if of_edge else supertags
        kept = array[i][chosen]
        array[i] = -np.inf
        array[i][chosen] = kept
    if is_edge:
        edges[here] = -np.inf
    else:
        supertags[token, best.supertags[token]] = -np.inf
    return Scores(supertags, edges, scores.in_place, scores.mobile)
