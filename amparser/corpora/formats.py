"""Corpus formats: their protocol, and the registry.

A new format is registered here or as an entry point of a package.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol

from amparser.errors import CorpusError, InputError, located, nearest, shown
from amparser.registry import Registry

if TYPE_CHECKING:
    from amparser.corpora.example import Example


class CorpusFormat(Protocol):
    """Format of examples in a text file; compression and encoding are handled elsewhere.

    Attributes:
        name: name on the command line.
        suffixes: suffixes of file names, such as `.tsv`; each suffix belongs to one format.
        in_blocks: True if an item (the text of one example) is a block of lines that ends with an
            empty line, False if it is a single line.
        sample: optional; a line of such a file, for messages.
        items: optional; function from the numbered lines of a file to items, each with the number
            of its first line. An item may be an error.
        of_items: optional; function that returns the format of a file, given its first items.
    """

    name: str
    suffixes: tuple[str, ...]
    in_blocks: bool

    def example(self, text: str) -> Example | None:
        """Return the example of an item, or None if the item contains no example.

        Raises AMParserError if the item is malformed. The message may begin with the number (from
        1) of the line in the item, as in `line 2, column 3: REASON` and `line 2: REASON`.
        """

    def write(self, example: Example) -> str:
        """Return an example as text with line ends. Raises InputError if this is impossible."""


class ReadOnlyFormat:
    """Base class of formats that can only be read."""

    name: str
    in_blocks = False

    def write(self, example: Example) -> NoReturn:
        """Raise InputError."""
        raise InputError(f"the format {self.name} can only be read")


FORMATS: Registry[CorpusFormat] = Registry(
    "corpus format",
    "amparser.corpora",
    {
        "tsv": "amparser.corpora.tsv:TSV",
        "csv": "amparser.corpora.tsv:CSV",
        "penman": "amparser.corpora.penman:PENMAN",
        "amconll": "amparser.corpora.amconll:AMCONLL",
        "json": "amparser.corpora.jsonl:JSON",
        "marked": "amparser.corpora.marked_sentences:MARKED",
        "prolog-facts": "amparser.corpora.prolog_facts:PROLOG_FACTS",
        "native-eds": "amparser.benchmarks.eds.native:NATIVE_EDS",
    },
)

GZIP = ".gz"
_SHOWN = 300
"""Maximum number of characters of a file's first line that are compared with sample lines."""


def suffixes() -> tuple[str, ...]:
    """Return the suffixes of all formats, with and without `.gz`."""
    return tuple(
        suffix + gzip
        for format_ in FORMATS.values()
        for suffix in format_.suffixes
        for gzip in ("", GZIP)
    )


def format_of(path: Path) -> CorpusFormat:
    """Return the format of a file by its suffix. Raises CorpusError if the suffix is unknown."""
    name = path.name.removesuffix(GZIP)
    for format_ in FORMATS.values():
        if name.endswith(format_.suffixes):
            return format_
    expected = ", ".join(s for s in suffixes() if not s.endswith(GZIP))
    message = f"unknown suffix, expected one of {expected} (or with .gz)"
    raise CorpusError(located(message + _nearest(path), path=path))


def _nearest(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            line = file.readline(_SHOWN).strip()
    except UnicodeDecodeError:
        return "; it is not UTF-8 text: save it as .csv"
    except OSError:
        return ""
    return f"; {likeness(line)}" if line else ""


def likeness(line: str) -> str:
    """Return a message with the suffix and sample line of the format that a line resembles most."""
    having = [format_ for format_ in FORMATS.values() if hasattr(format_, "sample")]
    known = {format_.suffixes[0]: format_.sample for format_ in having}
    tabs = line.count("\t")
    like = {suffix: sample for suffix, sample in known.items() if sample.count("\t") == tabs}
    suffix = nearest(line, like) if like else ".tsv"
    return f"{shown(line)} looks most like a line of {suffix}, {known[suffix]!r}"
