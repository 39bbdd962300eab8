"""Variable-free notation of SLOG's logical forms (Li et al. 2023, appendix C.2).

    give ( agent = * girl ( nmod . on = bed ) , recipient = ? , theme = cake )

The nesting follows the structure of the sentence. `*` marks a definite noun. A noun is written with
its modifiers wherever it is an argument, except inside these modifiers. The form of a primitive is
a single word.
"""

from __future__ import annotations

from dataclasses import dataclass

from amparser.errors import LogicError, nesting
from amparser.logic.token_reader import TokenReader

RESERVED = frozenset({"(", ")", ",", ".", "=", "*"})
"""Tokens that cannot be words of a term."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word and its arguments: pairs of a role (`nmod . in` has two words) and a term."""

    word: str
    arguments: tuple[tuple[tuple[str, ...], Term], ...] = ()
    definite: bool = False

    def __str__(self) -> str:
        """Return the text, with tokens separated by single spaces."""
        text = f"* {self.word}" if self.definite else self.word
        arguments = (f"{' . '.join(role)} = {value}" for role, value in self.arguments)
        return f"{text} ( {' , '.join(arguments)} )" if self.arguments else text


def varfree_from_str(text: str) -> Term:
    """Read a term.

    >>> str(varfree_from_str("giggle ( agent = * girl )"))
    'giggle ( agent = * girl )'

    Raises:
        LogicError: the text does not follow the notation; the message names the expected token
            and gives the column and number (both from 1) of the token found.
    """
    with nesting(LogicError, "variable-free form nested too deeply"):
        return _Reader(text).whole()


class _Reader(TokenReader):
    reserved = RESERVED
    numbered = True

    def whole(self) -> Term:
        term = self._term()
        self._expect("", "the end" if term.arguments else "'(' or the end")
        return term

    def _term(self) -> Term:
        definite = self._accept("*")
        word = self._word("a word" if definite else "'*' or a word")
        arguments = self._separated(self._argument, ",") if self._accept("(") else []
        if arguments:
            self._expect(")", "',' or ')'" if arguments[-1][1].arguments else "'(', ',' or ')'")
        return Term(word, tuple(arguments), definite)

    def _argument(self) -> tuple[tuple[str, ...], Term]:
        role = self._separated(
            lambda: self._word("a word of the role"), ".", lambda: self._word("a role")
        )
        self._expect("=", "'.' or '='")
        return tuple(role), self._term()
