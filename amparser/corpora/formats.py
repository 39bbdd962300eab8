"""The corpus formats by name. To add one, write a module and add a line here or an entry point."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from amparser.errors import CorpusError, located
from amparser.registry import Registry

if TYPE_CHECKING:
    from amparser.corpora.format import CorpusFormat

FORMATS: Registry[CorpusFormat] = Registry(
    "corpus format",
    "amparser.corpora",
    {
        "tsv": "amparser.corpora.tsv:TSV",
        "penman": "amparser.corpora.penman:PENMAN",
        "amconll": "amparser.corpora.amconll:AMCONLL",
        "json": "amparser.corpora.jsonl:JSON",
    },
)

GZIP = ".gz"


def suffixes() -> tuple[str, ...]:
    """The suffixes of all formats, each with and without `.gz`."""
    return tuple(
        suffix + gzip
        for found in FORMATS.values()
        for suffix in found.suffixes
        for gzip in ("", GZIP)
    )


def format_of(path: Path) -> CorpusFormat:
    """The format of a file, by its suffix; raises CorpusError if no format has the suffix."""
    name = path.name.removesuffix(GZIP)
    for found in FORMATS.values():
        if name.endswith(found.suffixes):
            return found
    expected = ", ".join(s for s in suffixes() if not s.endswith(GZIP))
    message = f"unknown suffix, expected one of {expected} (or with .gz)"
    raise CorpusError(located(message, path=path))
