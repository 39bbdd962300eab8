"""Decide whether a sentence follows from another one: by natural logic, by a prover, by a model.

A method decides about two sentences with their forms. Pairs come from data files, whose
answers are labels, or from a user; messages name a sentence by its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from amparser.benchmarks.monotonicity.natural_logic import Follows, steps
from amparser.benchmarks.monotonicity.pairs import BETWEEN, Tokens, pair_tokens, sides
from amparser.benchmarks.monotonicity.reading import (
    parser_reading,
)
from amparser.benchmarks.monotonicity.replacements import ENTAILMENT, NEUTRAL
from amparser.benchmarks.monotonicity.vocabulary import Vocabulary, read_vocabulary
from amparser.benchmarks.sygns.entailment import Prover, Verdict, z3_prover
from amparser.corpora.example import Example
from amparser.corpora.tokens import checked_tokens
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
_SIDES = ("premise", "hypothesis")
_SHOWN = 3
"""Maximum problems that a message names."""

PlacedPair: TypeAlias = tuple[str, str, str]
"""The place of a pair (as a prefix of messages), its premise and its hypothesis."""


class Sentence(NamedTuple):
    """The tokens of a sentence with its form."""

    tokens: Tokens
    form: Form


class Answer(NamedTuple):
    """`entailment`, `neutral`, or `unknown` if no prover settles it; and why, on one line."""

    label: str
    explanation: str


Method: TypeAlias = Callable[[Sentence, Sentence], Answer]


def natural_logic(follows: Follows) -> Method:
    """Return the method that compares forms step by step (see `natural_logic`)."""

    def answer(premise: Sentence, hypothesis: Sentence) -> Answer:
        found = steps(premise.form, hypothesis.form, follows)
        label = ENTAILMENT if all(step.follows for step in found) else NEUTRAL
        lines = [step.explained(premise.tokens, hypothesis.tokens) for step in found]
        return Answer(label, "; ".join(lines) or "the same meaning")

    return answer


def proving(vocabulary: Vocabulary, prove: Prover) -> Method:
    """Return the method that proves formulas, with the axioms of a vocabulary."""

    def answer(premise: Sentence, hypothesis: Sentence) -> Answer:
        left, right = (fol_from_vf(sentence.form.term) for sentence in (premise, hypothesis))
        known = (left, *vocabulary.axioms([left, right]))
        verdict = prove(And(known) if len(known) > 1 else left, right)
        explanation = f"{verdict.value}: {', '.join(map(str, known))} |- {right}"
        return Answer(_LABELS[verdict], explanation)

    return answer


def method_of(*, prover: bool = False) -> Method:
    """Return natural logic, or proofs by z3, over the words of the package's grammar."""
    vocabulary = read_vocabulary()
    return proving(vocabulary, z3_prover()) if prover else natural_logic(vocabulary.follows)


def labels(examples: Sequence[Example], reading: Reading, method: Method) -> list[Result]:
    """Return the label of each pair by a method.

    A pair has a failure if one of its sentences cannot be read, or if it is not settled.
    """
    pairs = [sides(example.tokens) for example in examples]
    forms = _forms((sentence for pair in pairs for sentence in pair), reading)
    results = []
    for example, pair in zip(examples, pairs, strict=True):
        read, problems = [], []
        for side, tokens in zip(_SIDES, pair, strict=True):
            form = forms[tokens]
            if isinstance(form, Form):
                read.append(Sentence(tokens, form))
            else:
                problems.append(f"{side}: {form}")
        label, failure = None, next(iter(problems), None)
        if failure is None:
            label, explanation = method(*read)
            if label == UNKNOWN:
                label, failure = None, explanation
        results.append(Result(example.tokens, label, failure=failure))
    return results


def _forms(sentences: Iterable[Tokens], reading: Reading) -> Mapping[Tokens, Form | InputError]:
    """Return the forms of sentences, or the reasons why they have none; each is read once."""
    different = list(dict.fromkeys(sentences))
    return dict(zip(different, reading(different), strict=True))


def model_labels(
    model: Model, examples: Sequence[Example], decoders: Sequence[str] = ()
) -> Mapping[str, list[Result]]:
    """Return the labels that a model gives to pairs, by decoder.

    A parser of quantified forms reads the sentences of pairs, and natural logic compares them.
    A classifier answers the pairs themselves, as any model answers single sentences.

    Raises:
        InputError: the model answers with meanings of another notation.
    """
    names = list(decoders) or list(model.decoders[:1])
    if not model.notation or not any(BETWEEN in example.tokens for example in examples):
        return answers_of(model, examples, names)
    method = method_of()
    return {name: labels(examples, parser_reading(model, name), method) for name in names}


def pairs_of(texts: Sequence[str], input_name: str | None = None) -> list[PlacedPair]:
    """Return the pair of two arguments, or the pairs of a file, a line each, split by a tab.

    Raises:
        InputError: both or neither are given, or a line is not a pair.
    """
    if input_name is None:
        if len(texts) != 2:
            raise InputError(
                f"expected a premise and a hypothesis, or --input FILE, found {len(texts)} texts"
            )
        return [("", texts[0], texts[1])]
    if texts:
        raise InputError("give a premise and a hypothesis or --input FILE, not both")
    name = shown_name(input_name)
    lines = [line.split("\t") for line in lines_of(read_text(input_name))]
    for number, columns in enumerate(lines, 1):
        if len(columns) != 2:
            count = len(columns)
            raise InputError(
                f"{name}:{number}: expected PREMISE<TAB>HYPOTHESIS, found {count} columns"
            )
    if not lines:
        raise InputError(f"{name}: empty, expected PREMISE<TAB>HYPOTHESIS a line")
    return [(f"{name}:{number}: ", *columns) for number, columns in enumerate(lines, 1)]  # type: ignore[misc]


def answered(pairs: Sequence[PlacedPair], reading: Reading, method: Method) -> list[Answer]:
    """Return the answers of a method to pairs; raises InputError if one cannot be read."""
    return [method(*both) for both in _read(pairs, reading)]


def classified(pairs: Sequence[PlacedPair], model: Model) -> list[Result]:
    """Return the answers of a classifier to pairs; raises InputError if one cannot be taken."""
    sentences, problems = _checked(pairs)
    _refuse(problems.values())
    asked = [pair_tokens(*two) for two in zip(sentences[::2], sentences[1::2], strict=True)]
    _refuse(
        f"{place}{problem}"
        for (place, *_), pair in zip(pairs, asked, strict=True)
        if (problem := model.problem(pair))
    )
    [results] = model.answers(asked).values()
    return results


def _read(pairs: Sequence[PlacedPair], reading: Reading) -> list[tuple[Sentence, Sentence]]:
    """Return the sentences of pairs with their forms; raises InputError."""
    sentences, problems = _checked(pairs)
    forms = _forms(filter(None, sentences), reading)
    places = [f"{place}{side}" for place, *_ in pairs for side in _SIDES]
    found = []
    for number, tokens in enumerate(sentences):
        form = forms.get(tokens)
        if isinstance(form, Form):
            found.append(Sentence(tokens, form))
        elif form is not None:
            problems[number] = f"{places[number]}: {form}"
    _refuse(problems[number] for number in sorted(problems))
    return list(zip(found[::2], found[1::2], strict=True))


def _checked(pairs: Sequence[PlacedPair]) -> tuple[list[Tokens], dict[int, str]]:
    """Return the tokens of premises (even numbers) and hypotheses, and problems by number.

    A sentence with a problem has no tokens.
    """
    sentences: list[Tokens] = []
    problems: dict[int, str] = {}
    for place, *texts in pairs:
        for side, text in zip(_SIDES, texts, strict=True):
            try:
                sentences.append(checked_tokens(text))
            except InputError as error:
                problems[len(sentences)] = f"{place}{side}: {error}"
                sentences.append(())
    return sentences, problems


def _refuse(problems: Iterable[str]) -> None:
    """Raise InputError that names all problems, or the first few."""
    found = list(problems)
    if found:
        more = len(found) - _SHOWN
        shown = "; ".join(found[:_SHOWN])
        raise InputError(f"{shown}; and {more} more" if more > 0 else shown)
