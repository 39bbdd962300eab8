"""Equality of hypergraphs up to names of vertices and the order of edges.

Colours of vertices are refined until they are stable (Weisfeiler & Leman 1968). If several vertices
still share a colour, one of them is paired with each vertex of this colour in the other hypergraph,
and colours are refined again (McKay & Piperno 2014). In forests, trying a single pair is enough.
The comparison is slow only for large, highly symmetric cyclic hypergraphs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeAlias

Edge: TypeAlias = tuple[Hashable, tuple[int, ...]]
"""A label and a sequence of vertices, in which a vertex may occur several times."""
_Colours: TypeAlias = Mapping[int, int]


def same_up_to_names(left: Sequence[Edge], right: Sequence[Edge]) -> bool:
    """Return True if a bijection of vertices maps one multiset of edges to the other."""
    return _same(
        left, right, *({v: 0 for _, ends in edges for v in ends} for edges in (left, right))
    )


def _same(
    left: Sequence[Edge], right: Sequence[Edge], left_colours: _Colours, right_colours: _Colours
) -> bool:
    """Return the result of `same_up_to_names` if only vertices of equal colour may correspond."""
    count = 0
    while True:
        signatures, others = _signatures(left, left_colours), _signatures(right, right_colours)
        if Counter(signatures) != Counter(others) or _counts(left_colours) != _counts(
            right_colours
        ):
            return False
        classes = len(_counts(left_colours))
        if classes == len(left_colours):
            return True
        if classes == count:
            break
        count = classes
        left_colours, right_colours = (
            _refined(left, signatures, left_colours),
            _refined(right, others, right_colours),
        )
    colour, _ = min(
        (item for item in _counts(left_colours).items() if item[1] > 1), key=lambda item: item[1]
    )
    vertex = next(v for v in left_colours if left_colours[v] == colour)
    return any(
        _same(left, right, {**left_colours, vertex: -1}, {**right_colours, image: -1})
        for image in right_colours
        if right_colours[image] == colour
    )


def _counts(colours: _Colours) -> Counter[int]:
    return Counter(colours.values())


def _signatures(edges: Sequence[Edge], colours: _Colours) -> list[int]:
    """Return a hash of each edge: label, colours, and positions of repeated vertices."""
    return [hash((label, *((colours[v], ends.index(v)) for v in ends))) for label, ends in edges]


def _refined(edges: Sequence[Edge], signatures: Sequence[int], colours: _Colours) -> _Colours:
    around: dict[int, list[int]] = {vertex: [] for vertex in colours}
    for (_, ends), signature in zip(edges, signatures, strict=True):
        for place, vertex in enumerate(ends):
            around[vertex].append(hash((place, signature)))
    return {vertex: hash((colour, *sorted(around[vertex]))) for vertex, colour in colours.items()}
