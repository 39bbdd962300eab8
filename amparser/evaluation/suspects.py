"""Rows of train that are probably mistaken.

Two signs are looked for: a sentence that has another meaning elsewhere in train, and a row of which
a trained parser gives another answer although it learned from it. The surer the parser is of its
answer, the likelier the row is a mistake.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from amparser.calibration import is_right
from amparser.corpora.analyses import ambiguous
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.parser import Parser

OnRow = Callable[[int], None]
"""Called with how many more rows are asked."""


@dataclass(frozen=True)
class Suspect:
    """A row that is probably mistaken.

    Attributes:
        example: the row.
        place: `FILE:LINE`.
        reason: why it is listed.
        other: the meaning that it should perhaps have; empty if none is known.
        weight: rows with a larger one come first.
    """

    example: Example
    place: str
    reason: str
    other: str
    weight: float

    def __str__(self) -> str:
        """Lines: place and reason, sentence, meaning, and the other meaning if it is known."""
        own = self.example.meaning or "(a graph)"
        lines = [f"{self.place}: {self.reason}", f"  {self.example.sentence}", f"  row:    {own}"]
        return "\n".join([*lines, f"  answer: {self.other}"] if self.other else lines)

    def joined(self, other: Suspect) -> Suspect:
        """This row with a further reason."""
        reason = f"{self.reason}; {other.reason}"
        weight = self.weight + other.weight
        return replace(self, reason=reason, other=self.other or other.other, weight=weight)


def suspects(corpus: Corpus, parser: Parser, *, on_row: OnRow | None = None) -> list[Suspect]:
    """Return the rows of train that are probably mistaken, the likeliest first.

    Args:
        corpus: the training data of the parser.
        on_row: called after some rows were asked.
    """
    found: dict[str, Suspect] = {}
    for one in chain(_contradictions(corpus), _answered(corpus, parser, on_row)):
        known = found.get(one.place)
        found[one.place] = one if known is None else known.joined(one)
    return sorted(found.values(), key=lambda one: (-one.weight, one.example.line))


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


def _answered(corpus: Corpus, parser: Parser, on_row: OnRow | None) -> Iterator[Suspect]:
    """Rows of which a parser gives another answer."""
    examples = [example for example in corpus.train if example.tokens]
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
