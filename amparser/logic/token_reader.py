"""Base class of readers of notations: tokenizer, cursor and error messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import ClassVar, NoReturn, TypeVar

from amparser.errors import AMParserError, LogicError, shown

Item = TypeVar("Item")


def place_in(text: str, at: int) -> str:
    """Return the column of a character (from 1), and the line if the text has several lines.

    >>> place_in("a b", 2), place_in("a\\nb", 2)
    ('column 3', 'line 2, column 1')
    """
    before = text[:at].split("\n")
    line = f"line {len(before)}, " if "\n" in text.strip() else ""
    return f"{line}column {len(before[-1]) + 1}"


def cut_at_spaces(tokens: Iterable[str]) -> list[str]:
    """Split tokens at single spaces; joining the words by spaces gives the tokens again.

    >>> cut_at_spaces(["(", "'new york'", "'two  spaces'"])
    ['(', "'new", "york'", "'two  spaces'"]
    """
    words: list[str] = []
    for token in tokens:
        parts = token.split(" ")
        # Tokens with tabs or adjacent spaces stay whole: joining could not restore them.
        words += parts if token.split() == parts else [token]
    return words


class TokenReader:
    """Reader of a text, token by token, from left to right and without backtracking.

    Attributes:
        pattern: pattern of a token.
        reserved: tokens that are not words.
        numbered: True if messages state the number of a token (from 1) in addition to its column.
        error: class of the errors that the reader raises.
        kind: name of the text in messages, such as `type`; empty if messages do not quote the text.
    """

    pattern: ClassVar[re.Pattern[str]] = re.compile(r"\S+")
    reserved: ClassVar[Collection[str]] = ()
    numbered: ClassVar[bool] = False
    error: ClassVar[type[AMParserError]] = LogicError
    kind: ClassVar[str] = ""

    def __init__(self, text: str) -> None:
        self.text = text
        # The empty token marks the end.
        self.tokens: list[str] = [*(match[0] for match in self._matches()), ""]
        self.at = 0

    def _matches(self) -> Iterable[re.Match[str]]:
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

    def _match(self, pattern: re.Pattern[str], wanted: str) -> str:
        token = self.tokens[self.at]
        if not pattern.fullmatch(token):
            self._fail(wanted)
        self.at += 1
        return token

    def _separated(
        self, item: Callable[[], Item], separator: str, first: Callable[[], Item] | None = None
    ) -> list[Item]:
        items = [(first or item)()]
        while self._accept(separator):
            items.append(item())
        return items

    def _enclosed(self, item: Callable[[], Item], wanted: str = "',' or ')'") -> list[Item]:
        items = self._separated(item, ",")
        self._expect(")", wanted)
        return items

    def _fail(self, wanted: str, at: int | None = None) -> NoReturn:
        at = self.at if at is None else at
        token = shown(self.tokens[at]) if self.tokens[at] else "the end"
        self._stop(f"expected {wanted}, found {token}", at)

    def _stop(self, message: str, at: int) -> NoReturn:
        text = f"{self.kind} {self.text!r}, " if self.kind else ""
        raise self.error(f"{text}{self._place(at)}: {message}")

    def _place(self, at: int) -> str:
        number = f" (token {at + 1})" if self.numbered else ""
        return place_in(self.text, self._start(at)) + number

    def _start(self, at: int) -> int:
        return [*(match.start() for match in self._matches()), len(self.text)][at]
