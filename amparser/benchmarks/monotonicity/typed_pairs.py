"""Pairs as a user types them: checked, read and answered; messages name a sentence by its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from amparser.benchmarks.monotonicity.judge import Answer, Method, Sentence, read_sentences
from amparser.benchmarks.monotonicity.pairs import pair_tokens
from amparser.corpora.tokens import checked_tokens
from amparser.errors import InputError
from amparser.files import lines_of, read_text, shown_name
from amparser.logic.form import Reading
from amparser.results import Result

if TYPE_CHECKING:
    from amparser.learn.system import Model

_SHOWN = 3

PlacedPair = tuple[str, str, str]
"""The place of a pair (as a prefix of messages), its premise and its hypothesis."""


def pairs_of(texts: Sequence[str], input_name: str | None = None) -> list[PlacedPair]:
    """The pairs of arguments or of a file.

    Args:
        texts: premise and hypothesis; empty with `input_name`.
        input_name: a file with one pair per line, separated by a tab, or `-` for stdin.

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
    """The answers of a method to pairs.

    Raises:
        InputError: sentences cannot be read; the message names them, or the first few.
    """
    problems: dict[int, str] = {}
    places, tokens = _checked(pairs, problems)
    sound = [number for number in range(len(tokens)) if number not in problems]
    sentences: dict[int, Sentence] = {}
    for number, sentence in zip(
        sound, read_sentences(reading, [tokens[number] for number in sound]), strict=True
    ):
        if isinstance(sentence, InputError):
            problems[number] = f"{places[number]}: {sentence}"
        else:
            sentences[number] = sentence
    _refuse(problems)
    return [method(sentences[i], sentences[i + 1]) for i in range(0, len(tokens), 2)]


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


def _checked(
    pairs: Sequence[PlacedPair], problems: dict[int, str]
) -> tuple[list[str], list[tuple[str, ...]]]:
    """The place of each sentence of pairs, and its tokens; premises have even numbers.

    A sentence that cannot be taken is added to the problems, and has no tokens.
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


def _refuse(problems: Mapping[int, str]) -> None:
    """Raise InputError that names all problems in their order, or the first few."""
    if problems:
        more = len(problems) - _SHOWN
        shown = "; ".join(problems[number] for number in sorted(problems)[:_SHOWN])
        raise InputError(f"{shown}; and {more} more" if more > 0 else shown)
