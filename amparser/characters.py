"""Tokens that know the characters of their text, and texts that no vocabulary has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Self

_PRIVATE = re.compile(
    r"\w\s*@\s*\w|:\s*//|\bwww\s*\.|\w\.\s*(?:com|edu|gov|net|org)\b|\d(?:[-.,/() ]{0,2}\d){5}",
    re.IGNORECASE,
)


class Token(str):
    """A token that knows the characters of its text; a plain string stands between two spaces.

    Attributes:
        gap: the characters of the text between the token before and this one.
        written: its own characters, which may be in other case or form than the token.
        after: a sign of the text behind it that is no token.
    """

    __slots__ = ("after", "gap", "written")

    after: str
    gap: str
    written: str

    def __new__(
        cls, form: str, gap: str = " ", written: str | None = None, after: str = ""
    ) -> Self:
        """Make a token; what is written is its form, if nothing else is given."""
        token = super().__new__(cls, form)
        token.gap = gap
        token.written = form if written is None else written
        token.after = after
        return token

    def __getnewargs__(self) -> tuple[str, ...]:  # type: ignore[override]
        return str(self), self.gap, self.written, self.after


def text_of(tokens: Sequence[str]) -> str:
    """Return the characters of a text from the first of neighbouring tokens to the last.

    >>> text_of(["New", "York"]), text_of([Token("5"), Token("%", "")])
    ('New York', '5%')
    """
    parts = [
        (token.gap, token.written) if isinstance(token, Token) else (" ", token) for token in tokens
    ]
    return "".join(part for pair in parts for part in pair)[len(parts[0][0]) :] if parts else ""


def is_private(text: str) -> bool:
    """Return whether a text has an e-mail address, a URL or a number of six digits or more.

    Models learn nothing of these but their spelling, since they may belong to somebody.

    >>> [is_private(text) for text in ("ann@post.no", "www.tt.no", "97 16 55 51", "1,999", "7:15")]
    [True, True, True, False, False]
    """
    return _PRIVATE.search(text) is not None
