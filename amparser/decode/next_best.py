"""K-best search: analyses after the best one, in the order of their scores.

An analysis is a sequence of choices, such as the supertag and the edge of each token. The set of
all analyses except the best one is partitioned (Lawler 1972). Part i consists of the analyses that
agree with the best one in the first i choices, but not in the next choice. The search finds the
best analysis of each part. The best of these is the next analysis, and its part is partitioned in
the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
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
"""Choices of an analysis, in order: pairs of a key (what is chosen) and the chosen value."""

SLACK = 40.0
"""Maximum difference in nats between the score of the best analysis and of another analysis."""
Parts = Sequence[tuple[int, "Limits"]]
"""Parts of a partition; each has the index of the first choice that differs, and its limits."""
Bounds = Callable[[Any, Choices, "Limits", Parts], Iterable[float]]
"""Function that yields an upper bound of the scores in each part of a partition.

Its arguments are the best analysis, its choices, the limits of the partitioned set, and the parts.
"""

WORK = 200_000
"""Budget for all searches in a sentence of n tokens; a search costs n^2 + 10 * popped items."""


class Limits(NamedTuple):
    """Restriction of a search: required values of choices (`only`), and excluded ones (`never`)."""

    only: Mapping[Any, Any] = {}
    never: Mapping[Any, frozenset[Any]] = {}

    def allow(self, choice: Any, value: Any) -> bool:
        """Return whether a choice may have a value."""
        if choice in self.only:
            return bool(self.only[choice] == value)
        return value not in self.never.get(choice, ())

    def named(self, choice: Any) -> tuple[Collection[Any], bool]:
        """Return a choice's only allowed value and False, or its excluded values and True."""
        if choice in self.only:
            return (self.only[choice],), False
        return self.never.get(choice, ()), True

    def barred(self, choice: Any, numbers: Mapping[Any, int]) -> NDArray[np.bool_]:
        """Return a mask of the values that a choice must not have.

        Args:
            choice: the choice.
            numbers: index of each value in the mask.
        """
        values, barred = self.named(choice)
        mask = np.full(len(numbers), not barred)
        mask[[numbers[value] for value in values if value in numbers]] = barred
        return mask

    def split(self, choices: Choices, fixed: int) -> Iterator[tuple[int, Limits]]:
        """Partition all analyses within these limits, except one.

        Yields the parts (see `Parts`).

        Args:
            choices: choices of the analysis that is left out.
            fixed: number of its first choices that the limits already fix.
        """
        only = dict(self.only)
        for number, (choice, value) in enumerate(choices):
            if number >= fixed and choice not in only:
                never = self.never.get(choice, frozenset()) | {value}
                yield number, Limits(only.copy(), {**self.never, choice: never})
            only[choice] = value


ANY = Limits()
"""Limits that allow all values."""


def after_best(
    best: FoundBest,
    choices: Callable[[Any], Choices],
    search: Callable[[Limits], tuple[FoundBest, float]],
    work: float,
    bounds: Bounds,
    slack: float = SLACK,
) -> Iterator[FoundBest]:
    """Yield the analyses after the best one, best first; each is computed when it is requested.

    A part is searched only if its upper bound exceeds the scores of all analyses in the queue.

    Args:
        best: result of the search without limits.
        choices: function that returns the choices of an analysis.
        search: function that returns the best analysis within limits, and the work of the search.
        work: budget. When it is exhausted, no further search starts, and only the analyses found so
            far are yielded.
        bounds: function that yields an upper bound of the scores in each part.
        slack: maximum difference in nats from the score of the best analysis.
    """
    if not best.found:
        return
    order, least = count(), best.logp - slack
    parts: list[tuple[float, int, FoundBest | None, Limits, int]] = [(0.0, 0, best, ANY, 0)]
    while parts:
        _, _, analysis, limits, fixed = heappop(parts)
        if analysis is None:
            if work <= 0:
                break
            found, cost = search(limits)
            work -= cost
            if found.found and found.logp >= least:
                heappush(parts, (-found.logp, next(order), found, limits, fixed))
            continue
        if analysis is not best:
            yield analysis
        made = choices(analysis)
        rest = [*limits.split(made, fixed)]
        for (number, part), most in zip(rest, bounds(analysis, made, limits, rest), strict=True):
            bound = min(analysis.logp, most)
            if bound >= least:
                heappush(parts, (-bound, next(order), None, part, number))
    yield from (found for _, _, found, *_ in sorted(parts) if found is not None)


def token_bounds(
    most: Callable[[Limits, Any], float],
    _: object,
    choices: Choices,
    limits: Limits,
    parts: Parts,
) -> Iterator[float]:
    """Yield an upper bound for each part: the sum of upper bounds over the tokens.

    Args:
        most: function that returns an upper bound of a token's scores within limits.
        choices: choices in the order of tokens; each choice is a tuple that begins with the token.
        limits: limits of the partitioned set.
        parts: the parts.
    """
    shares = {token: most(limits, token) for (token, *_), _ in choices}
    tokens, before = list(shares), 0
    for number, part in parts:
        at = tokens.index(choices[number][0][0])
        # The part fixes the choices of the tokens before `at`. It does not limit later tokens.
        shares |= {token: most(part, token) for token in tokens[before : at + 1]}
        yield sum(shares.values()) + 1e-4  # for rounding errors
        before = at


def next_best(
    decoder: TypedDecoder,
    scores: Scores,
    table: TypeTable,
    best: Parse,
    *,
    supertag_limit: int | None,
    open_root: bool = False,
    work: float = WORK,
    slack: float = SLACK,
) -> Iterator[Parse]:
    """Yield the trees after the best one, best first; each is computed when it is requested.

    Args:
        decoder: the decoder; if its search is exact, the order of the trees is exact, too.
        scores: scores of the sentence.
        table: types of the supertags.
        best: best tree of the search.
        supertag_limit, open_root: see `TypedDecoder.search`.
        work: budget of all searches.
        slack: maximum difference in nats from the score of the best tree.
    """
    least = best.logp - slack

    def search(limits: Limits) -> tuple[Parse, float]:
        part = _within(scores, limits, least)
        if part is None:
            return Parse(failure=NO_TREE), 0
        [parse] = decoder.search([part], table, supertag_limit=supertag_limit, open_root=open_root)
        return parse, len(scores) ** 2 + 10 * parse.popped_count

    most = partial(_most, scores)
    return after_best(best, _choices, search, work, partial(token_bounds, most), slack)


def _choices(parse: Parse) -> Choices:
    """Return the choices of a tree; keys: (token, False) for supertags, (token, True) for edges."""
    edges = zip(parse.heads, parse.operations, strict=True)
    rows = enumerate(zip(parse.supertags, edges, strict=True))
    return [((token, is_edge), row[is_edge]) for token, row in rows for is_edge in (0, 1)]


def _most(scores: Scores, limits: Limits, token: int) -> float:
    """Return an upper bound of the sum of a token's supertag and edge scores within limits."""
    total = 0.0
    for is_edge, array in enumerate((scores.supertag_logp, scores.edge_logp)):
        row, choice = array[token], (token, is_edge)
        if choice in limits.only:
            total += row[limits.only[choice]]
            continue
        if choice in limits.never:
            row = row.copy()
            for value in limits.never[choice]:
                row[value] = -np.inf
        total += row.max()
    return float(total)


def _within(scores: Scores, limits: Limits, least: float) -> Scores | None:
    """Return the scores with -inf for values that the limits exclude; None if no tree is left.

    A supertag or edge also gets -inf if all trees that contain it have a score below `least`.
    """
    arrays = scores.supertag_logp.copy(), scores.edge_logp.copy()
    for (token, is_edge), value in limits.only.items():
        row = arrays[is_edge][token]
        kept = row[value]
        row[...] = -np.inf
        row[value] = kept
    for (token, is_edge), values in limits.never.items():
        for value in values:
            arrays[is_edge][token][value] = -np.inf
    supertags, edges = arrays
    best_tag, best_edge = supertags.max(1), edges.max((1, 2))
    slack = float(best_tag.sum()) + float(best_edge.sum()) - least + 1e-4
    if not slack >= 0:
        return None
    supertags[supertags < best_tag[:, None] - slack] = -np.inf
    edges[edges < best_edge[:, None, None] - slack] = -np.inf
    return replace(scores, supertag_logp=supertags, edge_logp=edges)
