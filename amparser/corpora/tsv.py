"""TSV: one line per example, its columns separated by tabs.

    SENTENCE (tokens separated by spaces)   MEANING   TAG

The tag is kept verbatim. The last column may be missing in the whole file. A file has
no row of headings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from amparser.corpora.example import Example
from amparser.corpora.tokens import split_tokens
from amparser.errors import InputError

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
        columns: how many there are, 2 or 3.
    """

    columns: int = 3
    name = "tsv"
    suffixes = (".tsv",)
    in_blocks = False

    def of_items(self, lines: Iterable[str]) -> TsvFormat:
        """Return the format with as many columns as most of the lines have."""
        counts = Counter(line.count("\t") + 1 for line in lines)
        return TsvFormat(2 if counts[2] > counts[3] else 3)

    def example(self, text: str) -> Example:
        """Return the example of one line."""
        columns = text.split("\t")
        if len(columns) != self.columns:
            message = f"expected {self.columns} tab-separated columns, found {len(columns)}"
            raise InputError(message)
        headings = zip(columns, _HEADINGS, strict=False)
        if all(column.strip().lower() in known for column, known in headings):
            raise InputError("a row of headings, expected a sentence and its meaning")
        tokens = split_tokens(columns[0])
        for what, empty in (("sentence", not tokens), ("meaning", not columns[1].strip())):
            if empty:
                raise InputError(f"the {what} is empty")
        return Example(tokens, columns[1], tags=tuple(columns[2:]))

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
