"""Rows of train that are probably mistaken.

Two signs are looked for: a sentence that has another meaning elsewhere in train, and a row of which
a trained parser gives another answer although it learned from it, or from all other rows. The surer
the parser is of its answer, the likelier the row is a mistake.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from amparser.calibration import is_right
from amparser.corpora.contradictions import ambiguous
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import InputError
from amparser.parser import Parser
from amparser.parser_system import AMPARSER

OnRow = Callable[[int], None]
"""Called with how many more rows are asked."""


@dataclass(frozen=True)
class Suspect:
    """A row that is probably mistaken.

    Attributes:
        example: the row.
        place: `FILE:LINE`.
        reason: why it is listed.
        other: the meaning that it should perhaps have.
        weight: rows with a larger one come first.
    """

    example: Example
    place: str
    reason: str
    other: str
    weight: float

    def __str__(self) -> str:
        """Four lines: place and reason, sentence, meaning, the other meaning."""
        own = self.example.meaning or "(a graph)"
        return (
            f"{self.place}: {self.reason}\n  {self.example.sentence}\n  row:    {own}\n"
            f"  answer: {self.other}"
        )


def suspects(
    corpus: Corpus, parser: Parser, *, folds: int = 0, on_row: OnRow | None = None
) -> list[Suspect]:
    """The rows of train that are probably mistaken, the likeliest first.

    Args:
        corpus: what the parser learned from.
        parser: answers all rows, where there are no folds.
        folds: if there are some, a parser with its settings is trained on all but each of so many
            parts of train, and answers that part.
        on_row: called after some rows were asked.

    Raises:
        InputError: there are one fold, or more than rows.
        AMParserError: a training fails.
    """
    numbers = list(range(len(corpus.train)))
    if folds and not 2 <= folds <= len(numbers):
        raise InputError(f"{folds} folds of {len(numbers)} rows: expected 2 to {len(numbers)}")
    found = {one.place: one for one in _contradictions(corpus)}
    for asked, part in _parts(corpus, parser, numbers, folds):
        for one in _answered(corpus, asked, part, on_row):
            known = found.get(one.place)
            weight = one.weight + (0.0 if known is None else known.weight)
            found[one.place] = replace(known or one, weight=weight)
    return sorted(found.values(), key=lambda one: (-one.weight, one.example.line))


def _parts(
    corpus: Corpus, parser: Parser, numbers: Sequence[int], folds: int
) -> Iterator[tuple[Parser, Sequence[int]]]:
    """Parsers, and the numbers of the rows that each of them is asked."""
    if not folds:
        yield parser, numbers
    for fold in range(folds):
        left_out = numbers[fold::folds]
        kept = [corpus.train[i] for i in numbers if i % folds != fold]
        with TemporaryDirectory() as folder:
            part = replace(corpus, train=kept, dev=())
            yield AMPARSER.train(part, parser.settings, Path(folder)), left_out


def _contradictions(corpus: Corpus) -> Iterator[Suspect]:
    """Rows whose sentence has another meaning at least as often."""
    for groups in ambiguous(corpus.train, corpus.notation):
        most = max(groups, key=len)
        for group in groups:
            other = most if group is not most else next(one for one in groups if one is not most)
            if group is most and len(group) > len(other):
                continue
            lines = ", ".join(str(one.line) for one in other[:3])
            for example in group:
                yield Suspect(
                    example,
                    _place(corpus, example),
                    f"the same sentence has another meaning in line {lines}",
                    other[0].meaning or "",
                    1.0 + len(other) / (len(other) + len(group)),
                )


def _answered(
    corpus: Corpus, parser: Parser, numbers: Iterable[int], on_row: OnRow | None
) -> Iterator[Suspect]:
    """Rows of which a parser gives another answer."""
    examples = [corpus.train[i] for i in numbers if corpus.train[i].tokens]
    for example, result in zip(
        examples, parser.stream([one.tokens for one in examples]), strict=True
    ):
        if on_row is not None:
            on_row(1)
        if result.failure is not None or is_right(parser, example, result):
            continue
        sure = result.confidence
        if sure is None:
            sure = math.exp(min(0.0, result.logp_per_token or 0.0))
        yield Suspect(
            example,
            _place(corpus, example),
            f"the parser gives another answer, and is {100 * sure:.0f} % sure",
            result.meaning or "",
            sure,
        )


def _place(corpus: Corpus, example: Example) -> str:
    path = example.file or corpus.places.get("train", "train")
    return f"{path}:{example.line}" if example.line else path
