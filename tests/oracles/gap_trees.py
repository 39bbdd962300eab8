"""The class of trees of the decoder with a gap, by structure alone, and the best of them.

A tree is given by its heads (0 for the root, -1 for ignored tokens). It is in the class
if each token can be given a *host*, its head or an ancestor of it, such that the moved
tree is projective and built up with one open gap at a time. A *binding* (b, o) says that
token o goes without an argument, which is bound at token b: for the structure that is
one more token, below o, hosted at b, that stands nowhere.
"""

import itertools
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from decode_oracles import NONE, best_labelling, is_projective, trees

from amparser.algebra.type_table import TypeTable
from amparser.decode.scores import Scores

Heads = tuple[int, ...]
Bindings = tuple[tuple[int, int], ...]


class Analysis(NamedTuple):
    """What one choice of hosts asks of a tree.

    Attributes:
        by_app: the tokens that must hang by APP.
        moved: those whose host is not their head.
        bound: those that some token takes while it binds a gap.
    """

    by_app: frozenset[int]
    moved: frozenset[int]
    bound: frozenset[int]


def ancestors(heads: Heads, token: int) -> list[int]:
    """The head of a token, its head and so on, without the artificial root."""
    found = []
    while heads[token - 1] > 0:
        token = heads[token - 1]
        found.append(token)
    return found


def one_gap_at_a_time(heads: Heads, hosts: Heads, n: int) -> bool:
    """Whether each token can take its dependents, nearest first, with one open gap at most.

    Tokens beyond n are arguments that are bound.
    """

    def pending(token: int) -> int | bool | None:
        """The displaced token the subtree still waits for, None, or False where impossible."""
        below = [i for i in range(1, n + 1) if hosts[i - 1] == token]
        waits = {}
        for child in below:
            gap = pending(child)
            if gap is False:
                return False
            waits[child] = gap
        left = sorted((c for c in below if c < token), reverse=True)
        right = sorted(c for c in below if c > token)

        def take(i: int, j: int, gap: int | None) -> set[int | None]:
            if i == len(left) and j == len(right):
                return {gap}
            ends: set[int | None] = set()
            nearest = []
            if i < len(left):
                nearest.append((left[i], i + 1, j))
            if j < len(right):
                nearest.append((right[j], i, j + 1))
            for child, further, along in nearest:
                brought = waits[child]
                if heads[child - 1] != token:
                    if gap == child and brought is None:
                        ends |= take(further, along, None)
                elif brought is not None and brought > n and hosts[brought - 1] == token:
                    if gap is None and heads[brought - 1] != child:
                        ends |= take(further, along, None)
                elif gap is None or brought is None:
                    ends |= take(further, along, brought if gap is None else gap)
            return ends

        mine = next(
            (
                f
                for f, host in enumerate(hosts, 1)
                if host > 0 and heads[f - 1] == token and host != token
            ),
            None,
        )
        ends = take(0, 0, None)
        if not ends:
            return False
        (gap,) = ends
        if mine is not None and gap is not None:
            return False
        return mine if mine is not None else gap

    lacking = [head for head, host in zip(heads, hosts, strict=True) if head != host]
    return len(set(lacking)) == len(lacking) and pending(hosts.index(0) + 1) is None


def hosted(heads: Heads) -> Iterator[Heads]:
    """Every choice of hosts of which the moved tree is projective."""
    choices = [[head] if head < 1 else [head, *ancestors(heads, head)] for head in heads]
    return (hosts for hosts in itertools.product(*choices) if is_projective(hosts))


@cache
def analyses(heads: Heads, bindings: Bindings = ()) -> tuple[Analysis, ...]:
    """What the choices of hosts ask for that put a tree in the class; none if it is not in it.

    Of those that move the same tokens the ones with fewest constraints are enough.
    """
    n = len(heads)
    all_heads = (*heads, *(owner for _, owner in bindings))
    found = set()
    for moved_tree in hosted(heads):
        hosts = (*moved_tree, *(binder for binder, _ in bindings))
        if not one_gap_at_a_time(all_heads, hosts, n):
            continue
        by_app, moved, bound = set(), set(), set()
        for token, (head, host) in enumerate(zip(all_heads, hosts, strict=True), 1):
            if head != host:
                way = [t for t in [head, *ancestors(heads, head)] if host in ancestors(heads, t)]
                by_app |= {*way, token} - {n + 1 + i for i in range(len(bindings))}
                if token <= n:
                    moved.add(token)
                else:
                    bound.add(way[-1])
        found.add(Analysis(frozenset(by_app), frozenset(moved), frozenset(bound)))
    return tuple(
        sorted(
            (
                a
                for a in found
                if not any((b.moved, b.bound) == a[1:] and b.by_app < a.by_app for b in found)
            ),
            key=lambda a: (sorted(a.moved), sorted(a.bound), sorted(a.by_app)),
        )
    )


@cache
def whole_trees(n: int) -> tuple[Heads, ...]:
    """Every tree over n tokens of which none is ignored."""
    return tuple(heads for heads in trees(n) if -1 not in heads)


def possible_bindings(heads: Heads) -> list[Bindings]:
    """No binding, and each one of a token below the root's, at a depth of two or more."""
    pairs = [
        (binder, owner)
        for owner, head in enumerate(heads, 1)
        if head > 0
        for binder in ancestors(heads, owner)[1:]
        if heads[binder - 1] != 0
    ]
    return [(), *(((pair),) for pair in pairs)]


@cache
def class_of_trees(
    n: int, binding: bool = False
) -> tuple[tuple[Heads, Bindings, tuple[Analysis, ...]], ...]:
    """The trees of the class, some tokens ignored, with one binding at most, and analyses."""
    found = []
    for kept in itertools.product((False, True), repeat=n):
        tokens = [i for i, keep in enumerate(kept, 1) if keep]
        place = {0: 0, **dict(enumerate(tokens, 1))}
        for small in whole_trees(len(tokens)) if tokens else ():
            for bindings in possible_bindings(small) if binding else [()]:
                spread = [-1] * n
                for i, head in enumerate(small, 1):
                    spread[place[i] - 1] = place[head]
                here = tuple(
                    Analysis(*(frozenset(place[t] for t in part) for part in each))
                    for each in analyses(small, bindings)
                )
                if here:
                    moved = tuple((place[b], place[o]) for b, o in bindings)
                    found.append((tuple(spread), moved, here))
    return tuple(found)


def best_of_class(
    scores: Scores, table: TypeTable, is_mod: np.ndarray, *, binding: bool = False
) -> float:
    """The score of the best well-typed tree of the class; those that may be better come first."""
    n = len(scores)
    found = class_of_trees(n, binding)
    tags, edges = scores.supertag_logp.astype(float), scores.edge_logp.astype(float)
    # Column h is head h, the last one (-1) an ignored token.
    best_edge = np.concatenate([edges[:, :, 2:].max(2), (tags[:, 0] + edges[:, 0, 0])[:, None]], 1)
    best_edge[:, 0] = edges[:, 0, 1]
    best_edge[:, :-1] += tags[:, 1:].max(1)[:, None]
    heads_of = np.array([heads for heads, _, _ in found])
    bounds = best_edge[np.arange(n), heads_of].sum(1)
    best = NONE
    for t in np.argsort(-bounds).tolist():
        if not bounds[t] > best:
            break
        heads, bindings, here = found[t]
        for analysis in here:
            allowed = _masked(scores, analysis, is_mod)
            if allowed is not None:
                owners = frozenset(owner for _, owner in bindings)
                value = best_labelling(
                    heads,
                    allowed,
                    table,
                    lacking=owners,
                    bound=analysis.bound,
                    moved=analysis.moved,
                )
                best = max(best, value)
    return best


def _masked(scores: Scores, analysis: Analysis, is_mod: np.ndarray) -> Scores | None:
    """The scores that are left where an analysis holds."""
    n = len(scores)
    edges = scores.edge_logp.copy()
    for token in range(1, n + 1):
        if token in analysis.by_app:
            edges[token - 1][:, is_mod] = NONE
        if token in analysis.moved:
            if scores.mobile is not None and not scores.mobile[token - 1]:
                return None
        elif scores.in_place is not None:
            for head in range(1, n + 1):
                edges[token - 1, head, ~scores.in_place[token - 1, int(token > head)]] = NONE
    return Scores(scores.supertag_logp, edges)
