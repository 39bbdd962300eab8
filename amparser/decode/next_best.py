"""What comes after the best analysis, in the order of scores.

The space of analyses without the best one is split (Lawler 1972): each part agrees with it in its
first choices and differs in the next, where a choice is a token's supertag or its edge. The best
one of each part is found by the same search; the best of these is the next one, whose part is
split in turn.
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
"""Choices that make an analysis, each with its value, in order."""

WORK = 1_200_000
"""No further tree is searched for after so much work: for each search the square of the number of
tokens, and 10 for each item that it took."""


class Limits(NamedTuple):
    """What may be chosen in a part of a space.

    Attributes:
        only: the value of each choice that is made.
        never: the values that a choice must not have.
    """

    only: Mapping[Any, Any] = {}
    never: Mapping[Any, frozenset[Any]] = {}

    def allow(self, choice: Any, value: Any) -> bool:
        """Whether a choice may have a value."""
        if choice in self.only:
            return bool(self.only[choice] == value)
        return value not in self.never.get(choice, ())

    def barred(self, choice: Any, numbers: Mapping[Any, int]) -> NDArray[np.bool_]:
        """`[values]`: by the numbers of values, whether a choice may not have them."""
        is_made = choice in self.only
        values = [self.only[choice]] if is_made else self.never.get(choice, ())
        barred = np.full(len(numbers), is_made)
        barred[[numbers[value] for value in values if value in numbers]] = not is_made
        return barred

    def split(self, choices: Choices, fixed: int) -> Iterator[tuple[int, Limits]]:
        """The parts without these choices, the first of which are fixed.

        Each comes after the number of the choice in which it differs first.
        """
        only = dict(self.only)
        for number, (choice, value) in enumerate(choices):
            if number >= fixed and choice not in only:
                never = self.never.get(choice, frozenset()) | {value}
                yield number, Limits(only.copy(), {**self.never, choice: never})
            only[choice] = value


ANY = Limits()
"""Whatever there is."""


def after_best(
    best: FoundBest,
    choices: Callable[[Any], Choices],
    search: Callable[[Limits], tuple[FoundBest, float]],
    work: float,
    *,
    exact: bool = True,
) -> Iterator[FoundBest]:
    """What comes after the best one of a space; each is found when it is asked for.

    Args:
        choices: of one that was found.
        search: the best one within limits of its choices, and how much work it was to find.
        exact: whether the search is. If not, what it found before the work was done comes last.
    """
    if not best.found:
        return
    order = count()
    parts = [(0.0, next(order), best, ANY, 0)]
    while parts:
        _, _, found, limits, fixed = heappop(parts)
        if found is not best:
            yield found
        for number, part in limits.split(choices(found), fixed):
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
    """The trees after the best one, best first; each is found when it is asked for.

    Args:
        decoder: the search. The order is exact if it finds the best tree of its class.
    """

    def search(limits: Limits) -> tuple[Parse, float]:
        part = _within(scores, limits)
        if part is None:
            return Parse(failure=NO_TREE), 0
        [found] = decoder.search([part], table, supertag_limit=supertag_limit, open_root=open_root)
        return found, len(scores) ** 2 + 10 * found.popped_count

    return after_best(best, _choices, search, work)


def _choices(parse: Parse) -> Choices:
    """The supertag and the edge of each token, from 0, after whether it is the edge."""
    edges = zip(parse.heads, parse.operations, strict=True)
    rows = enumerate(zip(parse.supertags, edges, strict=True))
    return [((token, is_edge), row[is_edge]) for token, row in rows for is_edge in (0, 1)]


def _within(scores: Scores, limits: Limits) -> Scores | None:
    """Scores that are -inf beyond limits; None if they leave nothing for some choice."""
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
