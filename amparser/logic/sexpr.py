r"""S-expressions, as in Lisp: atoms and lists of s-expressions.

    (answer (city (loc_2 (stateid "new \"york\""))))

An atom is a word, a number, a string with backslash escapes, or a name between bars. The marks
`'`, `` ` ``, `,` and `,@` quote the s-expression that follows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from amparser.logic.token_reader import TokenReader

_STRING = r'"(?:[^"\\]|\\.)*"'
_NAME = r"\|[^|]*\|"
_WORD = r'[^\s()"]+'
QUOTES = (",@", "'", "`", ",")
"""Quote marks, which precede the quoted expression without a space."""
_QUOTE = r"(?:,@|['`,])(?=[^\s)])"
_TOKEN = re.compile(rf"\s*({_STRING}|{_NAME}|{_QUOTE}|{_WORD}|[()])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Sexpr:
    """An atom, a list or a quoted expression.

    Attributes:
        atom: text of an atom, or the quote mark; `""` for a list.
        items: items of a list, or the quoted expression.
        quoted: True for a quoted expression.
    """

    atom: str = ""
    items: tuple[Sexpr, ...] = ()
    quoted: bool = False

    def __str__(self) -> str:
        return sexpr_to_str(self)

    @property
    def is_list(self) -> bool:
        """True for a list, which may be empty."""
        return not self.atom


def is_atom(text: str) -> bool:
    """Return True if a text is a single atom.

    >>> is_atom("loc_2"), is_atom('"new york"'), is_atom("'x"), is_atom("(f)")
    (True, True, False, False)
    """
    match = _TOKEN.match(text)
    return match is not None and match[1] == text and text not in ("(", ")")


def sexpr_to_str(sexpr: Sexpr, *, spaced: bool = False) -> str:
    """Return the text of an s-expression; `spaced` adds spaces inside parentheses.

    >>> sexpr_to_str(Sexpr("", (Sexpr("f"), Sexpr("'", (Sexpr("x"),), True))))
    "(f 'x)"
    >>> sexpr_to_str(sexpr_from_str("(f (g x))"), spaced=True)
    '( f ( g x ) )'
    """
    # The function is not recursive, because a parser's answer may be nested more deeply than
    # Python's recursion limit.
    opening, closing = ("( ", " )") if spaced else ("(", ")")
    written: list[str] = []
    stack: list[Sexpr | str] = [sexpr]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            written.append(item)
        elif item.is_list:
            written.append(opening if item.items else opening.rstrip())
            stack.append(closing)
            for place, inner in enumerate(reversed(item.items)):
                stack += [" ", inner] if place else [inner]
        else:
            written.append(item.atom)
            stack += item.items
    return "".join(written)


def sexpr_from_str(text: str) -> Sexpr:
    """Read an s-expression.

    >>> sexpr_from_str("(f x)").items[1]
    Sexpr(atom='x', items=(), quoted=False)
    >>> sexpr_from_str("(f (g x)")
    Traceback (most recent call last):
    amparser.errors.LogicError: column 9: expected an atom, '(' or ')', found the end

    Raises:
        LogicError: the text is not a single s-expression; the message names the column (from 1).
    """
    return _Reader(text).sexpr()


class _Reader(TokenReader):
    pattern = re.compile(rf"{_STRING}|{_NAME}|{_QUOTE}|{_WORD}|[()]|\S", re.DOTALL)

    def sexpr(self) -> Sexpr:
        stack: list[tuple[str, list[Sexpr]]] = []
        places = [match.end() for match in self.pattern.finditer(self.text)]
        while True:
            token, inside = self.tokens[self.at], bool(stack) and not stack[-1][0]
            if not _TOKEN.fullmatch(token) or (token == ")" and not inside):
                self._fail("an atom, '(' or ')'" if inside else "an atom or '('")
            end = places[self.at]
            self.at += 1
            if token == "(":
                stack.append(("", []))
                continue
            # A quote mark before a space or the end is an atom.
            if token in QUOTES and re.match(r"[^\s)]", self.text[end : end + 1]):
                stack.append((token, []))
                continue
            done = Sexpr("", tuple(stack.pop()[1])) if token == ")" else Sexpr(token)
            while stack and stack[-1][0]:
                done = Sexpr(stack.pop()[0], (done,), quoted=True)
            if not stack:
                self._expect("")
                return done
            stack[-1][1].append(done)


WORD = re.compile(rf"(?:{_QUOTE})*(?:{_STRING}|{_NAME}|{_WORD}|[()])|\S", re.DOTALL)
"""Pattern of a parenthesis, or of an atom with the quote marks before it."""
