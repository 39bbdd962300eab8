"""Intents and slots in brackets (Gupta et al. 2018), read as terms.

    [IN:GET_WEATHER what is it like in [SL:LOCATION New York ] ]

is the term `GET_WEATHER(LOCATION = "New York")`. The words outside the innermost slots are lost;
the term is written as `[IN:GET_WEATHER [SL:LOCATION New York ] ]` (decoupled form, Aghajanyan et
al. 2020). The value of a slot that occurs several times is a list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from amparser.errors import LogicError, nesting
from amparser.logic.term import LIST, Term, content_of, is_literal
from amparser.logic.token_reader import TokenReader
from amparser.notations.term import TermNotation

_INTENT, _SLOT = re.compile(r"\[IN:[^\W\d][\w.-]*"), re.compile(r"\[SL:[^\W\d][\w.-]*")
_PREFIX = len("[IN:")


class _Reader(TokenReader):
    pattern = re.compile(r"\[[^\s\[\]]*|\]|[^\s\[\]]+")

    def intent(self) -> Term:
        name = self._match(_INTENT, "'[IN:NAME'")[_PREFIX:]
        values: dict[str, list[Term]] = {}
        while not self._accept("]"):
            if self.tokens[self.at][:1] != "[":
                self._word("']'")
                continue
            slot = self._match(_SLOT, "'[SL:NAME'")[_PREFIX:]
            values.setdefault(slot, []).append(self._value())
        return Term(name, tuple(map(_one_or_list, values.values())), tuple(values))

    def _value(self) -> Term:
        words: list[str] = []
        intents: list[Term] = []
        while not self._accept("]"):
            if self.tokens[self.at][:1] == "[":
                intents.append(self.intent())
            else:
                words.append(self._word("']'"))
        if intents:
            return _one_or_list(intents)
        text = " ".join(words).replace("\\", "\\\\").replace('"', '\\"')
        return Term(f'"{text}"')

    def whole(self) -> Term:
        with nesting(LogicError):
            intent = self.intent()
        self._expect("")
        return intent


def _one_or_list(values: Sequence[Term]) -> Term:
    return values[0] if len(values) == 1 else Term(LIST, tuple(values))


class BracketedNotation(TermNotation):
    """Intents and slots in brackets; the style `tight` omits spaces before closing brackets."""

    name = "bracketed"
    sample = "[IN:GET_WEATHER weather in [SL:LOCATION Paris ] ]"
    styles: ClassVar[Mapping[str, Any]] = {"": " ]", "tight": "]"}
    word = re.compile(r"\]?[^\s\]]+|\]")

    def read(self, text: str) -> Term:
        """Return the term of a text. Raises LogicError if the text is malformed."""
        return _Reader(text).whole()

    def text_of(self, value: Term, style: str) -> str:
        """Return the text of a term in one of the styles."""
        closing: str = self.styles[style]

        def text(term: Term) -> str:
            if is_literal(term.symbol):
                return re.sub(r"\\(.)", r"\1", content_of(term.symbol))
            slots = []
            for place, argument in enumerate(term.arguments):
                values = argument.arguments if argument.symbol == LIST else (argument,)
                slots += [
                    f"[SL:{term.key(place)} {text(part)}".rstrip() + closing for part in values
                ]
            return " ".join([f"[IN:{term.symbol}", *slots]) + closing

        return text(value)


BRACKETED = BracketedNotation()
