"""The protocol of a corpus format: how a file contains examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from amparser.corpora.example import Example


class CorpusFormat(Protocol):
    """How a text file contains examples; compression and encoding are handled elsewhere.

    Attributes:
        name: the name on the command line.
        suffixes: suffixes of file names, such as `.tsv`; those of all formats differ.
        of_lines: optional; called with all lines of a file, returns the format as this file
            has it. It is used where malformed items are left out.
    """

    name: str
    suffixes: tuple[str, ...]

    def read(self, lines: Iterable[tuple[int, str]], name: str) -> Iterator[Example]:
        """The examples of a file, one by one.

        It takes no more lines than an item has, so that after an error reading can go on by
        a new call with the rest of them.

        Args:
            lines: the number of each line, from 1, and the line without its end.

        Raises:
            CorpusError: an item is malformed; the message opens with `name:line:`.
        """

    def write(self, example: Example) -> str:
        """An example as text, including its line ends.

        Raises:
            InputError: the example lacks what the format holds.
        """
