"""Flat clauses, each an upper-case keyword with arguments, read as terms.

    GET event FILTER start lt "last Monday" AND ( size gt 3 ) TOP 3

is the list `[GET(event), FILTER(start, lt, "last Monday"), AND([size, gt, 3]), TOP(3)]`. An
argument is a word, a string, a number, or a list in parentheses, which may contain clauses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from amparser.errors import LogicError, nesting
from amparser.logic.term import LIST, Term, is_symbol
from amparser.logic.token_reader import TokenReader
from amparser.notations.term import TermNotation

_KEYWORD = re.compile(r"[A-Z][A-Z_]+")
_EQUAL = re.compile(r"^=+$")


class _Reader(TokenReader):
    pattern = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()]|[^\s()"']+|\S""")
    reserved = (")",)

    def items(self, end: str) -> Term:
        groups: list[list[Term]] = []
        clause = False
        while not self._accept(end):
            word = self._word("')'" if end else "an argument")
            keyword = _KEYWORD.fullmatch(word) is not None
            if not (end or clause or keyword):
                self._fail("a keyword in capital letters", self.at - 1)
            if word == LIST or not (is_symbol(word) or word == "(" or _EQUAL.fullmatch(word)):
                self._fail("a word, a number or a string", self.at - 1)
            # The symbol `=` is reserved in terms, so it is replaced by `==`.
            item = self.items(")") if word == "(" else Term(_EQUAL.sub(r"\g<0>=", word))
            if clause and not keyword:
                groups[-1].append(item)
            else:
                groups.append([item])
            clause = clause or keyword
        if not groups:
            self._fail("an argument", self.at - 1)
        return Term(
            LIST, tuple(Term(head.symbol, (*head.arguments, *rest)) for head, *rest in groups)
        )


class ClauseNotation(TermNotation):
    """Flat clauses; the style `spaced` writes spaces inside parentheses."""

    name = "clauses"
    sample = 'GET event FILTER start lt "last Monday" TOP 3'
    styles: ClassVar[Mapping[str, Any]] = {"": ("(", ")"), "spaced": ("( ", " )")}
    word = _Reader.pattern

    def read(self, text: str) -> Term:
        """Return the list of clauses. Raises LogicError if the text is malformed."""
        with nesting(LogicError):
            return _Reader(text).items("")

    def text_of(self, value: Term, style: str) -> str:
        """Return the text of a list of clauses in one of the styles."""
        opening, closing = self.styles[style]

        def text(term: Term) -> str:
            inside = " ".join(map(text, term.arguments))
            if term.symbol == LIST:
                return f"{opening}{inside}{closing}"
            head = term.symbol[:-1] if _EQUAL.fullmatch(term.symbol) else term.symbol
            return f"{head} {inside}".rstrip()

        if value.symbol != LIST:
            return text(value)
        return " ".join(map(text, value.arguments))


CLAUSES = ClauseNotation()
