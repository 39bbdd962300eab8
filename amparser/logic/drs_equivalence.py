"""Equality of DRSs up to names of boxes and referents and the order of conditions.

Boxes and referents are the vertices of a hypergraph, and clauses are its edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import TypeAlias

from amparser.logic.drs import IMPLIES, Box, Linked
from amparser.logic.fol import Atom
from amparser.logic.hypergraph import Edge, same_up_to_names

_Names: TypeAlias = Mapping[str, int]


def drs_equivalent(left: Box, right: Box) -> bool:
    """Return True if two boxes are equal up to names of referents and order of conditions.

    Repeated conditions count.
    """
    return left == right or same_up_to_names(_hypergraph(left), _hypergraph(right))


def _hypergraph(box: Box) -> list[Edge]:
    vertices = count()
    names = _declared(box, {}, vertices)
    return list(_edges(box, next(vertices), names, vertices))


def _declared(box: Box, names: _Names, vertices: Iterator[int]) -> _Names:
    return {**names, **{referent: next(vertices) for referent in box.referents}}


def _edges(box: Box, own: int, names: _Names, vertices: Iterator[int]) -> Iterator[Edge]:
    """Yield the clauses of a box and the boxes below it as edges."""
    for referent in box.referents:
        yield "REF", (own, names[referent])
    for condition in box.conditions:
        match condition:
            case Atom(predicate, arguments):
                # The label includes constants. Labels of atoms are tuples, so they differ from
                # operators.
                label = predicate, *(None if name in names else name for name in arguments)
                yield label, (own, *(names[name] for name in arguments if name in names))
            case Linked(relation, below):
                inside, known = [], names
                for other in below:
                    declared = _declared(other, known, vertices)
                    inside.append((next(vertices), other, declared))
                    known = declared if relation == IMPLIES else names
                yield relation, (own, *(vertex for vertex, _, _ in inside))
                for vertex, other, accessible in inside:
                    yield from _edges(other, vertex, accessible, vertices)
