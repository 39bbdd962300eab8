"""Natural logic: decide from two forms whether one follows from the other, and why.

A *form* is the variable-free formula of a sentence. The forms are compared top down, with the
polarity of each position (van Benthem 1986; MacCartney & Manning 2009). Each difference is a
*step*: a phrase is replaced, added or dropped, and so becomes wider, narrower or neither. A step
*follows* if the phrase becomes wider in an upward position, or narrower in a downward position. The
hypothesis follows if all steps follow. Conjuncts are matched so that as many steps as possible
follow:

    c1 & .. & cm   is narrower than   d1 & .. & dn   if each d has a c that is narrower

and the reverse holds for disjuncts. Inference is sound, given the order of words from narrower to
wider, but not complete.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import NamedTuple, TypeAlias

from amparser.logic.vf import QUANTIFIERS, Form, phrase

Follows: TypeAlias = Callable[[str, str], bool]
"""Test whether the second word (in lower case) is wider than the first, or equal."""


class Polarity(Enum):
    """Direction (wider or narrower) in which replacing a word preserves truth."""

    UPWARD = "upward"
    DOWNWARD = "downward"

    def reversed(self) -> Polarity:
        """Return the polarity below a negation."""
        return Polarity.DOWNWARD if self is Polarity.UPWARD else Polarity.UPWARD


_EXISTENTIAL = QUANTIFIERS - {"ALL"}
_WIDER, _NARROWER = Polarity.UPWARD, Polarity.DOWNWARD
_WORDS = {_WIDER: "wider", _NARROWER: "narrower", None: "neither wider nor narrower"}


@dataclass(frozen=True)
class Step:
    """Difference between two forms.

    Attributes:
        sign: `->` if a part of the premise is replaced, `+` or `-` if `part` is added or dropped.
        premise: the part of the premise's form that differs.
        hypothesis: the corresponding part of the hypothesis's form.
        part: the part that is added or dropped, or the new part of a replacement.
        relation: polarity in which the step follows: upward if the part becomes wider, downward if
            it becomes narrower, None if neither.
        reversers: quantifiers of the premise that reverse the polarity, outermost first.
    """

    sign: str
    premise: Form
    hypothesis: Form
    part: Form
    relation: Polarity | None
    polarity: Polarity
    reversers: tuple[Form, ...]

    @property
    def follows(self) -> bool:
        """True if the premise entails the result of this step."""
        return self.relation is self.polarity

    def explained(self, premise: Sequence[str], hypothesis: Sequence[str]) -> str:
        """Describe the step in words; positions count from 1.

        >>> from amparser.benchmarks.monotonicity.reading import grammar_reading
        >>> few, fewer = "Few dogs ran .".split(), "Few small dogs ran .".split()
        >>> [step] = steps(*grammar_reading([few, fewer]), lambda narrow, wide: narrow == wide)
        >>> step.explained(few, fewer)
        'word 2, downward (Few): dogs -> small dogs, narrower'
        """
        places = self.premise.positions()
        where = "sentence" if not places else f"word {places[0] + 1}"
        if len(places) > 1:
            where = f"words {places[0] + 1}-{places[-1] + 1}"
        over = ", ".join(phrase(premise, quantifier.words) for quantifier in self.reversers)
        polarity = self.polarity.value + (f" ({over})" if over else "")
        verdict = "" if self.follows else ": does not follow"
        old, new = phrase(premise, places), phrase(hypothesis, self.hypothesis.positions())
        if self.sign != "->":
            new = phrase(hypothesis if self.sign == "+" else premise, self.part.positions())
        return f"{where}, {polarity}: {old} {self.sign} {new}, {_WORDS[self.relation]}{verdict}"


def steps(premise: Form, hypothesis: Form, follows: Follows) -> list[Step]:
    """Return the differences between two forms from left to right; empty if they are equal."""
    return _Comparison(follows).of(premise, hypothesis, _Position(Polarity.UPWARD, ()))


class _Position(NamedTuple):
    polarity: Polarity
    reversers: tuple[Form, ...]

    def below(self, reverser: Form) -> _Position:
        return _Position(self.polarity.reversed(), (*self.reversers, reverser))


@dataclass(frozen=True)
class _Comparison:
    follows: Follows
    known: dict[tuple[int, int, Polarity], list[Step]] = field(default_factory=dict)

    def of(self, left: Form, right: Form, at: _Position) -> list[Step]:
        """Return the steps between two forms in the same position, from a cache if possible."""
        key = (id(left), id(right), at.polarity)
        if key not in self.known:
            self.known[key] = self._of(left, right, at)
        return self.known[key]

    def _of(self, left: Form, right: Form, at: _Position) -> list[Step]:
        if left.term == right.term:
            return []
        for junction in ("OR", "AND"):
            if junction in (left.symbol, right.symbol):
                return self._junction(junction, left, right, at)
        both = (left.symbol, right.symbol)
        if both == ("NOT", "NOT"):
            [body], [other] = left.parts, right.parts
            return self.of(body, other, at.below(body))
        if both == ("INV", "INV"):
            return self.of(left.parts[0], right.parts[0], at)
        if both == ("ALL", "ALL") or _EXISTENTIAL.issuperset(both):
            return self._quantified(left, right, at)
        relation = None if left.parts or right.parts else self._relation(left, right)
        return [Step("->", left, right, right, relation, *at)]

    def _quantified(self, left: Form, right: Form, at: _Position) -> list[Step]:
        differences = []
        if left.symbol != right.symbol:
            bare, other = (Form(form.term, (), form.words) for form in (left, right))
            relation = self._relation(left, right)
            differences.append(Step("->", bare, other, other, relation, *at))
        (noun, scope), (other_noun, other_scope) = left.parts, right.parts
        differences += self.of(noun, other_noun, at.below(left) if left.symbol == "ALL" else at)
        return differences + self.of(scope, other_scope, at)

    def _relation(self, left: Form, right: Form) -> Polarity | None:
        word, other = left.symbol, right.symbol
        if self._narrower(word, other):
            return _WIDER
        return _NARROWER if self._narrower(other, word) else None

    def _narrower(self, narrow: str, wide: str) -> bool:
        if wide == "EXIST" and narrow in _EXISTENTIAL:
            return True
        return self.follows(narrow.lower(), wide.lower())

    def _junction(self, junction: str, left: Form, right: Form, at: _Position) -> list[Step]:
        """Return the steps between two conjunctions or two disjunctions.

        In an upward position, each conjunct on the right needs a narrower conjunct on the left, and
        the remaining conjuncts on the left are dropped. In a downward position, the sides are
        exchanged; for disjunctions, they are exchanged once more.
        """
        lefts, rights = _parts(left, junction), _parts(right, junction)
        needy_right = (junction == "AND") == (at.polarity is Polarity.UPWARD)
        needy, givers = (rights, lefts) if needy_right else (lefts, rights)

        def between(need: int, giver: int) -> list[Step]:
            needy_part, other = needy[need], givers[giver]
            return self.of(other, needy_part, at) if needy_right else self.of(needy_part, other, at)

        def changed(part: Form, *, added: bool) -> Step:
            relation = _NARROWER if added == (junction == "AND") else _WIDER
            return Step("+" if added else "-", left, right, part, relation, *at)

        free = set(range(len(givers)))
        steps_of: dict[int, list[Step]] = {}
        for need in sorted(range(len(needy)), key=lambda n: needy[n] not in givers):
            # Prefer an equal partner, then a partner that is not matched yet.
            order = sorted(
                range(len(givers)), key=lambda g: (givers[g] != needy[need], g not in free, g)
            )
            follows = (g for g in order if all(step.follows for step in between(need, g)))
            if (giver := next(follows, None)) is not None:
                steps_of[need] = between(need, giver)
                free.discard(giver)
        for need in range(len(needy)):
            if need not in steps_of:
                alike = (g for g in sorted(free) if _alike(need, needy[need], g, givers[g]))
                partner = next(alike, None)
                steps_of[need] = [changed(needy[need], added=needy_right)]
                if partner is not None:
                    steps_of[need] = between(need, partner)
                    free.discard(partner)
        steps = [step for need in range(len(needy)) for step in steps_of[need]]
        steps += [changed(givers[giver], added=not needy_right) for giver in sorted(free)]
        alone = sum(step.premise is left for step in steps) == 1
        return [
            replace(step, sign="->") if alone and step.premise is left else step for step in steps
        ]


def _parts(form: Form, junction: str) -> list[Form]:
    if form.symbol != junction:
        return [form]
    return [part for below in form.parts for part in _parts(below, junction)]


def _alike(number: int, one: Form, other_number: int, other: Form) -> bool:
    """Return True if one part may replace another; otherwise, one is dropped and the other added.

    Part number 0 is the head (noun or verb). Heads replace heads, and clauses replace clauses.
    """
    heads = (number == 0, other_number == 0)
    clauses = (bool(one.parts), bool(other.parts))
    return heads == (True, True) or (heads == (False, False) and clauses == (True, True))
