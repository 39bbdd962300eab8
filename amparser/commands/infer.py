"""`amparser infer`: whether a hypothesis follows from a premise."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from amparser.commands.files import lines_of, read_text, shown_name
from amparser.corpus import checked_tokens
from amparser.errors import InputError
from amparser.inference.form import Reading
from amparser.inference.fragment import Fragment
from amparser.inference.infer import UNKNOWN, Method, Reader, Sentence, natural_logic, proving
from amparser.inference.proof import z3_proofs
from amparser.inference.vocabulary import load_vocabulary

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
        reading: from tokens to forms; by default the package's grammar.

    Raises:
        InputError: some sentence cannot be read; then nothing is printed.
    """
    method = method_of(prover=prover)
    reader = Reader(Fragment() if reading is None else reading)
    pairs: list[tuple[Sentence, Sentence]] = []
    problems = []
    for place, premise, hypothesis in _pairs(texts, input_name):
        sentences = []
        for name, text in (("premise", premise), ("hypothesis", hypothesis)):
            try:
                sentences.append(reader(checked_tokens(text)))
            except InputError as error:
                problems.append(f"{place}{name}: {error}")
        if len(sentences) == 2:
            pairs.append((sentences[0], sentences[1]))
    if problems:
        more = len(problems) - _SHOWN
        shown = "; ".join(problems[:_SHOWN])
        raise InputError(f"{shown}; and {more} more" if more > 0 else shown)
    unsettled = 0
    for one, other in pairs:
        answer = method(one, other)
        unsettled += answer.label == UNKNOWN
        print(answer.label, answer.explanation, sep="\t")
    if unsettled:
        sys.stdout.flush()
        print(f"amparser: {unsettled} of {len(pairs)} pairs not settled", file=sys.stderr)
    return unsettled


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
