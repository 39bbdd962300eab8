"""What the lexicon counts, and what it rules out."""

import numpy as np
import pytest

from amparser.algebra.supertag import Supertag
from amparser.algebra.types import type_from_str
from amparser.amtree.lexicon import Lexicon, MinCounts
from amparser.amtree.tree import AMTree, Entry

NOUN = Supertag("(i1<root> / --LEX--)", type_from_str("()"))
SLEEP = Supertag("(i1<root> / --LEX-- :agent (i2<L1>))", type_from_str("(L1())"))
EAT = Supertag("(i1<root> / --LEX-- :theme (i2<L1>))", type_from_str("(L1())"))
SEE = Supertag(
    "(i1<root> / --LEX-- :agent (i2<L1>) :theme (i3<R1>))", type_from_str("(L1(), R1())")
)


def noun(form: str, head: int, operation: str) -> Entry:
    return Entry(form, head, operation, NOUN, "$LEMMA$", lemma=form)


def verb(form: str, lemma: str, supertag: Supertag) -> Entry:
    return Entry(form, 0, "ROOT", supertag, "$LEMMA$", lemma=lemma)


def corpus() -> list[AMTree]:
    """30 x 'cat slept', 10 x 'cake was eaten', 20 x 'cat saw dog', 5 x 'what cat saw'."""
    slept = AMTree((noun("cat", 2, "APP_L1"), verb("slept", "sleep", SLEEP)))
    eaten = AMTree((noun("cake", 3, "APP_L1"), Entry("was"), verb("eaten", "eat", EAT)))
    saw = AMTree((noun("cat", 2, "APP_L1"), verb("saw", "see", SEE), noun("dog", 2, "APP_R1")))
    question = AMTree(
        (
            Entry("what", 3, "APP_R1", NOUN, "?"),
            noun("cat", 3, "APP_L1"),
            verb("saw", "see", SEE),
        )
    )
    return [slept] * 30 + [eaten] * 10 + [saw] * 20 + [question] * 5


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.from_trees(corpus())


def index(lexicon: Lexicon, supertag: Supertag, template: str = "$LEMMA$") -> int:
    pairs = list(zip(lexicon.supertags, lexicon.templates, strict=True))
    return pairs.index((supertag, template))


def test_a_frequent_word_has_no_supertag_it_never_had(lexicon: Lexicon) -> None:
    allowed = lexicon.allowed("slept", MinCounts(word=20, supertag=100)).supertags
    assert allowed is not None
    assert np.flatnonzero(allowed).tolist() == [index(lexicon, SLEEP)]


def test_of_a_rare_or_unknown_word_nothing_is_ruled_out(lexicon: Lexicon) -> None:
    assert lexicon.allowed("eaten", MinCounts(20, 100)).supertags is None
    assert lexicon.allowed("blicket", MinCounts(1, 1)).supertags is None


def test_an_operation_stays_on_its_side_but_for_what_was_seen_elsewhere(lexicon: Lexicon) -> None:
    allowed = lexicon.side_allowed(20)
    left, right = 0, 1
    object_of = lexicon.operations.index("APP_R1")
    subject_of = lexicon.operations.index("APP_L1")
    word, question = index(lexicon, NOUN), index(lexicon, NOUN, "?")
    assert not allowed[word, left, object_of]
    assert allowed[word, right, object_of]
    assert allowed[question, left, object_of]
    assert not allowed[:, right, subject_of].any()
    assert lexicon.side_allowed(10**6).all(), "too little is known of any operation"


def test_mobile_is_what_was_seen_displaced(lexicon: Lexicon) -> None:
    assert np.flatnonzero(lexicon.mobile(20)).tolist() == [index(lexicon, NOUN, "?")]


def test_what_always_stands_behind_one_ignored_word_stands_nowhere_else(lexicon: Lexicon) -> None:
    passive, active = index(lexicon, EAT), index(lexicon, SEE)
    assert lexicon.allowed_after("was", 10)[passive]
    assert not lexicon.allowed_after("was", 10)[active]
    assert not lexicon.allowed_after("cat", 10)[passive]
    assert not lexicon.allowed_after(None, 10)[passive]
    assert lexicon.allowed_after("cat", 10)[active]
    assert lexicon.allowed_after("cat", 11).all(), "ten occurrences are too few"


def test_all_counts_survive_json(lexicon: Lexicon) -> None:
    again = Lexicon.from_dict(lexicon.to_dict())
    assert again == lexicon
