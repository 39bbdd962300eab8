"""Reading texts whose tokens are separated by white space."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NoReturn

from amparser.errors import LogicError
from amparser.schema import shown


class TokenReader:
    """One text, read from left to right without looking back.

    Attributes:
        reserved: the tokens that are not words.
    """

    reserved: Collection[str] = ()

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [*text.split(), ""]  # the empty token is the end
        self.at = 0

    def _accept(self, token: str) -> bool:
        accepted = self.tokens[self.at] == token
        self.at += accepted
        return accepted

    def _expect(self, token: str) -> None:
        if not self._accept(token):
            self._fail(repr(token))

    def _word(self, wanted: str) -> str:
        token = self.tokens[self.at]
        if token == "" or token in self.reserved:
            self._fail(wanted)
        self.at += 1
        return token

    def _fail(self, wanted: str) -> NoReturn:
        places = [match.start() for match in re.finditer(r"\S+", self.text)]
        column = [*places, len(self.text)][self.at] + 1
        found = shown(self.tokens[self.at]) if self.tokens[self.at] else "the end"
        raise LogicError(f"column {column} (token {self.at + 1}): expected {wanted}, found {found}")
