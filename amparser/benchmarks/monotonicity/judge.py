"""Whether a sentence follows from another one: by natural logic, or by a prover."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from amparser.benchmarks.monotonicity.natural import Follows, steps
from amparser.benchmarks.monotonicity.proof import ProofSearch
from amparser.benchmarks.monotonicity.replacements import ENTAILMENT, NEUTRAL
from amparser.benchmarks.monotonicity.vocabulary import Vocabulary
from amparser.errors import InputError
from amparser.evaluation.metrics.entailment import Verdict
from amparser.logic.form import Form, Reading
from amparser.logic.vf import fol_from_vf

UNKNOWN = "unknown"
_LABELS = {
    Verdict.ENTAILED: ENTAILMENT,
    Verdict.NOT_ENTAILED: NEUTRAL,
    Verdict.UNKNOWN: UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of a sentence with its form."""

    tokens: tuple[str, ...]
    form: Form


@dataclass(frozen=True, slots=True)
class Answer:
    """What holds between a premise and a hypothesis.

    Attributes:
        label: `entailment`, `neutral`, or `unknown` where a prover settles it not.
        explanation: one line without tabs: steps, a proof or a countermodel.
    """

    label: str
    explanation: str


Method: TypeAlias = Callable[[Sentence, Sentence], Answer]


def natural_logic(follows: Follows) -> Method:
    """The method that compares forms step by step (`amparser.benchmarks.monotonicity.natural`)."""

    def answer(premise: Sentence, hypothesis: Sentence) -> Answer:
        found = steps(premise.form, hypothesis.form, follows)
        label = ENTAILMENT if all(step.follows for step in found) else NEUTRAL
        lines = [step.explained(premise.tokens, hypothesis.tokens) for step in found]
        return Answer(label, "; ".join(lines) or "the same meaning")

    return answer


def proving(vocabulary: Vocabulary, search: ProofSearch) -> Method:
    """The method that proves formulas, with the axioms of a vocabulary."""

    def answer(premise: Sentence, hypothesis: Sentence) -> Answer:
        left, right = (fol_from_vf(sentence.form.term) for sentence in (premise, hypothesis))
        proof = search(left, vocabulary.axioms([left, right]), right)
        return Answer(_LABELS[proof.verdict], proof.explained(left, right))

    return answer


def read_sentences(
    reading: Reading, sentences: Sequence[tuple[str, ...]]
) -> list[Sentence | InputError]:
    """The sentences with their forms, or why they have none; each is read once."""
    different = list(dict.fromkeys(sentences))
    forms = dict(zip(different, reading(different), strict=True))
    found: list[Sentence | InputError] = []
    for tokens in sentences:
        form = forms[tokens]
        found.append(Sentence(tokens, form) if isinstance(form, Form) else form)
    return found
