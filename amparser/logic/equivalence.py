"""Equality of COGS logical forms up to names of variables and order of conjuncts.

A logical form is a coloured hypergraph: its variables are vertices, atoms
edges, constants colours. Colour refinement brings it to a canonical form. If
symmetric variables remain, each of them is tried
(McKay & Piperno 2014, section 2, without their use of automorphisms). Parts
that only numbered variables connect are handled separately, so that trees of
any size take polynomial time. Only large, highly symmetric cyclic forms, which
mean nothing in this notation, take exponential time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from amparser.logic.cogs import Atom, Bound, LogicalForm, Name, Question, Term, Variable


class _End(NamedTuple):
    """An argument of an edge: a constant, a numbered variable, or an open one."""

    rank: int
    constant: str
    variable: int


_Edge: TypeAlias = tuple[int, tuple[str, ...], tuple[_End, ...]]
"""Kind (0 definite, 1 plain), predicate, arguments."""
_CONSTANT, _NUMBERED, _OPEN = range(3)
_Incidence: TypeAlias = tuple[int, tuple[str, ...], int, tuple[bool, ...], tuple[_End, ...]]
"""An edge as one of its variables sees it: the edge, the variable's place in it, colours."""


def equivalent(left: LogicalForm, right: LogicalForm) -> bool:
    """Whether two logical forms differ at most in variables and in the order of conjuncts.

    Variables bound by LAMBDA correspond by the order of the LAMBDAs. The same
    conjunct twice is not the same as once.
    """
    if _outline(left) != _outline(right):
        return False
    return left == right or canonical(left) == canonical(right)


def _outline(logical_form: LogicalForm) -> object:
    return (
        logical_form.name,
        len(logical_form.bound),
        sorted(atom.predicate for atom in logical_form.definites),
        sorted(atom.predicate for atom in logical_form.atoms),
    )


def canonical(logical_form: LogicalForm) -> LogicalForm:
    """The one representative of all equivalent logical forms.

    Variables are numbered from 0. Bound variables become `v0`, `v1`, ... in
    the order of their LAMBDAs. Definites and other atoms are sorted.
    """
    if logical_form.name is not None:
        return logical_form
    bound = {name: f"v{index}" for index, name in enumerate(logical_form.bound)}
    edges = [
        (kind, atom.predicate, tuple(_end(term, bound) for term in atom.terms))
        for kind, atoms in enumerate((logical_form.definites, logical_form.atoms))
        for atom in atoms
    ]
    variables = dict.fromkeys(
        end.variable for _, _, ends in edges for end in ends if end.rank == _OPEN
    )
    _, order = _label(list(variables), edges, {})
    numbers = {variable: number for number, variable in enumerate(order)}

    def renamed(term: Term) -> Term:
        if isinstance(term, Variable):
            return Variable(numbers[term.position])
        return Bound(bound[term.name]) if isinstance(term, Bound) else term

    def ordered(atoms: Iterable[Atom]) -> tuple[Atom, ...]:
        new = (Atom(atom.predicate, tuple(map(renamed, atom.terms))) for atom in atoms)
        return tuple(sorted(new, key=repr))

    return LogicalForm(
        ordered(logical_form.atoms), ordered(logical_form.definites), tuple(bound.values())
    )


def _end(term: Term, bound: Mapping[str, str]) -> _End:
    # The first letter tells names from questions.
    match term:
        case Variable(position):
            return _End(_OPEN, "", position)
        case Name(name):
            return _End(_CONSTANT, f"n{name}", 0)
        case Bound(name):
            return _End(_CONSTANT, f"b{bound[name]}", 0)
        case Question():
            return _End(_CONSTANT, "?", 0)


def _label(
    variables: Sequence[int], edges: Sequence[_Edge], numbers: Mapping[int, int]
) -> tuple[str, list[int]]:
    """A certificate and an order of the open variables that is unique up to symmetry.

    Args:
        variables: the open ones, which get numbers here.
        edges: all edges with one of them as argument.
        numbers: the numbers (from 0) of the variables ordered before.
    """
    parts = _components(variables, edges)
    if len(parts) != 1:
        labelled = sorted(_label(*part, numbers) for part in parts)
        text = ",".join(text for text, _ in labelled)
        return f"<{text}>", [variable for _, order in labelled for variable in order]
    variables, edges = parts[0]
    classes = _refine(variables, edges)
    singles = [members[0] for members in classes if len(members) == 1]
    if singles:
        return _fix(singles, variables, edges, numbers)
    best: tuple[str, list[int]] | None = None
    tried: list[int] = []
    for variable in min(classes, key=len):
        if any(_interchangeable(variable, other, edges) for other in tried):
            continue
        tried.append(variable)
        candidate = _fix([variable], variables, edges, numbers)
        if best is None or candidate[0] < best[0]:
            best = candidate
    assert best is not None  # a component has at least one variable
    return best


def _fix(
    chosen: list[int],
    variables: Sequence[int],
    edges: Sequence[_Edge],
    numbers: Mapping[int, int],
) -> tuple[str, list[int]]:
    """Number some variables next and order the others after them."""
    numbers = {**numbers, **{v: number for number, v in enumerate(chosen, len(numbers))}}
    renamed: list[_Edge] = [
        (
            kind,
            predicate,
            tuple(
                _End(_NUMBERED, "", numbers[end.variable])
                if end.rank == _OPEN and end.variable in numbers
                else end
                for end in ends
            ),
        )
        for kind, predicate, ends in edges
    ]
    complete = sorted(edge for edge in renamed if all(end.rank != _OPEN for end in edge[2]))
    remaining = [edge for edge in renamed if any(end.rank == _OPEN for end in edge[2])]
    text, order = _label([v for v in variables if v not in numbers], remaining, numbers)
    return f"{complete}{text}", chosen + order


def _components(
    variables: Iterable[int], edges: Iterable[_Edge]
) -> list[tuple[list[int], list[_Edge]]]:
    """Split at numbered variables, which connect nothing any more."""
    parent = {variable: variable for variable in variables}

    def find(variable: int) -> int:
        while parent[variable] != variable:
            parent[variable] = variable = parent[parent[variable]]
        return variable

    owner: list[tuple[int, _Edge]] = []
    for edge in edges:
        members = [end.variable for end in edge[2] if end.rank == _OPEN]
        for other in members[1:]:
            parent[find(other)] = find(members[0])
        if members:
            owner.append((members[0], edge))
    parts: dict[int, tuple[list[int], list[_Edge]]] = {}
    for variable in parent:
        parts.setdefault(find(variable), ([], []))[0].append(variable)
    for variable, edge in owner:
        parts[find(variable)][1].append(edge)
    return list(parts.values())


def _refine(variables: Sequence[int], edges: Sequence[_Edge]) -> list[list[int]]:
    """The coarsest stable partition of the variables, in an order that ignores their names."""
    colours = dict.fromkeys(variables, 0)
    classes = [list(variables)]
    while True:
        seen: dict[int, list[_Incidence]] = {variable: [] for variable in variables}
        for kind, predicate, ends in edges:
            coloured = tuple(
                _End(rank, constant, colours[variable] if rank == _OPEN else variable)
                for rank, constant, variable in ends
            )
            for place, end in enumerate(ends):
                if end.rank == _OPEN:
                    same = tuple(end == other for other in ends)
                    seen[end.variable].append((kind, predicate, place, same, coloured))
        finer: list[list[int]] = []
        previous: tuple[int, list[_Incidence]] | None = None
        signed = [((colours[variable], sorted(seen[variable])), variable) for variable in variables]
        for signature, variable in sorted(signed, key=lambda item: item[0]):
            if signature != previous:
                finer.append([])
                previous = signature
            finer[-1].append(variable)
        if len(finer) in (len(classes), len(colours)):
            return finer
        classes = finer
        colours = {v: colour for colour, members in enumerate(classes) for v in members}


def _interchangeable(left: int, right: int, edges: Sequence[_Edge]) -> bool:
    """Whether swapping two variables changes nothing."""
    swap = {
        _End(_OPEN, "", left): _End(_OPEN, "", right),
        _End(_OPEN, "", right): _End(_OPEN, "", left),
    }
    swapped = Counter(
        (kind, predicate, tuple(swap.get(end, end) for end in ends))
        for kind, predicate, ends in edges
    )
    return swapped == Counter(edges)
