"""Equivalence of COGS forms, compared with a search over all renamings."""

import itertools
from collections import Counter
from random import Random

import pytest
from hypothesis import given, strategies as st

from amparser.logic.cogs import Atom, Bound, LogicalForm, Name, Question, Term, Variable, equivalent

PREDICATES = [("eat", "agent"), ("eat", "theme"), ("cake", "nmod", "in")]


def variables(form: LogicalForm) -> list[int]:
    atoms = form.atoms + form.definites
    return sorted({t.position for a in atoms for t in a.terms if isinstance(t, Variable)})


def renamed(form: LogicalForm, names: dict[int, int]) -> LogicalForm:
    def term(old: Term) -> Term:
        return Variable(names[old.position]) if isinstance(old, Variable) else old

    def atoms(old: tuple[Atom, ...]) -> tuple[Atom, ...]:
        return tuple(Atom(a.predicate, tuple(map(term, a.terms))) for a in old)

    return LogicalForm(atoms(form.atoms), atoms(form.definites), form.bound, form.name)


def disguised(form: LogicalForm, random: Random) -> LogicalForm:
    old = variables(form)
    form = renamed(form, dict(zip(old, random.sample(range(1000), len(old)), strict=True)))
    atoms, definites = list(form.atoms), list(form.definites)
    random.shuffle(atoms)
    random.shuffle(definites)
    return LogicalForm(tuple(atoms), tuple(definites), form.bound, form.name)


def equivalent_by_trying(left: LogicalForm, right: LogicalForm) -> bool:
    """Return True if some bijection of variables makes the multisets of atoms equal."""
    old, new = variables(left), variables(right)
    return len(old) == len(new) and any(
        Counter(image.atoms) == Counter(right.atoms)
        and Counter(image.definites) == Counter(right.definites)
        for names in itertools.permutations(new)
        for image in [renamed(left, dict(zip(old, names, strict=True)))]
    )


@st.composite
def forms(draw: st.DrawFn) -> LogicalForm:
    variable = st.builds(Variable, st.integers(0, 4))
    term = st.one_of(variable, variable, variable, st.sampled_from([Name("A"), Question()]))
    binary = st.builds(Atom, st.sampled_from(PREDICATES), st.tuples(variable, term))
    unary = st.builds(Atom, st.sampled_from([("cake",), ("boy",)]), st.tuples(variable))
    atoms = draw(st.lists(st.one_of(binary, binary, unary), max_size=6))
    return LogicalForm(tuple(atoms), tuple(draw(st.lists(unary, max_size=2))))


@given(forms(), forms())
def test_equivalence_equals_its_definition(left, right) -> None:
    assert equivalent(left, right) == equivalent_by_trying(left, right)


@given(forms(), st.integers(0, 5), st.integers(0, 4), st.randoms())
def test_equivalence_after_one_change_equals_its_definition(form, place, position, random) -> None:
    if not form.atoms:
        return
    place %= len(form.atoms)
    atoms = list(form.atoms)
    atoms[place] = Atom(atoms[place].predicate, (*atoms[place].terms[:-1], Variable(position)))
    changed = LogicalForm(tuple(atoms), form.definites)
    assert equivalent(disguised(changed, random), form) == equivalent_by_trying(changed, form)


@given(forms(), st.randoms())
def test_renamed_and_reordered_forms_are_equivalent(form, random) -> None:
    assert equivalent(disguised(form, random), form)


def test_a_bound_variable_differs_from_a_name() -> None:
    left = LogicalForm((Atom(("shark",), (Bound("a"),)),), bound=("a",))
    right = LogicalForm((Atom(("shark",), (Name("v0"),)),), bound=("a",))
    assert not equivalent(left, right)


SYMMETRIC = {
    "star": [(0, i) for i in range(1, 60)],
    "copies": [(i, i + 60) for i in range(60)],
    "tree": [((i - 1) // 2, i) for i in range(1, 60)],
    "spider": [(0, i) for i in range(1, 30)] + [(i, i + 30) for i in range(1, 30)],
    "cycle": [(i, (i + 1) % 30) for i in range(30)],
    "clique": [(i, j) for i in range(12) for j in range(12) if i != j],
}


@pytest.mark.parametrize("name", SYMMETRIC)
def test_symmetric_forms_are_compared_fast(name) -> None:
    atoms = [Atom(("r", "s"), (Variable(i), Variable(j))) for i, j in SYMMETRIC[name]]
    form = LogicalForm(tuple(atoms))
    assert equivalent(form, disguised(form, Random(2)))
    reversed_ = Atom(("r", "s"), atoms[-1].terms[::-1])
    changed = equivalent(form, LogicalForm((*atoms[:-1], reversed_)))
    assert changed == (name == "copies")  # An isolated edge may be reversed.
