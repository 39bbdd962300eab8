"""TSV: one line per example, its columns separated by tabs.

    SENTENCE (tokens separated by spaces)   MEANING   TAG

The tag is kept verbatim. The last column may be missing in the whole file. A file has
no row of headings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from amparser.corpora.example import Example
from amparser.errors import CorpusError, InputError, located

_HEADINGS = (
    frozenset({"sentence", "text", "input", "source", "utterance", "question", "tokens"}),
    frozenset(
        {"meaning", "logical form", "logical_form", "lf", "mr", "form", "target", "output"}
        | {"parse", "graph", "semantics"}
    ),
)


@dataclass(frozen=True)
class TsvFormat:
    """Sentence, meaning and one tag.

    Attributes:
        columns: how many there are, 2 or 3; by default as many as in the first line.
    """

    columns: int = 0
    name = "tsv"
    suffixes = (".tsv",)

    def of_lines(self, lines: Iterable[tuple[int, str]]) -> TsvFormat:
        """The format with as many columns as most of the lines have."""
        counts = Counter(line.count("\t") + 1 for _, line in lines)
        return TsvFormat(3 if counts[3] and counts[3] >= counts[2] else 2)

    def read(self, lines: Iterable[tuple[int, str]], name: str) -> Iterator[Example]:
        """One example per line; the first line says whether there are two or three columns."""
        expected = self.columns
        for number, line in lines:
            columns = line.split("\t")
            if not expected:
                expected = 2 if len(columns) == 2 else 3
            if len(columns) != expected:
                message = f"expected {expected} tab-separated columns, found {len(columns)}"
                raise CorpusError(located(message, path=name, line=number))
            if number == 1 and all(
                column.strip().lower() in known
                for column, known in zip(columns, _HEADINGS, strict=False)
            ):
                message = "a row of headings, expected a sentence and its meaning"
                raise CorpusError(located(message, path=name, line=number))
            tokens = tuple(columns[0].split())
            for what, empty in (("sentence", not tokens), ("meaning", not columns[1].strip())):
                if empty:
                    raise CorpusError(located(f"the {what} is empty", path=name, line=number))
            yield Example(tokens, columns[1], tags=tuple(columns[2:]), line=number)

    def write(self, example: Example) -> str:
        """One line; without a sentence only the meaning; the tag only if there is exactly one."""
        if example.meaning is None:
            raise InputError(example.failure or "there is no meaning to write")
        columns = [example.sentence] if example.tokens else []
        columns.append(example.meaning)
        if len(example.tags) == 1:
            columns += example.tags
        return "\t".join(columns) + "\n"


TSV = TsvFormat()
