"""Polymorphic requests: generalising them, and making trees concrete again."""

from amparser.algebra.fragment import Fragment, fragment_from_penman
from amparser.algebra.types import type_from_str
from amparser.lexicon.supertags import generalise


def supertag(penman: str, lexical_type: str) -> Fragment:
    return fragment_from_penman(penman, type_from_str(lexical_type))


NOUN = supertag("(i1<root> / --LEX--)", "()")
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
