"""`amparser infer`: whether a hypothesis follows from a premise."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from amparser.benchmarks.monotonicity.classifiers.model import load_nli
from amparser.benchmarks.monotonicity.fragment import Fragment
from amparser.benchmarks.monotonicity.infer import (
    UNKNOWN,
    Method,
    Sentence,
    natural_logic,
    proving,
    read_sentences,
)
from amparser.benchmarks.monotonicity.proof import z3_proofs
from amparser.benchmarks.monotonicity.vocabulary import load_vocabulary
from amparser.corpora.examples import checked_tokens
from amparser.errors import InputError
from amparser.files import lines_of, read_text, shown_name
from amparser.logic.form import Reading

_SHOWN = 3


def infer(
    texts: Sequence[str],
    *,
    input_name: str | None = None,
    prover: bool = False,
    reading: Reading | None = None,
) -> int:
    """Print `entailment` or `neutral` for each pair, and why; how many are not settled.

    Args:
        texts: premise and hypothesis, or none with `input_name`: a file with a pair a
            line and a tab between, `-` for stdin.
        prover: by proofs rather than by natural logic.
        reading: from tokens to forms; by default that of the package's grammar.

    Raises:
        InputError: some sentence cannot be read; then nothing is printed.
    """
    method = method_of(prover=prover)
    pairs = _read(pairs_of(texts, input_name), Fragment().read if reading is None else reading)
    unsettled = 0
    for one, other in pairs:
        answer = method(one, other)
        unsettled += answer.label == UNKNOWN
        print(answer.label, answer.explanation, sep="\t")
    if unsettled:
        sys.stdout.flush()
        print(f"amparser: {unsettled} of {len(pairs)} pairs not settled", file=sys.stderr)
    return unsettled


def infer_by_classifier(
    texts: Sequence[str], *, model: Path, input_name: str | None = None
) -> None:
    """Print the label that a classifier gives to each pair, a tab, and its probability.

    What it takes for unknown words is named on stderr.

    Args are those of `infer`.

    Raises:
        ModelError: the folder is missing, damaged, or holds no classifier.
        InputError: some sentence cannot be taken; then nothing is printed.
    """
    loaded = load_nli(model)
    problems: dict[int, str] = {}
    places, tokens = checked(pairs_of(texts, input_name), problems)
    refuse(problems)
    pairs = list(zip(tokens[::2], tokens[1::2], strict=True))
    judgements = []
    for number, found in enumerate(loaded.judgements(pairs)):
        if isinstance(found, InputError):
            problems[number] = f"{places[2 * number].removesuffix('premise')}{found}"
        else:
            judgements.append(found)
    refuse(problems)
    for judgement in judgements:
        print(judgement.label, f"{judgement.probability:.4f}", sep="\t")
    unknown = dict.fromkeys(word for each in tokens for word in loaded.classifier.unknown(each))
    if unknown:
        sys.stdout.flush()
        names = ", ".join(map(repr, unknown))
        print(f"amparser: read as <unk>, never seen in training: {names}", file=sys.stderr)


def _read(
    pairs: Sequence[tuple[str, str, str]], reading: Reading
) -> list[tuple[Sentence, Sentence]]:
    """The pairs with their forms; raises InputError that names all that have none, or a few."""
    problems: dict[int, str] = {}
    places, tokens = checked(pairs, problems)
    sound = [number for number in range(len(tokens)) if number not in problems]
    found = {}
    for number, sentence in zip(
        sound, read_sentences(reading, [tokens[number] for number in sound]), strict=True
    ):
        if isinstance(sentence, InputError):
            problems[number] = f"{places[number]}: {sentence}"
        else:
            found[number] = sentence
    refuse(problems)
    return [(found[number], found[number + 1]) for number in range(0, len(tokens), 2)]


def checked(
    pairs: Sequence[tuple[str, str, str]], problems: dict[int, str]
) -> tuple[list[str], list[tuple[str, ...]]]:
    """Where each sentence of some pairs stands, and its tokens; premises have even numbers.

    What cannot be taken is added to the problems, and has no tokens.
    """
    places: list[str] = []
    tokens: list[tuple[str, ...]] = []
    for place, *texts in pairs:
        for name, text in zip(("premise", "hypothesis"), texts, strict=True):
            places.append(f"{place}{name}")
            try:
                tokens.append(checked_tokens(text))
            except InputError as error:
                problems[len(tokens)] = f"{places[-1]}: {error}"
                tokens.append(())
    return places, tokens


def refuse(problems: Mapping[int, str]) -> None:
    """Raise InputError that names all problems by their numbers, or the first few."""
    if problems:
        more = len(problems) - _SHOWN
        shown = "; ".join(problems[number] for number in sorted(problems)[:_SHOWN])
        raise InputError(f"{shown}; and {more} more" if more > 0 else shown)


def method_of(*, prover: bool) -> Method:
    """Proofs by z3, or natural logic, with the words of the package's grammar."""
    vocabulary = load_vocabulary()
    return proving(vocabulary, z3_proofs()) if prover else natural_logic(vocabulary.follows)


def pairs_of(texts: Sequence[str], input_name: str | None) -> list[tuple[str, str, str]]:
    """Where each pair stands, its premise and its hypothesis; raises InputError."""
    if input_name is None:
        if len(texts) != 2:
            raise InputError(
                f"expected a premise and a hypothesis, or --input FILE, found {len(texts)} texts"
            )
        return [("", texts[0], texts[1])]
    if texts:
        raise InputError("give a premise and a hypothesis or --input FILE, not both")
    name = shown_name(input_name)
    found = []
    for number, line in enumerate(lines_of(read_text(input_name)), 1):
        columns = line.split("\t")
        if len(columns) != 2:
            count = len(columns)
            raise InputError(
                f"{name}:{number}: expected PREMISE<TAB>HYPOTHESIS, found {count} columns"
            )
        found.append((f"{name}:{number}: ", columns[0], columns[1]))
    if not found:
        raise InputError(f"{name}: empty, expected PREMISE<TAB>HYPOTHESIS a line")
    return found
