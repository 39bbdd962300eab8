"""The tree class of the decoder with a gap, defined by structure alone, and its best tree.

A tree is given by its heads (0 for the root, -1 for ignored tokens). It is in the class if each
token can be assigned a *host*, its head or an ancestor of the head, such that the moved tree is
projective and can be built with at most one open gap at a time. A *binding* (b, o) says that token
o lacks an argument, which token b binds: structurally this is an extra token without a position,
with head o and host b.
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
    """Constraints of one choice of hosts.

    Attributes:
        by_app: tokens whose operation must be APP.
        moved: tokens whose host differs from their head.
        bound: tokens that a head takes while it binds a gap.
    """

    by_app: frozenset[int]
    moved: frozenset[int]
    bound: frozenset[int]


def ancestors(heads: Heads, token: int) -> list[int]:
    """Return the head of a token, that token's head and so on, without the artificial root."""
    found = []
    while heads[token - 1] > 0:
        token = heads[token - 1]
        found.append(token)
    return found


def one_gap_at_a_time(heads: Heads, hosts: Heads, n: int) -> bool:
    """Return whether the tree can be built nearest first with at most one open gap.

    Tokens beyond n are bound arguments.
    """

    def pending(token: int) -> int | bool | None:
        """Return the displaced token that a subtree waits for, None, or False if impossible."""
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
    """Yield all choices of hosts whose moved tree is projective."""
    choices = [[head] if head < 1 else [head, *ancestors(heads, head)] for head in heads]
    return (hosts for hosts in itertools.product(*choices) if is_projective(hosts))


@cache
def analyses(heads: Heads, bindings: Bindings = ()) -> tuple[Analysis, ...]:
    """Return the minimal constraints that put a tree in the class; empty if it is not in it."""
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
    """Return all trees over n tokens without ignored tokens."""
    return tuple(heads for heads in trees(n) if -1 not in heads)


def possible_bindings(heads: Heads) -> list[Bindings]:
    """Return the empty binding, and all single bindings below the root."""
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
    """Return the trees of the class, with ignored tokens, at most one binding, and analyses."""
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
    """Return the score of the best well-typed tree of the class; trees are tried by bound."""
    n = len(scores)
    found = class_of_trees(n, binding)
    tags, edges = scores.supertag_logp.astype(float), scores.edge_logp.astype(float)
    # Column h is head h; the last column (-1) is an ignored token.
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
    """Return the scores restricted to an analysis, or None if a moved token is not mobile."""
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
