"""Texts as tokens: the cursor and the error messages of all readers of notations."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import ClassVar, NoReturn

from amparser.errors import LogicError
from amparser.schema import shown


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
        self.tokens: list[str] = [*self.pattern.findall(text), ""]  # the empty one is the end
        self.at = 0

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
        places = [match.start() for match in self.pattern.finditer(self.text)]
        before = self.text[: [*places, len(self.text)][at]].split("\n")
        line = f"line {len(before)}, " if "\n" in self.text.strip() else ""
        number = f" (token {at + 1})" if self.numbered else ""
        return f"{line}column {len(before[-1]) + 1}{number}"
