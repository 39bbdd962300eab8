"""Terms: symbols applied to terms, as in Prolog or functional meaning representations.

    f(g('a name', _), 3, key = [a, b])

A symbol is a word, a number or a quoted string; a call without arguments keeps its parentheses,
`f()`. Arguments may have keys. A list is a term with the symbol `[]`. A `TermLayout` defines the
spaces of a text. Texts that follow a layout round-trip byte for byte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from amparser.logic.token_reader import TokenReader

# `=` separates a key from its value, but is also part of `==`, `>=`, `:=` and so on.
_OPERATORS = "<>!=:~+*/-"
_CHARACTER = rf"[^\s'\"(),=\[\]]|(?<=[{_OPERATORS}])=|=(?==)"
_SYMBOL = rf"(?:{_CHARACTER})(?:{_CHARACTER}|\[(?:{_CHARACTER})*\])*"
_STRING = r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\""
_TOKEN = re.compile(rf"\s*({_STRING}|{_SYMBOL}|[(),=\[\]])")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_MARKS = ("", "(", ")", ",", "[", "]")
LIST = "[]"


@dataclass(frozen=True, slots=True)
class Term:
    """A symbol (with its quotes) and its arguments.

    Attributes:
        symbol: the symbol as written; `f()` for a call without arguments, `[]` for a list.
        arguments: arguments in the order of the text.
        keys: the key of each argument, `""` if it has none; empty if no argument has a key.
    """

    symbol: str
    arguments: tuple[Term, ...] = ()
    keys: tuple[str, ...] = ()

    def __str__(self) -> str:
        return term_to_str(self)

    def key(self, place: int) -> str:
        """Return the key of an argument, or `""`."""
        return self.keys[place] if self.keys else ""


@dataclass(frozen=True, slots=True)
class TermLayout:
    """The separators between the parts of a term.

    >>> term = term_from_str("f(a,k=g(b))")
    >>> [term_to_str(term, layout) for layout in STYLES.values()]
    ['f(a, k = g(b))', 'f(a,k=g(b))', 'f(a, k=g(b))', 'f(a,k = g(b))', 'f ( a , k = g ( b ) )']
    """

    comma: str = ", "
    equals: str = " = "
    opening: str = "("
    closing: str = ")"

    def around(self, symbol: str) -> tuple[str, str]:
        """Return the texts before and after a symbol's arguments, such as `(` and `)`."""
        if symbol == LIST:
            return self.opening.lstrip().replace("(", "["), self.closing.replace(")", "]")
        return symbol + self.opening, self.closing


STYLES = {
    "": TermLayout(),
    "tight": TermLayout(",", "="),
    "keyword": TermLayout(", ", "="),
    "commas": TermLayout(",", " = "),
    "spaced": TermLayout(" , ", " = ", " ( ", " )"),
}
"""The usual styles of writing; the first one is the default."""


def is_number(text: str) -> bool:
    """Return True if a text is a number with optional sign, decimals and exponent.

    >>> is_number("-3.5"), is_number("1e6"), is_number("10:30"), is_number("")
    (True, True, False, False)
    """
    return _NUMBER.fullmatch(text) is not None


def is_literal(symbol: str) -> bool:
    """Return True if a symbol is a value (a quoted string or a number), not a function.

    >>> is_literal("'new place'"), is_literal("12"), is_literal("place")
    (True, True, False)
    """
    return symbol[:1] in ("'", '"') or is_number(symbol)


def content_of(literal: str) -> str:
    """Return the content of a literal without its quotes, if it has any.

    >>> content_of("'new place'"), content_of("12")
    ('new place', '12')
    """
    return literal[1:-1] if literal[:1] in ("'", '"') and len(literal) > 1 else literal


def is_symbol(text: str) -> bool:
    """Return True if a text can be the symbol of a term.

    >>> is_symbol("loc_2"), is_symbol("'it''s'"), is_symbol("now()"), is_symbol("two words")
    (True, True, True, False)
    """
    if text == LIST:
        return True
    match = _TOKEN.fullmatch(text.removesuffix("()"))
    return match is not None and match[1] == text.removesuffix("()") not in _MARKS


def term_to_str(term: Term, layout: TermLayout = STYLES[""]) -> str:
    """Return the text of a term.

    >>> term_to_str(Term("f", (Term("g", (Term("'a'"), Term("_"))), Term("3"))))
    "f(g('a', _), 3)"
    """
    # The function is not recursive, because a parser's answer may be nested more deeply than
    # Python's recursion limit.
    written: list[str] = []
    stack: list[Term | str] = [term]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            written.append(item)
            continue
        before, behind = layout.around(item.symbol)
        if not item.arguments and item.symbol != LIST:
            empty = item.symbol.endswith("()") and not is_literal(item.symbol)
            written.append(item.symbol.removesuffix("()") if empty else item.symbol)
            written += [layout.opening.rstrip(), layout.closing] if empty else []
            continue
        written += [before if item.arguments else before.rstrip()]
        stack.append(behind)
        for place in reversed(range(len(item.arguments))):
            stack.append(item.arguments[place])
            if key := item.key(place):
                # Without a space between them, `>` and `=` would be read as one symbol.
                glued = key[-1] in _OPERATORS or item.arguments[place].symbol[0] == "="
                stack.append(f"{key}{' = ' if glued else layout.equals}")
            if place:
                stack.append(layout.comma)
    return "".join(written)


def term_from_str(text: str) -> Term:
    """Read a term.

    >>> term_from_str("f(g('a', _), k = 3)").arguments[1]
    Term(symbol='3', arguments=(), keys=())
    >>> term_from_str("f(g")
    Traceback (most recent call last):
    amparser.errors.LogicError: column 4: expected ',' or ')', found the end

    Raises:
        LogicError: the text is not a term; the message names the column (from 1).
    """
    return _Reader(text).term()


# Matching an unterminated string as one word avoids backtracking at each quote.
_OPEN = r"""'(?:[^'\\]|\\.|'')*+|\"(?:[^\"\\]|\\.|\"\")*+"""
WORD = re.compile(rf"{_STRING}|{_OPEN}|{_SYMBOL}|[(),=\[\]]|\S")


class _Reader(TokenReader):
    pattern = WORD
    reserved = _MARKS

    def term(self) -> Term:
        stack: list[tuple[str, list[Term], list[str]]] = []
        key = ""
        while True:
            if self._accept("["):
                symbol = LIST
                if not self._accept("]"):
                    stack.append((symbol, [], [key]))
                    key = ""
                    continue
            elif (symbol := self._symbol()) and self._accept("("):
                if not self._accept(")"):
                    stack.append((symbol, [], [key]))
                    key = self._key()
                    continue
                symbol += "()"
            done = Term(symbol)
            while True:
                if not stack:
                    self._expect("")
                    return done
                head, arguments, keys = stack[-1]
                arguments.append(done)
                keys.append(key)
                if self._accept(","):
                    key = "" if head == LIST else self._key()
                    break
                close = "]" if head == LIST else ")"
                self._expect(close, f"',' or '{close}'")
                stack.pop()
                key = keys.pop(0)
                done = Term(head, tuple(arguments), tuple(keys) if any(keys) else ())

    def _symbol(self) -> str:
        if not _TOKEN.fullmatch(self.tokens[self.at]):
            self._fail("a symbol")
        return self._word("a symbol")

    def _key(self) -> str:
        token = self.tokens[self.at]
        if token in _MARKS or is_literal(token) or self.tokens[self.at + 1] != "=":
            return ""
        self.at += 2
        return token
