"""AM dependency trees as a view of derivations."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from toml_tables import tables
from well_typed_trees import well_typed_trees

from amparser.algebra.conll import am_tree_to_str, am_trees_from_str
from amparser.algebra.derivation import ARC, CONTINUE, Arc, Derivation, Link, Scope
from amparser.algebra.expand import expand
from amparser.algebra.fragment import SLOT, Fragment, Port
from amparser.algebra.tree import am_tree, extended_lines
from amparser.algebra.types import APP, IGNORE, ROOT, type_of
from amparser.errors import AMTreeError, InputError

TABLES = tables(__file__)


@given(well_typed_trees)
def test_trees_come_back_with_their_graphs(tree) -> None:
    derivation = tree.derivation()
    assert derivation.problems() == tree.derivation().problems() == []
    found = am_tree(derivation)
    for entry, old in zip(found.entries, tree.entries, strict=True):
        columns = (entry.form, entry.head, entry.operation, entry.supertag, entry.label)
        assert columns == (old.form, old.head, old.operation, old.supertag, old.label)
    assert expand(derivation) == expand(tree.derivation()) == expand(found.derivation())
    [read] = am_trees_from_str(am_tree_to_str(found))
    assert read.entries == found.entries


NAME = Fragment(('"' + SLOT + '"',))
OPTIONAL = Fragment(("f", None), ((0, "a", 1),), 0, (Port("H0", 1, "all"),), type_of(["H0"]))
CLOSED = Derivation(
    ("New", "York"), (OPTIONAL, None), ((), ()), (-1, -1), (ROOT, IGNORE), (("H0",), ())
)


def test_frames_are_part_of_the_lexical_label() -> None:
    derivation = Derivation(
        ("New", "York"), (NAME, None), (("New York",), ()), (-1, -1), (ROOT, CONTINUE)
    )
    tree = am_tree(derivation)
    assert [entry.operation for entry in tree.entries] == [ROOT, IGNORE]
    assert tree.entries[0].lexical_label == '"New York"'
    assert expand(derivation) == expand(tree.derivation())


def test_closed_ports_are_labelled_nodes() -> None:
    tree = am_tree(CLOSED)
    assert tree.entries[0].supertag is not None
    assert tree.entries[0].supertag.penman == "(i1<root> / f :a (i2 / all))"
    assert expand(CLOSED) == expand(tree.derivation())


TWO = Derivation(("a", "b"), (NAME, NAME), (("a",), ("b",)), (-1, 0), (ROOT, ARC))


def closed(fragment: Fragment, **changes: Any) -> Derivation:
    return replace(CLOSED, fragments=(fragment, None), closed=(), **changes)


NOTS = Scope(((), ((-1, "NOT"),)), ((-1, 0),) * 2, ((-1, 0),) * 2)


@pytest.mark.parametrize(
    ("derivation", "reason"),
    [
        (TWO, "token 2: ARC joins it to token 1"),
        (replace(CLOSED, reentrant=(Arc(0, 1, ()),)), "token 2: a re-entrant edge joins"),
        (replace(CLOSED, scope=NOTS), "token 2: it introduces 1 boxes"),
        (closed(Fragment((SLOT, SLOT), ((0, "x", 1),))), "token 1: its constant has 2 slots"),
        (closed(replace(NAME, unboxed=frozenset({0}))), "token 1: its constant has nodes"),
        (closed(NAME, lexical_labels=(("$FORM$",), ())), "token 1: the lexical label '\"\\$FORM"),
    ],
)
def test_content_beyond_a_tree_is_refused(derivation, reason) -> None:
    with pytest.raises(InputError, match=f"not an AM dependency tree: {reason}"):
        am_tree(derivation)


WHOLE = [
    CLOSED,
    TWO,
    replace(TWO, links=((), (Link("of", False, 0, 0),))),
    replace(TWO, operations=(ROOT, APP + "x"), reentrant=(Arc(1, 0, (Link("of", True, 0, 0),)),)),
    replace(TWO, scope=Scope((((-1, "not"),), ()), ((-1, 0), (0, 0)), ((-1, 0), (-1, 0)))),
    Derivation(
        ("New", "York"),
        (Fragment((f"{SLOT}.n.", SLOT), unboxed=frozenset({1})), None),
        (("a b", "$FORM$"), ()),
        (-1, -1),
        (ROOT, CONTINUE),
    ),
]


@pytest.mark.parametrize("derivation", WHOLE)
def test_whole_derivation_comes_back_from_its_text(derivation) -> None:
    text = am_tree_to_str(extended_lines(derivation))
    [read] = am_trees_from_str(text)
    assert read.derivation() == derivation
    assert am_tree_to_str(read) == text
    assert {line.count("\t") for line in text.splitlines()} == {15}


@given(well_typed_trees)
def test_a_tree_needs_no_further_columns(tree) -> None:
    lines = extended_lines(tree.derivation())
    assert not lines.extended
    assert lines.derivation() == tree.derivation()


@pytest.mark.parametrize(("column", "value", "message"), TABLES["columns"])
def test_a_faulty_further_column_is_named(column, value, message) -> None:
    first, *rest = am_tree_to_str(extended_lines(WHOLE[2])).splitlines()
    columns = first.split("\t")
    columns[column - 1] = value
    with pytest.raises(AMTreeError, match=re.escape(f"line 1: {message}")):
        am_trees_from_str("\n".join(["\t".join(columns), *rest]))
