"""TSV: one line per example, its columns separated by tabs.

    SENTENCE (tokens separated by spaces)   MEANING   TAG

The tag is kept verbatim. The last column may be missing in the whole file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from amparser.corpora.example import Example
from amparser.errors import CorpusError, InputError, located


class TsvFormat:
    """Sentence, meaning and one tag."""

    name = "tsv"
    suffixes = (".tsv",)

    def read(self, lines: Iterable[tuple[int, str]], name: str) -> Iterator[Example]:
        """One example per line; the first line says whether there are two or three columns."""
        expected = 0
        for number, line in lines:
            columns = line.split("\t")
            if not expected:
                expected = 2 if len(columns) == 2 else 3
            if len(columns) != expected:
                message = f"expected {expected} tab-separated columns, found {len(columns)}"
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
