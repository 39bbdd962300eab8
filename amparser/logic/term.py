"""Terms: a symbol applied to terms, as in Prolog's or functional meaning representations.

    f(g('a name', _), 3)

A symbol is a word, a number or a quoted string. `Term` is a value; its text is
written with `, ` between arguments, so a text that follows this layout is read and
written again byte for byte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from amparser.errors import LogicError

_TOKEN = re.compile(r"\s*('(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"|[^\s'\"(),]+|[(),])")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Term:
    """A symbol (quotes included) and its arguments."""

    symbol: str
    arguments: tuple[Term, ...] = ()

    def __str__(self) -> str:
        return term_to_str(self)


def is_literal(symbol: str) -> bool:
    """Whether a symbol is a quoted string or a number, thus a value and not a function.

    >>> is_literal("'new place'"), is_literal("12"), is_literal("place")
    (True, True, False)
    """
    return symbol[:1] in ("'", '"') or _NUMBER.fullmatch(symbol) is not None


def term_to_str(term: Term) -> str:
    """The text of a term.

    >>> term_to_str(Term("f", (Term("g", (Term("'a'"), Term("_"))), Term("3"))))
    "f(g('a', _), 3)"
    """
    # Without recursion: a parser may answer with a term deeper than Python's stack.
    written: list[str] = []
    stack: list[Term | str] = [term]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            written.append(item)
            continue
        written.append(item.symbol)
        if item.arguments:
            written.append("(")
            stack.append(")")
            for i, argument in enumerate(reversed(item.arguments)):
                stack += [", ", argument] if i else [argument]
    return "".join(written)


def term_from_str(text: str) -> Term:
    """Read a term.

    >>> term_from_str("f(g('a', _), 3)").arguments[1]
    Term(symbol='3', arguments=())
    >>> term_from_str("f(g")
    Traceback (most recent call last):
    amparser.errors.LogicError: column 4: expected ',' or ')', found the end

    Raises:
        LogicError: the text is not a term; the message names the column (from 1).
    """
    position = 0
    open_terms: list[tuple[str, list[Term]]] = []

    def fail(expected: str) -> NoReturn:
        found = repr(text[position]) if position < len(text) else "the end"
        raise LogicError(f"column {position + 1}: expected {expected}, found {found}")

    def take() -> str:
        nonlocal position
        match = _TOKEN.match(text, position)
        if match is None:
            return ""
        position = match.end()
        return match[1]

    while True:
        before = position
        symbol = take()
        if symbol in ("", "(", ")", ","):
            position = before
            fail("a symbol")
        before = position
        mark = take()
        if mark == "(":
            open_terms.append((symbol, []))
            continue
        done = Term(symbol)
        while True:
            if not open_terms:
                if mark or text[before:].strip():
                    position = before
                    fail("the end")
                return done
            open_terms[-1][1].append(done)
            if mark == ",":
                break
            if mark != ")":
                position = before
                fail("',' or ')'")
            head, arguments = open_terms.pop()
            done = Term(head, tuple(arguments))
            before = position
            mark = take()
