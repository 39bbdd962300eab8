"""K-best search: analyses after the best one, in the order of their scores.

The space of analyses without the best one is partitioned (Lawler 1972): each part agrees with
the best one in its first choices and differs in the next, where a choice is a token's supertag or
its edge. The search then finds the best analysis of each part. The best of these is the next one
overall, and its part is partitioned in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from amparser.decode.parse import NO_TREE, Decoded, Parse
from amparser.decode.scores import Scores

if TYPE_CHECKING:
    from amparser.algebra.type_table import TypeTable
    from amparser.decode.decoder import TypedDecoder

FoundBest = TypeVar("FoundBest", bound=Decoded)

Choices = Sequence[tuple[Any, Any]]
"""Choices that make up an analysis, in order: pairs of a choice and its value."""

WORK = 1_200_000
"""Search budget: each search costs the squared number of tokens plus 10 per popped item."""


class Limits(NamedTuple):
    """Restriction of a search: choices that are fixed (`only`), and excluded values (`never`)."""

    only: Mapping[Any, Any] = {}
    never: Mapping[Any, frozenset[Any]] = {}

    def allow(self, choice: Any, value: Any) -> bool:
        """Return whether a choice may have a value."""
        if choice in self.only:
            return bool(self.only[choice] == value)
        return value not in self.never.get(choice, ())

    def barred(self, choice: Any, numbers: Mapping[Any, int]) -> NDArray[np.bool_]:
        """Return a mask `[values]` of the values that a choice must not have."""
        is_made = choice in self.only
        values = [self.only[choice]] if is_made else self.never.get(choice, ())
        barred = np.full(len(numbers), is_made)
        barred[[numbers[value] for value in values if value in numbers]] = not is_made
        return barred

    def split(self, choices: Choices, fixed: int) -> Iterator[tuple[int, Limits]]:
        """Yield the parts that remain without an analysis, given that its first choices are fixed.

        Each part comes with the index of the first choice in which it differs.
        """
        only = dict(self.only)
        for number, (choice, value) in enumerate(choices):
            if number >= fixed and choice not in only:
                never = self.never.get(choice, frozenset()) | {value}
                yield number, Limits(only.copy(), {**self.never, choice: never})
            only[choice] = value


ANY = Limits()
"""Unrestricted limits."""


def after_best(
    best: FoundBest,
    choices: Callable[[Any], Choices],
    search: Callable[[Limits], tuple[FoundBest, float]],
    work: float,
    *,
    exact: bool = True,
) -> Iterator[FoundBest]:
    """Yield the analyses after the best one; each is searched for when it is requested.

    Args:
        best: result of the unrestricted search.
        choices: function that lists the choices of an analysis.
        search: function that returns the best analysis within limits, and the work it took.
        work: budget; no further search starts once it is used up.
        exact: the search is exact. If it is not, the analyses found so far are yielded too when
            the budget is used up.
    """
    if not best.found:
        return
    order = count()
    parts = [(0.0, next(order), best, ANY, 0)]
    while parts:
        _, _, analysis, limits, fixed = heappop(parts)
        if analysis is not best:
            yield analysis
        for number, part in limits.split(choices(analysis), fixed):
            if work <= 0:
                if not exact:
                    yield from (other for _, _, other, *_ in sorted(parts))
                return
            other, cost = search(part)
            work -= cost
            if other.found:
                heappush(parts, (-other.logp, next(order), other, part, number))


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
    """Yield the trees after the best one, best first; each is searched for when it is requested.

    Args:
        decoder: the search. The order is exact if it finds the best tree of its class.
    """

    def search(limits: Limits) -> tuple[Parse, float]:
        part = _within(scores, limits)
        if part is None:
            return Parse(failure=NO_TREE), 0
        [parse] = decoder.search([part], table, supertag_limit=supertag_limit, open_root=open_root)
        return parse, len(scores) ** 2 + 10 * parse.popped_count

    return after_best(best, _choices, search, work)


def _choices(parse: Parse) -> Choices:
    """Return the supertag and the edge of each token; keys are (token from 0, is an edge)."""
    edges = zip(parse.heads, parse.operations, strict=True)
    rows = enumerate(zip(parse.supertags, edges, strict=True))
    return [((token, is_edge), row[is_edge]) for token, row in rows for is_edge in (0, 1)]


def _within(scores: Scores, limits: Limits) -> Scores | None:
    """Return scores that are -inf outside the limits; None if a choice has no value left."""
    arrays = scores.supertag_logp.copy(), scores.edge_logp.copy()
    for (token, is_edge), value in limits.only.items():
        row = arrays[is_edge][token]
        kept = row[value]
        row[...] = -np.inf
        row[value] = kept
    for (token, is_edge), values in limits.never.items():
        row = arrays[is_edge][token]
        for value in values:
            row[value] = -np.inf
        if row.max() == -np.inf:
            return None
    supertags, edges = arrays
    return replace(scores, supertag_logp=supertags, edge_logp=edges)
