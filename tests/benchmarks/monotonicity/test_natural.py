"""Natural logic, compared with expected labels and with a prover."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from amparser.benchmarks.monotonicity.inference import Answer, Sentence, natural_logic, proving
from amparser.benchmarks.monotonicity.natural_logic import Polarity, steps
from amparser.benchmarks.monotonicity.pairs import ENTAILMENT, NEUTRAL
from amparser.benchmarks.monotonicity.reading import derivation_of, form_of, fragment
from amparser.benchmarks.monotonicity.vocabulary import Vocabulary, read_vocabulary
from amparser.benchmarks.sygns.entailment import z3_prover
from amparser.corpora.tokens import tokenize
from amparser.grammar.sample import Limit, Sampler
from amparser.logic.vf import Form, vf_from_str

VOCABULARY = read_vocabulary()


def answer(premise: str, hypothesis: str) -> Answer:
    tokens = [tokenize(text) for text in (premise, hypothesis)]
    both = (Sentence(each, form_of(derivation_of(each))) for each in tokens)
    return natural_logic(VOCABULARY.follows)(*both)


def unaligned(text: str) -> Form:
    def of(term) -> Form:  # type: ignore[no-untyped-def]
        return Form(term, tuple(map(of, term.terms)), ())

    return of(vf_from_str(text))


LABELS, EXPLANATIONS = (
    [row.split("\t") for row in part.splitlines()[1:]]
    for part in Path(__file__).with_name("natural.tsv").read_text(encoding="utf-8").split("\n\n")
)


@pytest.mark.parametrize(("premise", "hypothesis", "forwards", "backwards"), LABELS)
def test_several_replacements_at_once(premise, hypothesis, forwards, backwards) -> None:
    assert answer(premise, hypothesis).label == forwards
    assert answer(hypothesis, premise).label == backwards


@pytest.mark.parametrize(("premise", "hypothesis", "explanation"), EXPLANATIONS)
def test_explanations(premise, hypothesis, explanation) -> None:
    assert answer(premise, hypothesis).explanation.startswith(explanation)


def test_the_restriction_of_all_is_downward() -> None:
    vocabulary = Vocabulary({"dog": ["animal"], "run": ["move"]})
    forms = map(unaligned, ("ALL ANIMAL RUN", "ALL DOG MOVE"))
    found = steps(*forms, vocabulary.follows)
    assert [step.polarity for step in found] == [Polarity.DOWNWARD, Polarity.UPWARD]
    assert [step.relation for step in found] == [Polarity.DOWNWARD, Polarity.UPWARD]
    assert all(step.follows for step in found)


def test_comparing_deep_forms_is_not_exponential() -> None:
    def nested(word: str) -> str:
        text = word
        for _ in range(60):
            text = f"AND BEAR EXIST {text} SEE"
        return text

    [step] = steps(*map(unaligned, (nested("DOG"), nested("CAT"))), lambda a, b: a == b)
    assert not step.follows


def drawn_pairs(count: int) -> list[tuple[Sentence, Sentence]]:
    """Return pairs of sentences from a small vocabulary, so that many are related."""
    grammar = fragment().grammar
    kept = (
        "some no few a_few at_least_three at_most_three more_than_three noun_dog_sg noun_dog_pl "
        "hypernym_animal_sg hypernym_animal_pl intransitive_run wider_move joined_cry "
        "transitive_hit adjective_small adverb_slowly that"
    )
    leaves = {rule.label for rule in grammar.rules if not rule.children}
    left_out = frozenset(leaves - set(kept.split()))
    embedded = frozenset({"embedding_sg", "embedding_pl"})
    adjectives = frozenset({"adjective_sg", "adjective_pl"})
    limits = [Limit(left_out, 0, 0), Limit(embedded, 0, 1), Limit(adjectives, 0, 1)]
    sampler = Sampler(grammar, "Sentence", constraints=limits)
    random = Random(7)
    found = []
    for _ in range(count):
        pair = []
        for _ in range(2):
            derivation = sampler.sample(random)
            pair.append(Sentence(fragment().tokens(derivation), form_of(derivation)))
        found.append((pair[0], pair[1]))
    return found


def test_entailments_of_natural_logic_are_proven() -> None:
    natural, prover = natural_logic(VOCABULARY.follows), proving(VOCABULARY, z3_prover())
    counts: Counter[tuple[str, str]] = Counter()
    for premise, hypothesis in drawn_pairs(400):
        labels = natural(premise, hypothesis).label, prover(premise, hypothesis).label
        counts[labels] += 1
    assert counts[ENTAILMENT, ENTAILMENT] >= 10
    assert set(counts) <= {(ENTAILMENT, ENTAILMENT), (NEUTRAL, NEUTRAL), (NEUTRAL, ENTAILMENT)}
    assert counts[NEUTRAL, ENTAILMENT] <= 4
