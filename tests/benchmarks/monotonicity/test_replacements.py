"""Replacements and their labels, against the published pairs, polarities and a prover."""

from collections import Counter
from pathlib import Path

import pytest
from monotonicity_data import DEPTHS, read_pairs
from recovered_replacements import recovered
from term_polarities import vf_polarities

from amparser.benchmarks import fragments
from amparser.benchmarks.monotonicity.reading import fragment
from amparser.benchmarks.monotonicity.replacements import (
    ENTAILMENT,
    FUNCTIONS,
    NEUTRAL,
    Relation,
    Replacement,
    positions,
    replacements,
)
from amparser.benchmarks.monotonicity.vocabulary import Vocabulary, read_vocabulary
from amparser.benchmarks.sygns.entailment import Verdict, z3_prover
from amparser.corpora.tokens import tokenize
from amparser.errors import GrammarError
from amparser.grammar.irtg import Derivation
from amparser.logic.fol import And, Formula, fol_from_str
from amparser.logic.polarity import Polarity

LIBRARY = fragment()
VOCABULARY = read_vocabulary()


def derivation(sentence: str) -> Derivation:
    [found] = LIBRARY.chart(tokenize(sentence)).derivations()
    return found


def between(premise: str, hypothesis: str) -> Replacement | None:
    return recovered(derivation(premise), derivation(hypothesis))


def by_z3(premise: Formula, axioms: list[Formula], hypothesis: Formula) -> Verdict:
    return z3_prover()(And((premise, *axioms)) if axioms else premise, hypothesis)


@pytest.mark.parametrize("depth", DEPTHS)
def test_published_pairs_have_our_function_polarity_and_label(data_dir: Path, depth: int) -> None:
    for pair in read_pairs(data_dir, depth, step=4):
        found = between(pair.premise, pair.hypothesis)
        assert found is not None, pair
        assert (found.function, found.label) == (pair.function, pair.label), pair
        assert found.polarity.value == f"{pair.direction}ward"


@pytest.mark.parametrize("depth", DEPTHS)
def test_labels_of_published_pairs_are_proven(data_dir: Path, depth: int) -> None:
    for pair in read_pairs(data_dir, depth, step=50):
        premise, hypothesis = (fragments.formula(derivation(s)) for s in pair[:2])
        verdict = by_z3(premise, VOCABULARY.axioms([premise, hypothesis]), hypothesis)
        expected = Verdict.ENTAILED if pair.label == ENTAILMENT else Verdict.NOT_ENTAILED
        assert verdict is expected, pair


PREMISES = (
    "Some dog ran.",
    "Few wolves left.",
    "No lion which at most three dogs touched walked.",
    "A few cats that hurt no small bear near the shore came slowly.",
    "Slowly, less than three foxes danced.",
    "No tiger touched several dogs.",
)


def test_every_replacement_has_the_label_that_a_prover_gives() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for sentence in PREMISES:
        premise = derivation(sentence)
        by_kind = {}
        for found in replacements(premise):
            by_kind[found.function, found.path] = found
        for found in by_kind.values():
            formulas = [fragments.formula(premise), fragments.formula(found.result)]
            verdict = by_z3(formulas[0], VOCABULARY.axioms(formulas), formulas[1])
            assert (verdict is Verdict.ENTAILED) == (found.label == ENTAILMENT), found
            seen[found.function, found.label] += 1
    assert set(seen) == {(name, label) for name in FUNCTIONS for label in (ENTAILMENT, NEUTRAL)}


@pytest.mark.parametrize("sentence", PREMISES)
def test_the_polarity_of_a_position_is_that_of_its_word(sentence: str) -> None:
    found = derivation(sentence)
    expected = Counter(vf_polarities(fragments.vf(found)))
    words: Counter[tuple[str, Polarity]] = Counter()
    for _, polarity, node in positions(found):
        if not node.children and not node.rule.parent.startswith(("Pronoun", "Upward", "Downward")):
            words[node.rule.terms["form"].label, polarity] += 1
    assert words == expected


def test_the_order_of_words_is_transitive() -> None:
    vocabulary = Vocabulary({"puppy": ["dog"], "dog": ["animal"]})
    assert vocabulary.follows("puppy", "animal")
    assert vocabulary.follows("cat", "cat")
    assert not vocabulary.follows("animal", "puppy")
    formula = fol_from_str("exists x.(puppy(x) & see(x,x)) & -exists x.animal(x)")
    assert list(map(str, vocabulary.axioms([formula]))) == ["all x1.(puppy(x1) -> animal(x1))"]


def test_a_wider_word_must_be_a_word(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    path.write_text("class\tpredicate\twider\nnoun\tdog\tanimal\n", encoding="utf-8")
    with pytest.raises(GrammarError, match=r"words\.tsv: 'animal' is wider than 'dog'"):
        read_vocabulary(path)


def test_a_published_neutral_pair_that_follows_by_accident() -> None:
    """The one pair of 20,000: the few tigers are themselves a few tigers who touched the cats."""
    premise, hypothesis = (
        f"At most three wolves few tigers which touched at least three cats a few {noun} touched "
        "followed dawdled."
        for noun in ("creatures", "tigers")
    )
    found = between(premise, hypothesis)
    assert found is not None
    assert (found.polarity, found.relation) == (Polarity.UPWARD, Relation.NARROWER)
    assert found.label == NEUTRAL
    formulas = [fragments.formula(derivation(s)) for s in (premise, hypothesis)]
    assert by_z3(formulas[0], VOCABULARY.axioms(formulas), formulas[1]) is Verdict.ENTAILED
