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
        [left, right], [{v: 0 for _, ends in edges for v in ends} for edges in (left, right)]
    )


def _same(graphs: Sequence[Sequence[Edge]], colours: Sequence[_Colours]) -> bool:
    """Return True if a bijection that preserves colours maps one multiset of edges to the other."""
    classes = 0
    while True:
        signatures = [*map(_signatures, graphs, colours)]
        sizes, others = (Counter(colour_of.values()) for colour_of in colours)
        if sizes != others or Counter(signatures[0]) != Counter(signatures[1]):
            return False
        if len(sizes) == len(colours[0]):
            return True
        if len(sizes) == classes:
            break
        classes = len(sizes)
        colours = [*map(_refined, graphs, signatures, colours)]
    colour = min((c for c in sizes if sizes[c] > 1), key=sizes.__getitem__)
    first, *_ = (v for v, other in colours[0].items() if other == colour)
    return any(
        _same(graphs, [{**colours[0], first: -1}, {**colours[1], image: -1}])
        for image, other in colours[1].items()
        if other == colour
    )


def _signatures(edges: Sequence[Edge], colours: _Colours) -> list[int]:
    return [hash((label, *((colours[v], ends.index(v)) for v in ends))) for label, ends in edges]


def _refined(edges: Sequence[Edge], signatures: Sequence[int], colours: _Colours) -> _Colours:
    around: dict[int, list[int]] = {vertex: [] for vertex in colours}
    for (_, ends), signature in zip(edges, signatures, strict=True):
        for place, vertex in enumerate(ends):
            around[vertex].append(hash((place, signature)))
    return {vertex: hash((colour, *sorted(around[vertex]))) for vertex, colour in colours.items()}
