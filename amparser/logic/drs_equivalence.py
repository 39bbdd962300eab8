"""Equality of DRSs up to names of boxes and referents and the order of conditions.

A DRS is a coloured hypergraph, like a COGS logical form: boxes and referents are its
vertices, clauses its edges. `amparser.logic.equivalence` compares both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import TypeAlias

from amparser.logic import cogs
from amparser.logic.drs import Box, Disjunction, Implication, Linked, Negation
from amparser.logic.equivalence import equivalent
from amparser.logic.fol import Atom

_Names: TypeAlias = Mapping[str, cogs.Variable]


def drs_equivalent(left: Box, right: Box) -> bool:
    """Whether two boxes differ at most in names of referents and in the order of conditions.

    The same condition twice is not the same as once.
    """
    return left == right or equivalent(_hypergraph(left), _hypergraph(right))


def _hypergraph(box: Box) -> cogs.LogicalForm:
    vertices = (cogs.Variable(number) for number in count())
    names = _declared(box, {}, vertices)
    return cogs.LogicalForm(tuple(_edges(box, next(vertices), names, vertices)))


def _declared(box: Box, names: _Names, vertices: Iterator[cogs.Variable]) -> _Names:
    return {**names, **{referent: next(vertices) for referent in box.referents}}


def _edges(
    box: Box, own: cogs.Variable, names: _Names, vertices: Iterator[cogs.Variable]
) -> Iterator[cogs.Atom]:
    """The clauses of a box and of those below it.

    The first word of an operator's predicate is alone, so no predicate is mistaken for one.

    Args:
        own: the vertex of the box.
        names: the vertices of accessible referents, the box's own among them.
        vertices: new ones.
    """
    for referent in box.referents:
        yield cogs.Atom(("REF",), (own, names[referent]))
    for condition in box.conditions:
        match condition:
            case Atom(predicate, arguments):
                terms = (names.get(name, cogs.Name(name)) for name in arguments)
                yield cogs.Atom(("predicate", predicate), (own, *terms))
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
        yield cogs.Atom((operator,), (own, *(vertex for vertex, _, _ in boxes)))
        for vertex, other, accessible in boxes:
            yield from _edges(other, vertex, accessible, vertices)
