"""Polymorphic requests: generalising them, and making trees concrete again."""

from amparser.algebra.expand import expand
from amparser.algebra.fragment import Fragment, fragment_from_penman
from amparser.algebra.tree import AMTree, Entry
from amparser.algebra.types import type_from_str, type_to_str
from amparser.graph.sgraph import Edge, Node, SGraph, isomorphic
from amparser.lexicon.polymorphism import generalise, instantiate


def supertag(penman: str, lexical_type: str) -> Fragment:
    return fragment_from_penman(penman, type_from_str(lexical_type))


NOUN = supertag("(i1<root> / --LEX--)", "()")
GIVE = supertag("(i1<root> / --LEX-- :agent (i2<L1>) :goal (i3<to>))", "(L1(), to())")
TO = supertag("(i1<root,C>)", "(C())")
THAT = "(i1<root,C> :rel-of (i2<M>))"


def test_supertags_that_differ_in_one_renaming_become_one() -> None:
    left, right = supertag(THAT, "(C(L1_UNIFY_M), M())"), supertag(THAT, "(C(R1_UNIFY_M), M())")
    raising = supertag(TO.penman, "(C(L1()), L1())")
    general = generalise([left, right, TO, raising, NOUN])
    assert general[left] == general[right] == supertag(THAT, "(C(*_UNIFY_M), M())")
    assert all(general[s] == s for s in (TO, raising, NOUN))


def test_one_of_its_kind_stays_as_it_is() -> None:
    only = supertag(THAT, "(C(L1_UNIFY_M), M())")
    assert generalise([only, NOUN]) == {only: only, NOUN: NOUN}


def test_a_bound_gap_is_passed_up_to_the_relativiser() -> None:
    """'cat that Ava gave to': the content of `to` is the cat, through two constants."""
    that = supertag(THAT, "(C(*_UNIFY_M), M())")
    tree = AMTree(
        (
            Entry("cat", 0, "ROOT", NOUN, "cat"),
            Entry("that", 1, "MOD_M", that),
            Entry("Ava", 4, "APP_L1", NOUN, "Ava"),
            Entry("gave", 2, "APP_C", GIVE, "give"),
            Entry("to", 4, "APP_to", TO),
        )
    ).derivation()
    concrete = instantiate(tree)
    assert concrete.problems() == []
    types = [type_to_str(one.type) for one in concrete.fragments if one]
    assert types == ["()", "(C(C_UNIFY_M), M())", "()", "(C(), L1(), to(C()))", "(C())"]
    expected = SGraph(
        {0: Node("cat"), 1: Node("give"), 2: Node("Ava")},
        (Edge(0, "rel", 1), Edge(1, "agent", 2), Edge(1, "goal", 0)),
        0,
    )
    assert isomorphic(expand(concrete), expected)
