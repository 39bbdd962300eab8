"""Expressions of several words with one meaning: single tokens for a parser.

    At most three dogs in the area ran .    at_most_three dogs in_the_area ran

They come from the lexicon: quantifiers, prepositional phrases, and the words after the
pronoun of a short relative clause. A sentence begins with a small letter and ends without a
point.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from amparser.grammar.algebras import STRING, value
from amparser.grammar.irtg import Derivation
from amparser.grammar.library import Library
from amparser.logic.form import Form

_JOINT = "_"
_END = "."


class Multiword:
    """The expressions of a grammar: the words of rules with more than one word."""

    def __init__(self, units: Iterable[tuple[str, ...]]) -> None:
        self._by_first: dict[str, list[tuple[str, ...]]] = {}
        for unit in sorted(set(units), key=len, reverse=True):
            self._by_first.setdefault(unit[0], []).append(unit)

    @classmethod
    def of_grammar(cls, library: Library) -> Multiword:
        """The expressions of a grammar; of a relative clause, the words after the pronoun."""
        units = []
        for rule in library.grammar.rules:
            if not rule.children:
                words = value(Derivation(rule), "string", STRING)
                units.append(words[1:] if rule.parent == "Relative" else words)
        return cls(unit for unit in units if len(unit) > 1)

    def joined(self, tokens: Sequence[str]) -> tuple[tuple[str, ...], tuple[range, ...]]:
        """The tokens with expressions joined, and the places (from 0) of the tokens of each."""
        words = [tokens[0][:1].lower() + tokens[0][1:], *tokens[1:]] if tokens else []
        end = len(words) - (words[-1:] == [_END])
        found: list[str] = []
        places: list[range] = []
        at = 0
        while at < end:
            units = self._by_first.get(words[at], [])
            unit = next((u for u in units if tuple(words[at : at + len(u)]) == u), (words[at],))
            found.append(_JOINT.join(unit))
            places.append(range(at, at + len(unit)))
            at += len(unit)
        return tuple(found), tuple(places)


def placed(form: Form, places: Sequence[range]) -> Form:
    """A form of joined tokens, aligned with the original tokens."""
    words = tuple(place for word in form.words for place in places[word])
    return replace(form, parts=tuple(placed(part, places) for part in form.parts), words=words)
