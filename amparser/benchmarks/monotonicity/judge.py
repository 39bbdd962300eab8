"""Whether a sentence follows from another one: by natural logic, by a prover, by a model.

A method decides about two sentences with their forms. A judge labels pairs: it reads their
sentences and applies a method, or it asks a classifier of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias

from amparser.benchmarks.monotonicity.natural_logic import Follows, steps
from amparser.benchmarks.monotonicity.pairs import BETWEEN, sides
from amparser.benchmarks.monotonicity.proof import ProofSearch, z3_proofs
from amparser.benchmarks.monotonicity.reading import QUANTIFIED, readings
from amparser.benchmarks.monotonicity.replacements import ENTAILMENT, NEUTRAL
from amparser.benchmarks.monotonicity.vocabulary import Vocabulary, load_vocabulary
from amparser.benchmarks.sygns.entailment import Verdict
from amparser.corpora.example import Example
from amparser.errors import InputError
from amparser.evaluation.answers import answers_of
from amparser.logic.form import Form, Reading
from amparser.logic.vf import fol_from_vf
from amparser.results import Result

if TYPE_CHECKING:
    from amparser.learn.system import Model

UNKNOWN = "unknown"
COMMA = ","
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
    """The relation of a premise to a hypothesis.

    Attributes:
        label: `entailment`, `neutral`, or `unknown` if a prover does not settle it.
        explanation: one line without tabs: steps, a proof or a countermodel.
    """

    label: str
    explanation: str


Method: TypeAlias = Callable[[Sentence, Sentence], Answer]


def natural_logic(follows: Follows) -> Method:
    """The method that compares forms step by step (see `natural_logic`)."""

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


def method_of(*, prover: bool = False) -> Method:
    """Natural logic, or proofs by z3, over the words of the package's grammar.

    Raises:
        InputError: z3 is asked for and not installed.
    """
    vocabulary = load_vocabulary()
    return proving(vocabulary, z3_proofs()) if prover else natural_logic(vocabulary.follows)


def read_sentences(
    reading: Reading, sentences: Sequence[tuple[str, ...]]
) -> list[Sentence | InputError]:
    """The sentences with their forms, or the reasons why they have none; each is read once."""
    different = list(dict.fromkeys(sentences))
    forms = dict(zip(different, reading(different), strict=True))
    found: list[Sentence | InputError] = []
    for tokens in sentences:
        form = forms[tokens]
        found.append(Sentence(tokens, form) if isinstance(form, Form) else form)
    return found


def candidates(
    premise: tuple[str, ...], hypothesis: tuple[str, ...]
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The pair, and the pair without a phrase and comma that both sentences begin with.

    What stands in front of both, such as "Near the lake,", restricts both alike. So a pair
    whose words there are not known may be judged by the rest.
    """
    shared = takewhile(lambda both: both[0] == both[1], zip(premise, hypothesis, strict=False))
    front = [token for token, _ in shared]
    if COMMA not in front:
        return [(premise, hypothesis)]
    end = front.index(COMMA) + 1
    return [(premise, hypothesis), (premise[end:], hypothesis[end:])]


def _all_read(pair: Sequence[Sentence | InputError]) -> bool:
    return all(isinstance(sentence, Sentence) for sentence in pair)


def labels(examples: Sequence[Example], reading: Reading, method: Method) -> list[Result]:
    """The label of each pair by a method.

    A pair has a failure if one of its sentences cannot be read, not without the phrase that
    both begin with either (see `candidates`), or if it is not settled.
    """
    asked = [candidates(*sides(example.tokens)) for example in examples]
    sentences = iter(read_sentences(reading, [s for row in asked for pair in row for s in pair]))
    results = []
    for example, row in zip(examples, asked, strict=True):
        read = [(next(sentences), next(sentences)) for _ in row]
        one, other = next((pair for pair in read if _all_read(pair)), read[0])
        if isinstance(one, Sentence) and isinstance(other, Sentence):
            answer = method(one, other)
            label = None if answer.label == UNKNOWN else answer.label
            failure = None if label else answer.explanation
            results.append(Result(example.tokens, label, failure=failure))
        else:
            side, error = ("premise", one) if isinstance(one, InputError) else ("hypothesis", other)
            results.append(Result(example.tokens, failure=f"{side}: {error}"))
    return results


def model_labels(
    model: Model, examples: Sequence[Example], decoders: Sequence[str] = ()
) -> Mapping[str, list[Result]]:
    """The labels that a model gives to pairs, by decoder.

    A parser of quantified forms reads the sentences of pairs, and natural logic compares them.
    A classifier answers the pairs themselves, as any model answers single sentences.

    Raises:
        InputError: the model answers with meanings of another notation.
    """
    names = list(decoders) or list(model.decoders[:1])
    holds_pairs = any(BETWEEN in example.tokens for example in examples)
    if holds_pairs and model.notation == QUANTIFIED:
        pairs = [pair for example in examples for pair in candidates(*sides(example.tokens))]
        sentences = list(dict.fromkeys(sentence for pair in pairs for sentence in pair))
        forms = readings(model, sentences, names)
        method = method_of()
        return {name: labels(examples, _known(sentences, forms[name]), method) for name in names}
    if holds_pairs and model.notation:
        raise InputError(
            f"expected a parser of {QUANTIFIED} forms or a classifier of pairs, "
            f"found a model of {model.notation}"
        )
    return answers_of(model, examples, names)


def _known(sentences: Sequence[tuple[str, ...]], forms: Sequence[Form | InputError]) -> Reading:
    """A reading that looks up known forms."""
    table = dict(zip(sentences, forms, strict=True))
    return lambda wanted: [table[tuple(tokens)] for tokens in wanted]
