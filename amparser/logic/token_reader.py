"""Texts as tokens: the cursor and the error messages of all readers of notations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import ClassVar, NoReturn

from amparser.errors import LogicError
from amparser.schema import shown


def place_in(text: str, at: int) -> str:
    """The column of a character, from 1, and the line if the text has several.

    >>> place_in("a b", 2), place_in("a\\nb", 2)
    ('column 3', 'line 2, column 1')
    """
    before = text[:at].split("\n")
    line = f"line {len(before)}, " if "\n" in text.strip() else ""
    return f"{line}column {len(before[-1]) + 1}"


def cut_at_spaces(tokens: Iterable[str]) -> list[str]:
    """The tokens, those with spaces as several words, as far as spaces put them together again.

    >>> cut_at_spaces(["(", "'new york'", "'two  spaces'"])
    ['(', "'new", "york'", "'two  spaces'"]
    """
    words: list[str] = []
    for token in tokens:
        parts = token.split(" ")
        # More than one space, or a tab, would not come back.
        words += parts if token.split() == parts else [token]
    return words


class TokenReader:
    """One text, read from left to right without looking back.

    Attributes:
        pattern: of a token.
        reserved: the tokens that are not words.
        numbered: whether messages count tokens, too.
    """

    pattern: ClassVar[re.Pattern[str]] = re.compile(r"\S+")
    reserved: ClassVar[Collection[str]] = ()
    numbered: ClassVar[bool] = False

    def __init__(self, text: str) -> None:
        self.text = text
        # The empty one is the end.
        self.tokens: list[str] = [*(match[0] for match in self._matches()), ""]
        self.at = 0

    def _matches(self) -> Iterable[re.Match[str]]:
        """The tokens where they stand in the text."""
        return self.pattern.finditer(self.text)

    def _accept(self, token: str) -> bool:
        accepted = self.tokens[self.at] == token
        self.at += accepted
        return accepted

    def _expect(self, token: str, wanted: str = "") -> None:
        if not self._accept(token):
            self._fail(wanted or ("the end" if token == "" else repr(token)))

    def _word(self, wanted: str) -> str:
        token = self.tokens[self.at]
        if token == "" or token in self.reserved:
            self._fail(wanted)
        self.at += 1
        return token

    def _fail(self, wanted: str, at: int | None = None) -> NoReturn:
        """Raise LogicError about a token, by default the next one."""
        at = self.at if at is None else at
        found = shown(self.tokens[at]) if self.tokens[at] else "the end"
        self._stop(f"expected {wanted}, found {found}", at)

    def _stop(self, message: str, at: int) -> NoReturn:
        raise LogicError(f"{self._place(at)}: {message}")

    def _place(self, at: int) -> str:
        """The column of a token, from 1, and the line if there are several."""
        starts = [*(match.start() for match in self._matches()), len(self.text)]
        number = f" (token {at + 1})" if self.numbered else ""
        return place_in(self.text, starts[at]) + number
