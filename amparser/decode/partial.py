"""The largest well-typed pieces of a sentence that has no tree as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from amparser.algebra.type_table import TypeTable
from amparser.decode.best_tree import best_tree
from amparser.decode.candidates import ROOT_OPERATION
from amparser.decode.parse import Parse
from amparser.decode.scores import Scores
from amparser.decode.search import SUPERTAG_LIMIT

LONGEST = 40
"""The most tokens of a piece, to bound the time."""
MOST_STEPS = 1_000_000
"""When all searches have popped so many items, or read so many edges, pieces are single tokens."""


class Piece(NamedTuple):
    """A span of tokens with a well-typed tree, which may have open sources.

    Attributes:
        first, stop: the tokens first + 1 to stop of the sentence.
        parse: its tree; heads count from the first token of the span.
    """

    first: int
    stop: int
    parse: Parse


def largest_pieces(
    scores: Scores,
    table: TypeTable,
    *,
    supertag_limit: int | None = SUPERTAG_LIMIT,
    gaps: bool = True,
    well_typed: Callable[[Piece], bool] = lambda piece: True,
) -> list[Piece]:
    """Disjoint pieces, the longest first chosen, in the order of the sentence.

    Of equally long ones the leftmost is chosen. Tokens at the edge of a piece may be ignored.
    O(n^2) searches in spans of at most `LONGEST` tokens.

    Args:
        gaps: whether an open source may travel, as in `astar-gap`.
        well_typed: whether a piece is one. The search does not check in which order the sources
            of a root with open sources are filled; a piece that fails is searched again with
            nothing open.
    """

    steps = 0

    def pieces_of(first: int, stop: int) -> Iterator[Piece]:
        nonlocal steps
        for any_root in (True, False):
            # How many items the search in one span may pop.
            parse = best_tree(
                span_of(scores, first, stop),
                table,
                gaps=gaps,
                supertag_limit=supertag_limit,
                max_items=2_000,
                open_root=True,
                any_root=any_root,
            )
            steps += parse.popped_count + (stop - first) ** 2
            if not parse.found:
                return
            yield Piece(first, stop, parse)

    n = len(scores)
    free = np.ones(n, np.bool_)
    pieces = []
    for length in range(min(n, LONGEST), 0, -1):
        for first in range(n - length + 1):
            stop = first + length
            if not free[first:stop].all() or (steps > MOST_STEPS and length > 1):
                continue
            if piece := next(filter(well_typed, pieces_of(first, stop)), None):
                pieces.append(piece)
                free[first:stop] = False
    return sorted(pieces, key=lambda piece: piece.first)


def span_of(scores: Scores, first: int, stop: int) -> Scores:
    """The scores of the tokens first + 1 to stop; any of them may be the root, at no cost."""
    edges = np.concatenate(
        [scores.edge_logp[first:stop, :1], scores.edge_logp[first:stop, 1 + first : 1 + stop]],
        axis=1,
    )
    edges[:, 0, ROOT_OPERATION] = 0.0
    return Scores(
        scores.supertag_logp[first:stop].copy(),
        edges,
        None if scores.in_place is None else scores.in_place[first:stop].copy(),
        None if scores.mobile is None else scores.mobile[first:stop].copy(),
    )
