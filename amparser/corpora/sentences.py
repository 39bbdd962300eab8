"""The sentences of running text, and where each stands in it.

An empty line ends a sentence, and so does `. ? !` with what closes quotes or brackets, if a word
with a capital, a digit or something that opens follows. The point of a single letter (`J. Smith`)
and of a known abbreviation ends none. The library sentencex (Wikimedia; extra `text`) knows the
abbreviations of many languages and replaces these rules where it is installed.

Nothing is lost: between two pieces, before the first and behind the last stand only spaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

_BREAK = re.compile(r"\n[^\S\n]*\n\s*")
_END = re.compile(
    r"(?<![.?!\u2026])[.?!\u2026]++[\"'\u201d\u2019\xbb)\]]*+"
    r"(?=\s++[\"'\u201c\u2018\xab(\[]*+[^\W_a-z])"
)
_CLOSING = "\"'\u201d\u2019\xbb)]"
_FINAL = ".?!\u2026"


class Piece(NamedTuple):
    """A sentence in a text.

    Attributes:
        start: the place of its first character, from 0.
        text: the characters themselves; line ends may be among them.
    """

    start: int
    text: str

    @property
    def line(self) -> str:
        """The same with a space for each line end or other space, so that places stay."""
        return re.sub(r"\s", " ", self.text)


def pieces_of(
    text: str, abbreviations: Collection[str] = (), language: str = "en"
) -> Iterator[Piece]:
    """The sentences of a text, in order.

    Args:
        abbreviations: words in lower case, with their points, that do not end a sentence.
        language: a code of ISO 639, for the library.

    >>> [piece.text for piece in pieces_of("He met J. Smith.  They left.\\nIt rained.")]
    ['He met J. Smith.', 'They left.', 'It rained.']
    """
    start = 0
    for match in (*_BREAK.finditer(text), None):
        end = len(text) if match is None else match.start()
        for first, last in _cuts(text[start:end], abbreviations, language):
            part = text[start + first : start + last]
            if stripped := part.strip():
                yield Piece(start + first + part.index(stripped[0]), stripped)
        start = end if match is None else match.end()


def _cuts(text: str, abbreviations: Collection[str], language: str) -> Iterator[tuple[int, int]]:
    """Where pieces of a paragraph begin and end; together they are all of it."""
    boundaries = _library()
    if boundaries is not None:
        # A line that wraps does not end a sentence for the library, which fails at other spaces.
        for found in boundaries(language, re.sub(r"\s", " ", text)):
            yield found["start_index"], found["end_index"]
        return
    start = 0
    for match in _END.finditer(text):
        last = text[start : match.end()].rsplit(maxsplit=1)[-1].lower()
        word = _last_word(last.rstrip(_CLOSING))
        if word in abbreviations or re.fullmatch(r"(?:\w\.)+", word):
            continue
        yield start, match.end()
        start = match.end()
    yield start, len(text)


def _last_word(text: str) -> str:
    """The letters, digits and points at the end of a text, with the marks that end it."""
    stem = text.rstrip(_FINAL)
    begin = len(stem)
    while begin and (stem[begin - 1].isalnum() or stem[begin - 1] in "_."):
        begin -= 1
    return text[begin:]


def _library() -> Callable[[str, str], list[dict[str, Any]]] | None:
    try:
        from sentencex import get_sentence_boundaries
    except ImportError:
        return None
    found: Callable[[str, str], list[dict[str, Any]]] = get_sentence_boundaries
    return found
