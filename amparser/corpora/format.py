"""Protocol of corpus formats, which read and write the examples in files."""

from __future__ import annotations

from typing import Protocol

from amparser.corpora.example import Example


class CorpusFormat(Protocol):
    """Format of text files with examples; other modules handle compression and encoding.

    Attributes:
        name: name on the command line.
        suffixes: suffixes of file names, such as `.tsv`; each suffix belongs to one format.
        in_blocks: True if an item (the text of an example) is a block of lines that ends with an
            empty line, False if it is a single line.
        sample: optional: a line of such a file, for messages.
        items: optional: function that returns the items in the numbered lines of a file, each with
            the number of its first line. An item may be an error.
        of_items: optional: function that returns the format adapted to the first items of a file.
    """

    name: str
    suffixes: tuple[str, ...]
    in_blocks: bool

    def example(self, text: str) -> Example | None:
        """Return the example of an item, or None if the item contains no example.

        Raises AMParserError if the item is malformed. The message may begin with the line of the
        fault in the item (from 1): `line 2, column 3: REASON` or `line 2: REASON`.
        """

    def write(self, example: Example) -> str:
        """Return an example as text with line ends. Raises InputError if that is impossible."""
