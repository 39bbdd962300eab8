"""Tokens that remember their spelling in the text, and a test for personal data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Self

_PRIVATE = re.compile(
    r"\w\s*@\s*\w|:\s*//|\bwww\s*\.|\w\.\s*(?:com|edu|gov|net|org)\b|\d(?:[-.,/() ]{0,2}\d){5}",
    re.IGNORECASE,
)


class Token(str):
    """Token that remembers its spelling and spacing in the text.

    Functions that take tokens also accept plain strings, as if a space preceded them.

    Attributes:
        gap: characters of the text between the previous token and this one.
        written: the token as written in the text, where its case or form may differ.
        after: punctuation that follows the token in the text but is not a token itself.
    """

    __slots__ = ("after", "gap", "written")

    after: str
    gap: str
    written: str

    def __new__(
        cls, form: str, gap: str = " ", written: str | None = None, after: str = ""
    ) -> Self:
        """Return a token; `written` defaults to `form`."""
        token = super().__new__(cls, form)
        token.gap = gap
        token.written = form if written is None else written
        token.after = after
        return token

    def __getnewargs__(self) -> tuple[str, ...]:  # type: ignore[override]
        return str(self), self.gap, self.written, self.after


def text_of(tokens: Sequence[str]) -> str:
    """Return the part of the text that adjacent tokens cover.

    >>> text_of(["New", "York"]), text_of([Token("5"), Token("%", "")])
    ('New York', '5%')
    """
    parts = [
        (token.gap, token.written) if isinstance(token, Token) else (" ", token) for token in tokens
    ]
    return "".join(part for pair in parts for part in pair)[len(parts[0][0]) :] if parts else ""


def is_private(text: str) -> bool:
    """Return whether a text has an e-mail address, a URL or a number of six or more digits.

    Vocabularies do not store such texts, because they may be personal data.

    >>> [is_private(text) for text in ("ann@post.no", "www.tt.no", "97 16 55 51", "1,999", "7:15")]
    [True, True, True, False, False]
    """
    return _PRIVATE.search(text) is not None
