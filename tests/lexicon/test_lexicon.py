"""What the lexicon counts, and what it rules out."""

import numpy as np
import pytest

from amparser.algebra.derivation import Derivation
from amparser.algebra.fragment import Fragment, fragment_from_penman
from amparser.algebra.tree import AMTree, Entry
from amparser.algebra.types import type_from_str
from amparser.errors import ModelError
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.restrictions import Restrictions
from amparser.schema import from_json, to_json

NOUN = fragment_from_penman("(i1<root> / --LEX--)", type_from_str("()"))
SLEEP = fragment_from_penman("(i1<root> / --LEX-- :agent (i2<L1>))", type_from_str("(L1())"))
EAT = fragment_from_penman("(i1<root> / --LEX-- :theme (i2<L1>))", type_from_str("(L1())"))
SEE = fragment_from_penman(
    "(i1<root> / --LEX-- :agent (i2<L1>) :theme (i3<R1>))", type_from_str("(L1(), R1())")
)


def tree_of(*entries: Entry) -> Derivation:
    return AMTree(entries).derivation()


def noun(form: str, head: int, operation: str) -> Entry:
    return Entry(form, head, operation, NOUN, "$LEMMA$", lemma=form)


def verb(form: str, lemma: str, supertag: Fragment) -> Entry:
    return Entry(form, 0, "ROOT", supertag, "$LEMMA$", lemma=lemma)


def corpus() -> list[Derivation]:
    """30 x 'cat slept', 10 x 'cake was eaten', 20 x 'cat saw dog', 5 x 'what cat saw'."""
    slept = tree_of(noun("cat", 2, "APP_L1"), verb("slept", "sleep", SLEEP))
    eaten = tree_of(noun("cake", 3, "APP_L1"), Entry("was"), verb("eaten", "eat", EAT))
    saw = tree_of(noun("cat", 2, "APP_L1"), verb("saw", "see", SEE), noun("dog", 2, "APP_R1"))
    question = tree_of(
        Entry("what", 3, "APP_R1", NOUN, "?"), noun("cat", 3, "APP_L1"), verb("saw", "see", SEE)
    )
    return [slept] * 30 + [eaten] * 10 + [saw] * 20 + [question] * 5


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.from_trees(corpus())


def index(lexicon: Lexicon, supertag: Fragment, template: str = "$LEMMA$") -> int:
    pairs = list(zip(lexicon.supertags, lexicon.templates, strict=True))
    return pairs.index((supertag, template))


def test_what_a_rare_word_never_had_is_less_probable(lexicon) -> None:
    rules = Restrictions(20, lexicon=lexicon)
    logp = rules.word("eaten")
    known = index(lexicon, EAT)
    assert logp[known] == 0
    least = np.log(rules.novelty / (10 + rules.novelty))
    # No word of its kind has another one either.
    assert (np.delete(logp, known) < least).all()


def test_a_rare_word_may_have_what_words_of_its_kind_have() -> None:
    trees = [
        tree_of(noun(f"n{i}", 2, "APP_L1"), verb(f"v{i}", f"v{i}", supertag))
        for i in range(12)
        for supertag in ([SLEEP, EAT] if i else [SLEEP])
    ]
    lexicon = Lexicon.from_trees(trees)
    rules = Restrictions(20, lexicon=lexicon)
    verbs, nouns = rules.word("v0"), rules.word("n5")
    eat = index(lexicon, EAT)
    assert verbs[eat] == pytest.approx(np.log(rules.novelty / (1 + rules.novelty)), abs=1.0)
    assert nouns[eat] < verbs[eat] - 1


def test_of_an_unknown_word_nothing_is_ruled_out(lexicon) -> None:
    logp = Restrictions(20, lexicon=lexicon).word("blicket")
    assert not logp.any()


def test_novelty_is_the_rate_of_new_supertags() -> None:
    # Of words seen twice, one in four has a second supertag: 2 of 8 tokens are new.
    trees = []
    for number in range(4):
        for use in range(2):
            supertag = EAT if number == 0 and use == 1 else SLEEP
            trees.append(
                tree_of(noun(f"n{number}", 2, "APP_L1"), verb(f"v{number}", f"v{number}", supertag))
            )
    a = Restrictions(20, lexicon=Lexicon.from_trees(trees)).novelty
    # Eight nouns and eight verbs, each predicted from one other: a / (1 + a) = 2 / 16.
    assert a / (1 + a) == pytest.approx(2 / 16, rel=0.2)


def test_an_operation_stays_on_its_side_but_for_what_was_seen_elsewhere(lexicon) -> None:
    allowed = Restrictions(lexicon=lexicon, supertag_count=20).side_allowed
    left, right = 0, 1
    object_of = lexicon.operations.index("APP_R1")
    subject_of = lexicon.operations.index("APP_L1")
    word, question = index(lexicon, NOUN), index(lexicon, NOUN, "?")
    assert not allowed[word, left, object_of]
    assert allowed[word, right, object_of]
    assert allowed[question, left, object_of]
    assert not allowed[:, right, subject_of].any()
    assert Restrictions(lexicon=lexicon, supertag_count=10**6).side_allowed.all(), (
        "too little is known of any operation"
    )


def test_mobile_is_what_was_seen_displaced(lexicon) -> None:
    assert np.flatnonzero(Restrictions(lexicon=lexicon, supertag_count=20).mobile).tolist() == [
        index(lexicon, NOUN, "?")
    ]


def test_dependents_keep_the_order_they_had_on_a_side(lexicon) -> None:
    left, subject, object_ = 0, *map(lexicon.operations.index, ("APP_L1", "APP_R1"))
    nearer = Restrictions(lexicon=lexicon, supertag_count=5).table.nearer
    assert np.argwhere(nearer).tolist() == [[left, subject, object_]]
    assert not Restrictions(lexicon=lexicon, supertag_count=6).table.nearer.any(), "seen five times"


def test_all_counts_survive_json(lexicon) -> None:
    again = from_json(to_json(lexicon, Lexicon), Lexicon, "model.json", error=ModelError)
    assert again == lexicon


def test_below_a_marker_that_takes_bare_forms_stands_no_other_form() -> None:
    marker = fragment_from_penman("(i1<root,C>)", type_from_str("(C())"))

    def below(form: str, lemma: str) -> Derivation:
        bare = Entry(form, 1, "APP_C", SLEEP, "$LEMMA$", lemma=lemma)
        return tree_of(Entry("to", 0, "ROOT", marker), bare)

    seen = [tree_of(noun("cat", 2, "APP_L1"), verb("slept", "sleep", SLEEP))]
    bare = Restrictions(6, lexicon=Lexicon.from_trees(seen + [below("sleep", "sleep")] * 20))
    found = bare.inflected(["cat", "to", "slept", "To", "blicket"])
    assert np.argwhere(found).tolist() == [[2, 1], [2, 3]]
    assert not bare.inflected(["cat", "slept"]).any()
    both = [below("sleep", "sleep")] * 20 + [below("slept", "sleep")]
    rules = Restrictions(6, lexicon=Lexicon.from_trees(seen + both))
    assert not rules.inflected(["to", "slept"]).any()
