"""The protocol of a corpus format: how a file contains examples."""

from __future__ import annotations

from typing import Protocol

from amparser.corpora.example import Example


class CorpusFormat(Protocol):
    """How a text file contains examples; compression and encoding are handled elsewhere.

    Attributes:
        name: the name on the command line.
        suffixes: suffixes of file names, such as `.tsv`; no two formats share one.
        in_blocks: whether an item is a run of lines up to an empty one, and not a line.
        sample: optional; a line of such a file, for messages.
        items: optional; given the numbered lines of a file, yields its items, each with the number
            of its first line. An item may be an error.
        of_items: optional; given the first items of a file, returns the format as this file has
            it.
    """

    name: str
    suffixes: tuple[str, ...]
    in_blocks: bool

    def example(self, text: str) -> Example | None:
        """Return the example of one item, or None if it holds none.

        Raises:
            AMParserError: the item is malformed. The message may begin with the line of the
                item, from 1, as in `line 2, column 3: REASON` and `line 2: REASON`.
        """

    def write(self, example: Example) -> str:
        """Return an example as text, including its line ends.

        Raises:
            InputError: the example lacks what the format holds.
        """
