"""`amparser infer`: whether a hypothesis follows from a premise."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from amparser.commands.files import lines_of, read_text, shown_name
from amparser.corpus import checked_tokens
from amparser.errors import InputError
from amparser.inference.fragment import Fragment
from amparser.inference.infer import (
    UNKNOWN,
    Method,
    Sentence,
    natural_logic,
    proving,
    read_sentences,
)
from amparser.inference.proof import z3_proofs
from amparser.inference.vocabulary import load_vocabulary
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
    pairs = _read(_pairs(texts, input_name), Fragment().read if reading is None else reading)
    unsettled = 0
    for one, other in pairs:
        answer = method(one, other)
        unsettled += answer.label == UNKNOWN
        print(answer.label, answer.explanation, sep="\t")
    if unsettled:
        sys.stdout.flush()
        print(f"amparser: {unsettled} of {len(pairs)} pairs not settled", file=sys.stderr)
    return unsettled


def _read(
    pairs: Sequence[tuple[str, str, str]], reading: Reading
) -> list[tuple[Sentence, Sentence]]:
    """The pairs with their forms; raises InputError that names all that have none, or a few."""
    problems: dict[int, str] = {}
    places = []
    tokens = []
    for place, *texts in pairs:
        for name, text in zip(("premise", "hypothesis"), texts, strict=True):
            places.append(f"{place}{name}")
            try:
                tokens.append(checked_tokens(text))
            except InputError as error:
                problems[len(tokens)] = f"{places[-1]}: {error}"
                tokens.append(())
    sound = [number for number in range(len(tokens)) if number not in problems]
    found = {}
    for number, sentence in zip(
        sound, read_sentences(reading, [tokens[number] for number in sound]), strict=True
    ):
        if isinstance(sentence, InputError):
            problems[number] = f"{places[number]}: {sentence}"
        else:
            found[number] = sentence
    if problems:
        more = len(problems) - _SHOWN
        shown = "; ".join(problems[number] for number in sorted(problems)[:_SHOWN])
        raise InputError(f"{shown}; and {more} more" if more > 0 else shown)
    return [(found[number], found[number + 1]) for number in range(0, len(tokens), 2)]


def method_of(*, prover: bool) -> Method:
    """Proofs by z3, or natural logic, with the words of the package's grammar."""
    vocabulary = load_vocabulary()
    return proving(vocabulary, z3_proofs()) if prover else natural_logic(vocabulary.follows)


def _pairs(texts: Sequence[str], input_name: str | None) -> list[tuple[str, str, str]]:
    """Where each pair stands, its premise and its hypothesis."""
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
