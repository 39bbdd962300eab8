"""Supertags by their parts, and what is built from parts that were seen."""

from amparser.algebra.fragment import Fragment, fragment_from_penman
from amparser.algebra.types import type_from_str
from amparser.graph.sgraph import isomorphic
from amparser.lexicon.supertags import compositions, part_indices, parts_of


def constant(penman: str, lexical_type: str) -> Fragment:
    return fragment_from_penman(penman, type_from_str(lexical_type))


ACTIVE = constant("(i1<root> / --LEX-- :agent (i2<L1>) :theme (i3<R1>))", "(L1(), R1())")
PASSIVE = constant("(i1<root> / --LEX-- :theme (i2<L1>) :agent (i3<by>))", "(L1(), by())")
SHORT_PASSIVE = constant("(i1<root> / --LEX-- :theme (i2<L1>))", "(L1())")
CONTROL = constant("(i1<root> / --LEX-- :agent (i2<L1>) :xcomp (i3<to>))", "(L1(), to(L1()))")
NOUN = constant("(i1<root> / --LEX--)", "()")
MARKER = constant("(i1<root,C>)", "(C())")


GIVE = constant(
    "(i1<root> / --LEX-- :agent (i2<L1>) :theme (i3<R1>) :recipient (i4<to>))", "(L1(), R1(), to())"
)
SHORT_GIVEN = constant("(i1<root> / --LEX-- :theme (i2<L1>) :recipient (i3<to>))", "(L1(), to())")
GIVEN = constant(
    "(i1<root> / --LEX-- :theme (i2<L1>) :recipient (i3<to>) :agent (i4<by>))", "(L1(), by(), to())"
)


def built_from(*supertags: Fragment) -> set[tuple[str, str]]:
    found = compositions((supertag, "$LEMMA$") for supertag in supertags)
    return {(s.penman, str(s.type)) for s, _ in found}


def test_an_unseen_combination_of_seen_parts_is_built() -> None:
    [(penman, lexical_type)] = built_from(ACTIVE, PASSIVE, SHORT_PASSIVE, GIVE, SHORT_GIVEN)
    built = constant(penman, lexical_type)
    assert isomorphic(built.graph, GIVEN.graph)
    assert built.type == GIVEN.type


def test_no_source_comes_without_one_that_it_always_came_with() -> None:
    # By comes with L1 and R1 with L1, so neither of them alone, nor both without it.
    found = built_from(ACTIVE, PASSIVE, SHORT_PASSIVE, GIVE, SHORT_GIVEN)
    assert found
    assert all("L1" in lexical_type for _, lexical_type in found)


def test_no_role_comes_without_one_that_it_always_came_with() -> None:
    found = built_from(ACTIVE, PASSIVE, SHORT_PASSIVE, CONTROL, GIVE)
    assert all("agent" in penman for penman, _ in found if "xcomp" in penman)
    assert all("theme" in penman for penman, _ in found if "recipient" in penman)


def test_roles_never_seen_together_are_not_combined() -> None:
    assert not any(
        "theme" in penman and "xcomp" in penman
        for penman, _ in built_from(ACTIVE, PASSIVE, CONTROL)
    )


def test_nothing_is_built_of_markers() -> None:
    assert compositions([(MARKER, None)]) == []


def test_what_is_built_has_no_problem_and_only_seen_parts() -> None:
    seen = [ACTIVE, PASSIVE, SHORT_PASSIVE, CONTROL, NOUN]
    known = set().union(*(parts_of(s, "$LEMMA$") for s in seen))
    for supertag, template in compositions((s, "$LEMMA$") for s in seen):
        assert supertag.problems == ()
        assert parts_of(supertag, template) <= known


def test_different_supertags_have_different_parts() -> None:
    supertags = [None, ACTIVE, PASSIVE, SHORT_PASSIVE, CONTROL, NOUN, NOUN, MARKER]
    templates = [None, *["$LEMMA$"] * 5, "?", None]
    rows = part_indices(supertags, templates)
    assert len({tuple(row) for row in rows}) == len(rows)
