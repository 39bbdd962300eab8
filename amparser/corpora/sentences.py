"""Split running text into sentences with character offsets.

A sentence ends at an empty line. It also ends at `.`, `?` or `!`, with any closing quotes or
brackets after the sign, if a word with a capital, a digit, or an opening quote or bracket follows.
Periods after single letters (`J. Smith`) and known abbreviations do not end a sentence. If the
library sentencex (Wikimedia; extra `text`) is installed, it is used instead of these rules; it
knows abbreviations of many languages.

The sentences contain the whole text except white space between sentences.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import NamedTuple

_BREAK = re.compile(r"\n[^\S\n]*\n\s*")
_END = re.compile(
    r"(?<![.?!\u2026])[.?!\u2026]++[\"'\u201d\u2019\xbb)\]]*+"
    r"(?=\s++[\"'\u201c\u2018\xab(\[]*+[^\W_a-z])"
)
_CLOSING = "\"'\u201d\u2019\xbb)]"
_FINAL = ".?!\u2026"


class Piece(NamedTuple):
    """Sentence of a text: offset of its first character (from 0), and its characters."""

    start: int
    text: str

    @property
    def line(self) -> str:
        """The sentence on one line: each white space character is replaced by a space."""
        return re.sub(r"\s", " ", self.text)


def pieces_of(text: str, abbreviations: Collection[str] = ()) -> Iterator[Piece]:
    """Yield the sentences of a text in order.

    Args:
        text: the text.
        abbreviations: words, in lower case, whose final periods do not end a sentence.

    >>> [piece.text for piece in pieces_of("He met J. Smith.  They left.\\nIt rained.")]
    ['He met J. Smith.', 'They left.', 'It rained.']
    """
    start = 0
    for match in (*_BREAK.finditer(text), None):
        end = len(text) if match is None else match.start()
        for first, last in _cuts(text[start:end], abbreviations):
            part = text[start + first : start + last]
            if stripped := part.strip():
                yield Piece(start + first + part.index(stripped[0]), stripped)
        start = end if match is None else match.end()


def _cuts(text: str, abbreviations: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each sentence of a paragraph, including the spaces around it."""
    with suppress(ImportError):
        from sentencex import get_sentence_boundaries

        # A single line break does not end a sentence, so the library gets a space instead.
        for sentence in get_sentence_boundaries("en", re.sub(r"\s", " ", text)):
            yield sentence["start_index"], sentence["end_index"]
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
    """Return the last word of a text with its periods, such as `Dr.` or `U.S.`."""
    stem = text.rstrip(_FINAL)
    begin = len(stem)
    while begin and (stem[begin - 1].isalnum() or stem[begin - 1] in "_."):
        begin -= 1
    return text[begin:]
