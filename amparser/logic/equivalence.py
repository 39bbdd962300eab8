"""Equality of COGS logical forms up to names of variables and order of conjuncts."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from amparser.logic.cogs import Bound, LogicalForm, Name, Question, Term, Variable
from amparser.logic.hypergraph import Edge, same_up_to_names


def equivalent(left: LogicalForm, right: LogicalForm) -> bool:
    """Whether two logical forms differ at most in variables and in the order of conjuncts.

    Bound variables correspond by the order of the LAMBDAs. The same conjunct twice is not once.
    """
    if left == right:
        return True
    heads = [(form.name, len(form.bound)) for form in (left, right)]
    return heads[0] == heads[1] and same_up_to_names([*_edges(left)], [*_edges(right)])


def _edges(form: LogicalForm) -> Iterator[Edge]:
    """An edge for each atom; what is no variable belongs to its label."""
    bound = {name: place for place, name in enumerate(form.bound)}
    for definite, atoms in enumerate((form.atoms, form.definites)):
        for atom in atoms:
            constants = tuple(_constant(term, bound) for term in atom.terms)
            variables = (term.position for term in atom.terms if isinstance(term, Variable))
            yield (definite, atom.predicate, constants), tuple(variables)


def _constant(term: Term, bound: Mapping[str, int]) -> Hashable:
    match term:
        case Variable():
            return None
        case Name(name):
            return name
        case Bound(name):
            return bound[name]
        case Question():
            return ()
