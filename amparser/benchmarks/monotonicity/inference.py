"""Decide whether a hypothesis follows from a premise.

The *form* of a sentence is its variable-free formula (`logic.vf`). A method (natural logic or a
prover) decides from the forms of both sentences. A classifier decides from the sentences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from amparser.benchmarks.monotonicity.benchmark import CLASSIFIERS
from amparser.benchmarks.monotonicity.natural_logic import Follows, steps
from amparser.benchmarks.monotonicity.pairs import (
    BETWEEN,
    ENTAILMENT,
    NEUTRAL,
    SIDES,
    Tokens,
    checked_pair,
    pair_tokens,
    sides,
)
from amparser.benchmarks.monotonicity.reading import grammar_reading, parser_reading
from amparser.benchmarks.monotonicity.vocabulary import Vocabulary, read_vocabulary
from amparser.benchmarks.sygns.entailment import Prover, Verdict, z3_prover
from amparser.corpora.example import Example
from amparser.errors import InputError
from amparser.evaluation.answers import answers_of
from amparser.files import lines_of, read_text, shown_name
from amparser.logic.fol import And
from amparser.logic.vf import Form, Reading, fol_from_vf
from amparser.results import Result

if TYPE_CHECKING:
    from amparser.learn.system import Model

UNKNOWN = "unknown"
_LABELS = {Verdict.ENTAILED: ENTAILMENT, Verdict.NOT_ENTAILED: NEUTRAL, Verdict.UNKNOWN: UNKNOWN}


class Sentence(NamedTuple):
    """Tokens and form of a sentence."""

    tokens: Tokens
    form: Form


class Answer(NamedTuple):
    """Label with an explanation on one line."""

    label: str
    explanation: str


Method: TypeAlias = Callable[[Sentence, Sentence], Answer]


def natural_logic(follows: Follows) -> Method:
    """Return the method that compares forms; see the module `natural_logic`."""

    def answer(premise: Sentence, hypothesis: Sentence) -> Answer:
        differences = steps(premise.form, hypothesis.form, follows)
        label = ENTAILMENT if all(step.follows for step in differences) else NEUTRAL
        lines = [step.explained(premise.tokens, hypothesis.tokens) for step in differences]
        return Answer(label, "; ".join(lines) or "the same meaning")

    return answer


def proving(vocabulary: Vocabulary, prove: Prover) -> Method:
    """Return the method that proves entailments with the axioms of a vocabulary."""

    def answer(premise: Sentence, hypothesis: Sentence) -> Answer:
        left, right = (fol_from_vf(sentence.form.term) for sentence in (premise, hypothesis))
        known = (left, *vocabulary.axioms([left, right]))
        verdict = prove(And(known) if len(known) > 1 else left, right)
        explanation = f"{verdict.value}: {', '.join(map(str, known))} |- {right}"
        return Answer(_LABELS[verdict], explanation)

    return answer


def method_of(*, prover: bool = False) -> Method:
    """Return natural logic, or proofs by z3, with the vocabulary of the packaged grammar."""
    vocabulary = read_vocabulary()
    return proving(vocabulary, z3_prover()) if prover else natural_logic(vocabulary.follows)


def answered(
    pairs: Iterable[tuple[Tokens, Tokens]], reading: Reading, method: Method
) -> list[Answer]:
    """Return a method's answers to pairs of sentences."""
    pairs = list(pairs)
    different = list(dict.fromkeys(sentence for pair in pairs for sentence in pair))
    forms: dict[Tokens, Any] = dict(zip(different, reading(different), strict=True))
    answers = []
    for pair in pairs:
        sentences = [Sentence(tokens, forms[tokens]) for tokens in pair]
        problems = [
            f"{side}: {sentence.form}"
            for side, sentence in zip(SIDES, sentences, strict=True)
            if isinstance(sentence.form, InputError)
        ]
        answers.append(Answer("", problems[0]) if problems else method(*sentences))
    return answers


def labels(examples: Sequence[Example], reading: Reading, method: Method) -> list[Result]:
    """Return the label of each pair, or a failure if the pair cannot be read or decided."""
    answers = answered((sides(example.tokens) for example in examples), reading, method)
    return [
        Result(example.tokens, label)
        if label in (ENTAILMENT, NEUTRAL)
        else Result(example.tokens, failure=explanation)
        for example, (label, explanation) in zip(examples, answers, strict=True)
    ]


def model_labels(
    model: Model, examples: Sequence[Example], decoders: Sequence[str] = ()
) -> Mapping[str, list[Result]]:
    """Return the labels that a model gives to pairs, by decoder.

    A classifier labels pairs directly. A parser parses both sentences of a pair, and natural logic
    compares the two forms. Raises InputError if the model is neither a classifier nor a parser of
    forms.
    """
    names = list(decoders) or list(model.decoders[:1])
    if not model.notation or not any(BETWEEN in example.tokens for example in examples):
        return answers_of(model, examples, names)
    method = method_of()
    return {name: labels(examples, parser_reading(model, name), method) for name in names}


def pairs_of(
    texts: Sequence[str], input_name: str | None = None
) -> list[tuple[str, tuple[Tokens, Tokens]]]:
    """Return (place in the file, pair) tuples from two arguments or a file.

    Lines of the file are PREMISE<TAB>HYPOTHESIS. Raises InputError if a line is not a pair, or if
    arguments and file are both given or both missing.
    """
    if input_name is None:
        if len(texts) != 2:
            raise InputError(
                f"expected a premise and a hypothesis, or --input FILE, found {len(texts)} texts"
            )
        return [("", checked_pair(texts))]
    if texts:
        raise InputError("give a premise and a hypothesis or --input FILE, not both")
    name = shown_name(input_name)
    pairs = []
    for number, line in enumerate(lines_of(read_text(input_name)), 1):
        columns = line.split("\t")
        if len(columns) != 2:
            expected = f"expected PREMISE<TAB>HYPOTHESIS, found {len(columns)} columns"
            raise InputError(f"{name}:{number}: {expected}")
        place = f"{name}:{number}: "
        try:
            pairs.append((place, checked_pair(columns)))
        except InputError as error:
            raise InputError(f"{place}{error}") from None
    if not pairs:
        raise InputError(f"{name}: no pairs, expected PREMISE<TAB>HYPOTHESIS on each line")
    return pairs


def decided(
    pairs: Iterable[tuple[Tokens, Tokens]], model: Model | None, *, prover: bool
) -> list[Answer]:
    """Return the answers to pairs, by a model or (without a model) by the grammar.

    A classifier explains an answer by its probability. Raises InputError if the model is neither a
    parser of forms nor a classifier, or is a classifier and `prover` is set.
    """
    if model is None:
        return answered(pairs, grammar_reading, method_of(prover=prover))
    if model.system not in CLASSIFIERS:
        return answered(pairs, parser_reading(model), method_of(prover=prover))
    if prover:
        raise InputError(f"--prover needs a parser of forms, found a model of {model.system}")
    examples = [Example(pair_tokens(*pair)) for pair in pairs]
    [results] = answers_of(model, examples, model.decoders).values()
    return [
        Answer(result.meaning or "", result.failure or f"{math.exp(result.logp or 0.0):.4f}")
        for result in results
    ]
