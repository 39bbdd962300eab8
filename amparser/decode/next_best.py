"""What comes after the best analysis, in the order of scores.

The space of analyses without the best one is split (Lawler 1972): each part agrees with it in its
first choices and differs in the next, where a choice is a token's supertag or its edge. The best
one of each part is found by the same search; the best of these is the next one, whose part is
split in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from amparser.decode.parse import Best, Decoded
from amparser.decode.scores import Scores

if TYPE_CHECKING:
    from amparser.algebra.type_table import TypeTable
    from amparser.decode.decoder import TypedDecoder
    from amparser.decode.parse import Parse

Found = TypeVar("Found")
FoundBest = TypeVar("FoundBest", bound=Decoded)
Space = TypeVar("Space")

WORK = 1_200_000
"""There is no further tree after so much work: for each search the square of the number of tokens,
and 10 for each item that it took."""


def after_best(
    best: FoundBest,
    space: Space,
    split: Callable[[FoundBest, Space, int], Iterable[tuple[int, Space]]],
    search: Callable[[Space], tuple[FoundBest, float]],
    work: float,
) -> Iterator[FoundBest]:
    """What comes after the best one of a space; each is found when it is asked for.

    Args:
        split: given what is best in a space, and how many choices are the same in all of it, the
            parts of the space without it: the choice in which each differs first, and the part.
        search: the best one of a space, and how much work it was to find.
    """
    if not best.found:
        return
    order = count()
    parts = [(0.0, next(order), best, space, 0)]
    while parts:
        _, _, found, space, fixed = heappop(parts)
        if found is not best:
            yield found
        for choice, part in split(found, space, fixed):
            if work <= 0:
                return
            other, cost = search(part)
            work -= cost
            if other.found:
                heappush(parts, (-other.logp, next(order), other, part, choice))


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
    n = len(scores)

    def search(part: Scores) -> tuple[Parse, float]:
        [found] = decoder.search([part], table, supertag_limit=supertag_limit, open_root=open_root)
        return found, n * n + 10 * found.popped_count

    return after_best(best, scores, _split, search, work)


def _split(best: Parse, scores: Scores, fixed: int) -> Iterator[tuple[int, Scores]]:
    """Scores without the best tree: for each choice the trees that first differ in it.

    Choices are numbered by tokens: 2 * i is the supertag of token i (from 0), 2 * i + 1 its edge.
    One that leaves nothing else is left out.
    """
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


class Limits(NamedTuple):
    """What may be chosen in a part of a space whose search has no table of scores to alter.

    Attributes:
        only: the value of each choice that is made.
        never: the values that a choice must not have.
    """

    only: Mapping[Hashable, Hashable] = {}
    never: Mapping[Hashable, frozenset[Hashable]] = {}

    def allow(self, choice: Hashable, value: Hashable) -> bool:
        """Whether a choice may have a value."""
        if choice in self.only:
            return self.only[choice] == value
        return value not in self.never.get(choice, ())

    def barred(self, choice: Hashable, values: Sequence[Hashable]) -> Iterator[int]:
        """The numbers of those values that a choice may not have."""
        if choice in self.only or choice in self.never:
            for number, value in enumerate(values):
                if not self.allow(choice, value):
                    yield number

    def split(
        self, choices: Sequence[tuple[Hashable, Hashable]], fixed: int
    ) -> Iterator[tuple[int, Limits]]:
        """The parts without these choices, the first of which are fixed; see `after_best`."""
        only = dict(self.only)
        for number, (choice, value) in enumerate(choices):
            if number >= fixed and choice not in only:
                never = self.never.get(choice, frozenset()) | {value}
                yield number, Limits(only.copy(), {**self.never, choice: never})
            only[choice] = value


ANY = Limits()
"""Whatever there is."""


def after_best_within(
    best: Best[Found],
    choices: Callable[[Found], Sequence[tuple[Hashable, Hashable]]],
    search: Callable[[Limits], tuple[Best[Found], float]],
    work: float,
) -> Iterator[Best[Found]]:
    """`after_best`, where `search` finds the best analysis within limits of its choices."""

    def split(found: Best[Found], limits: Limits, fixed: int) -> Iterator[tuple[int, Limits]]:
        assert found.analysis is not None
        return limits.split(choices(found.analysis), fixed)

    return after_best(best, ANY, split, search, work)
