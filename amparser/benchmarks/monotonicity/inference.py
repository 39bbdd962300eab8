"""Whether a sentence follows from another one: by natural logic, by a prover, by a model.

A method decides about two sentences with their forms. Pairs are those of data files, whose
answers are labels, or those that a user types; messages name a sentence by its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias

from amparser.benchmarks.inference import Inference, PolarWord
from amparser.benchmarks.monotonicity.natural_logic import Follows, steps
from amparser.benchmarks.monotonicity.pairs import BETWEEN, pair_tokens, sides
from amparser.benchmarks.monotonicity.reading import (
    QUANTIFIED,
    bundled_reading,
    grammar_reading,
    readings,
)
from amparser.benchmarks.monotonicity.replacements import ENTAILMENT, NEUTRAL
from amparser.benchmarks.monotonicity.vocabulary import Vocabulary, load_vocabulary
from amparser.benchmarks.sygns.entailment import Prover, Verdict, z3_prover
from amparser.corpora.example import Example
from amparser.corpora.tokens import checked_tokens
from amparser.errors import InputError
from amparser.evaluation.answers import answers_of
from amparser.files import lines_of, read_text, shown_name
from amparser.logic.fol import And
from amparser.logic.polarity import form_polarities
from amparser.logic.vf import Form, Reading, fol_from_vf
from amparser.results import Result

if TYPE_CHECKING:
    from amparser.learn.system import Model

UNKNOWN = "unknown"
COMMA = ","
_LABELS = {Verdict.ENTAILED: ENTAILMENT, Verdict.NOT_ENTAILED: NEUTRAL, Verdict.UNKNOWN: UNKNOWN}
_SHOWN = 3
"""How many problems a message names."""

Tokens: TypeAlias = tuple[str, ...]
PlacedPair: TypeAlias = tuple[str, str, str]
"""The place of a pair (as a prefix of messages), its premise and its hypothesis."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of a sentence with its form."""

    tokens: Tokens
    form: Form


@dataclass(frozen=True, slots=True)
class Answer:
    """`entailment`, `neutral`, or `unknown` if no prover settles it; and why, on one line."""

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


def proving(vocabulary: Vocabulary, prove: Prover) -> Method:
    """The method that proves formulas, with the axioms of a vocabulary."""

    def answer(premise: Sentence, hypothesis: Sentence) -> Answer:
        left, right = (fol_from_vf(sentence.form.term) for sentence in (premise, hypothesis))
        known = (left, *vocabulary.axioms([left, right]))
        verdict = prove(And(known) if len(known) > 1 else left, right)
        explanation = f"{verdict.value}: {', '.join(map(str, known))} |- {right}"
        return Answer(_LABELS[verdict], explanation)

    return answer


def method_of(*, prover: bool = False) -> Method:
    """Natural logic, or proofs by z3, over the words of the package's grammar.

    Raises:
        ConfigError: z3 is asked for and not installed.
    """
    vocabulary = load_vocabulary()
    return proving(vocabulary, z3_prover()) if prover else natural_logic(vocabulary.follows)


def read_sentences(reading: Reading, sentences: Sequence[Tokens]) -> list[Sentence | InputError]:
    """The sentences with their forms, or the reasons why they have none; each is read once."""
    different = list(dict.fromkeys(sentences))
    forms = dict(zip(different, reading(different), strict=True))
    return [
        Sentence(tokens, form) if isinstance(form := forms[tokens], Form) else form
        for tokens in sentences
    ]


# Pairs of data files.


def candidates(premise: Tokens, hypothesis: Tokens) -> list[tuple[Tokens, Tokens]]:
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
        one, other = next((p for p in read if all(isinstance(s, Sentence) for s in p)), read[0])
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
        method = method_of()
        found = {}
        for name, forms in readings(model, sentences, names).items():
            known = dict(zip(sentences, forms, strict=True))
            found[name] = labels(examples, lambda few, k=known: [k[tuple(s)] for s in few], method)  # type: ignore[misc]
        return found
    if holds_pairs and model.notation:
        raise InputError(
            f"expected a classifier of pairs or a parser of {QUANTIFIED} forms, "
            f"found a model of {model.notation}"
        )
    return answers_of(model, examples, names)


# Pairs as a user types them.


def pairs_of(texts: Sequence[str], input_name: str | None = None) -> list[PlacedPair]:
    """The pair of two arguments, or those of a file (`-` for stdin): one a line, split by a tab.

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
    pairs = []
    for number, line in enumerate(lines_of(read_text(input_name)), 1):
        columns = line.split("\t")
        if len(columns) != 2:
            count = len(columns)
            raise InputError(
                f"{name}:{number}: expected PREMISE<TAB>HYPOTHESIS, found {count} columns"
            )
        pairs.append((f"{name}:{number}: ", columns[0], columns[1]))
    if not pairs:
        raise InputError(f"{name}: empty, expected PREMISE<TAB>HYPOTHESIS a line")
    return pairs


def answered(pairs: Sequence[PlacedPair], reading: Reading, method: Method) -> list[Answer]:
    """The answers of a method to pairs; raises InputError as `_read` does."""
    return [method(*both) for both in _read(pairs, reading)]


def classified(pairs: Sequence[PlacedPair], model: Model) -> list[Result]:
    """The answers of a classifier to pairs.

    Raises:
        InputError: sentences cannot be taken; the message names them, or the first few.
    """
    problems: dict[int, str] = {}
    places, tokens = _checked(pairs, problems)
    _refuse(problems)
    asked = [pair_tokens(*two) for two in zip(tokens[::2], tokens[1::2], strict=True)]
    for number, pair in enumerate(asked):
        if problem := model.problem(pair):
            problems[number] = f"{places[2 * number].removesuffix('premise')}{problem}"
    _refuse(problems)
    [results] = model.answers(asked).values()
    return results


def by_grammar(premise: str, hypothesis: str) -> Inference:
    """Whether a sentence of the fragment follows from another one; raises InputError."""
    return _inferred(grammar_reading, premise, hypothesis)


def by_parser(premise: str, hypothesis: str) -> Inference:
    """The same, by the readings of the parser that comes with the package; raises InputError."""
    return _inferred(bundled_reading(), premise, hypothesis)


def _inferred(reading: Reading, premise: str, hypothesis: str) -> Inference:
    [both] = _read([("", premise, hypothesis)], reading)
    answer = method_of()(*both)
    return Inference(answer.label, tuple(answer.explanation.split("; ")), *map(_polar_words, both))


def _polar_words(sentence: Sentence) -> tuple[PolarWord, ...]:
    polarities = form_polarities(sentence.form)
    return tuple(
        PolarWord(word, polarities[i].value if i in polarities else "")
        for i, word in enumerate(sentence.tokens)
    )


def _read(pairs: Sequence[PlacedPair], reading: Reading) -> list[tuple[Sentence, Sentence]]:
    """The sentences of pairs with their forms.

    Raises:
        InputError: sentences cannot be read; the message names them, or the first few.
    """
    problems: dict[int, str] = {}
    places, tokens = _checked(pairs, problems)
    sound = [number for number in range(len(tokens)) if number not in problems]
    found = zip(sound, read_sentences(reading, [tokens[number] for number in sound]), strict=True)
    sentences: list[Sentence] = []
    for number, sentence in found:
        if isinstance(sentence, Sentence):
            sentences.append(sentence)
        else:
            problems[number] = f"{places[number]}: {sentence}"
    _refuse(problems)
    return list(zip(sentences[::2], sentences[1::2], strict=True))


def _checked(
    pairs: Sequence[PlacedPair], problems: dict[int, str]
) -> tuple[list[str], list[Tokens]]:
    """The place of each sentence of pairs, and its tokens; premises have even numbers.

    A sentence that cannot be taken is added to the problems, and has no tokens.
    """
    places: list[str] = []
    tokens: list[Tokens] = []
    for place, *texts in pairs:
        for name, text in zip(("premise", "hypothesis"), texts, strict=True):
            places.append(f"{place}{name}")
            try:
                tokens.append(checked_tokens(text))
            except InputError as error:
                problems[len(tokens)] = f"{places[-1]}: {error}"
                tokens.append(())
    return places, tokens


def _refuse(problems: Mapping[int, str]) -> None:
    """Raise InputError that names all problems in their order, or the first few."""
    if problems:
        more = len(problems) - _SHOWN
        shown = "; ".join(problems[number] for number in sorted(problems)[:_SHOWN])
        raise InputError(f"{shown}; and {more} more" if more > 0 else shown)
