"""Equality of DRSs up to names of boxes and referents and the order of conditions.

Boxes and referents are the vertices of a hypergraph, clauses its edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import TypeAlias

from amparser.logic.drs import Box, Disjunction, Implication, Linked, Negation
from amparser.logic.fol import Atom
from amparser.logic.hypergraph import Edge, same_up_to_names

_Names: TypeAlias = Mapping[str, int]


def drs_equivalent(left: Box, right: Box) -> bool:
    """Whether two boxes differ at most in names of referents and in the order of conditions.

    The same condition twice is not the same as once.
    """
    return left == right or same_up_to_names(_hypergraph(left), _hypergraph(right))


def _hypergraph(box: Box) -> list[Edge]:
    vertices = count()
    names = _declared(box, {}, vertices)
    return list(_edges(box, next(vertices), names, vertices))


def _declared(box: Box, names: _Names, vertices: Iterator[int]) -> _Names:
    return {**names, **{referent: next(vertices) for referent in box.referents}}


def _edges(box: Box, own: int, names: _Names, vertices: Iterator[int]) -> Iterator[Edge]:
    """The clauses of a box and of those below it."""
    for referent in box.referents:
        yield "REF", (own, names[referent])
    for condition in box.conditions:
        match condition:
            case Atom(predicate, arguments):
                # Constants belong to the label, which is no text as that of an operator is.
                label = predicate, *(None if name in names else name for name in arguments)
                yield label, (own, *(names[name] for name in arguments if name in names))
                continue
            case Negation(below):
                operator, inside = "NOT", [(below, _declared(below, names, vertices))]
            case Linked(relation, below):
                operator, inside = relation, [(below, _declared(below, names, vertices))]
            case Implication(antecedent, consequent):
                first = _declared(antecedent, names, vertices)
                second = _declared(consequent, first, vertices)
                operator, inside = "IMP", [(antecedent, first), (consequent, second)]
            case Disjunction(left, right):
                operator = "DIS"
                inside = [(other, _declared(other, names, vertices)) for other in (left, right)]
        boxes = [(next(vertices), *pair) for pair in inside]
        yield operator, (own, *(vertex for vertex, _, _ in boxes))
        for vertex, other, accessible in boxes:
            yield from _edges(other, vertex, accessible, vertices)
