"""Parsing: a bottom-up chart over a grammar's string interpretation.

The homomorphism to the string algebra maps each rule to a sequence of words and children, in any
order, so the string interpretation is a context-free grammar (Koller & Kuhlmann 2011, section 5).
The chart (Kay 1980) is filled from left to right, shorter constituents first. It represents all
derivations by O(n^2) constituents for each nonterminal, in O(n^3) steps for each rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, TypeAlias

from amparser.grammar.irtg import Derivation, Irtg, Rule, Term


class Constituent(NamedTuple):
    """A nonterminal that covers the words `start` .. `end - 1` (from 0)."""

    nonterminal: str
    start: int
    end: int


_Part: TypeAlias = str | tuple[str]
"""A word, or (in a tuple) a nonterminal."""


class _Active(NamedTuple):
    """A rule whose first `done` parts are parsed; `children` are in the order of the string."""

    rule: Rule
    parts: tuple[_Part, ...]
    done: int
    start: int
    children: tuple[Constituent, ...] = ()


@dataclass(frozen=True)
class Chart:
    """Packed derivations of a string: the rules of each constituent, with their children."""

    steps: dict[Constituent, list[tuple[Rule, tuple[Constituent, ...]]]]
    goals: tuple[Constituent, ...]

    def derivations(self) -> Iterator[Derivation]:
        """Yield all derivations of the string, in the order of the grammar's rules."""

        def of(constituent: Constituent) -> Iterator[Derivation]:
            for rule, children in self.steps[constituent]:
                for below in product(*(list(of(child)) for child in children)):
                    yield Derivation(rule, below)

        for goal in self.goals:
            yield from of(goal)

    def right_branching(self) -> Derivation | None:
        """Return the derivation that attaches ambiguous phrases to the nearest phrase.

        If a constituent has several derivations, the one whose rightmost child begins first is
        chosen. Ties are broken by the next child on the left, and so on, and finally by the order
        of the rules. SLOG calls this right-branching (Li et al. 2023, appendix B.2).
        """

        def starts(step: tuple[Rule, tuple[Constituent, ...]]) -> list[int]:
            return sorted((child.start for child in step[1]), reverse=True)

        def of(constituent: Constituent) -> Derivation:
            rule, children = min(self.steps[constituent], key=starts)
            return Derivation(rule, tuple(map(of, children)))

        return of(self.goals[0]) if self.goals else None


class StringParser:
    """Parser of strings in one interpretation of a grammar without cycles of unary rules."""

    def __init__(self, grammar: Irtg, interpretation: str) -> None:
        self.grammar = grammar
        self._order = {rule.label: i for i, rule in enumerate(grammar.rules)}
        # Rules with their parts, by the first part.
        self._by_first: dict[_Part, list[tuple[Rule, tuple[_Part, ...]]]] = defaultdict(list)
        self._numbers: dict[str, list[int]] = {}
        for rule in grammar.rules:
            sequence = string_sequence(rule, interpretation)
            parts = tuple(p if isinstance(p, str) else (rule.children[p],) for p in sequence)
            self._by_first[parts[0]].append((rule, parts))
            self._numbers[rule.label] = [part for part in sequence if isinstance(part, int)]

    def parse(self, words: Sequence[str]) -> Chart:
        """Return the derivations of a sequence of words."""
        steps: dict[Constituent, list[tuple[Rule, tuple[Constituent, ...]]]] = defaultdict(list)
        # Active items by their end and their next part.
        waiting: dict[tuple[int, _Part], list[_Active]] = defaultdict(list)
        for end, word in enumerate(words, 1):
            agenda = self._advanced(waiting, word, end - 1, ())
            while agenda:
                active = agenda.pop()
                if active.done < len(active.parts):
                    waiting[end, active.parts[active.done]].append(active)
                    continue
                rule = active.rule
                constituent = Constituent(rule.parent, active.start, end)
                both = zip(self._numbers[rule.label], active.children, strict=True)
                steps[constituent].append((rule, tuple(child for _, child in sorted(both))))
                if len(steps[constituent]) == 1:
                    new = (constituent,)
                    agenda += self._advanced(waiting, (rule.parent,), active.start, new)
        for analyses in steps.values():
            analyses.sort(key=lambda step: (self._order[step[0].label], step[1]))
        goals = [Constituent(start, 0, len(words)) for start in sorted(self.grammar.starts)]
        return Chart(steps, tuple(goal for goal in goals if goal in steps))

    def _advanced(
        self,
        waiting: Mapping[tuple[int, _Part], list[_Active]],
        part: _Part,
        start: int,
        new: tuple[Constituent, ...],
    ) -> list[_Active]:
        """Return the active items that begin or continue with the parsed `part`."""
        begun = [_Active(*both, 1, start, new) for both in self._by_first.get(part, ())]
        return begun + [
            active._replace(done=active.done + 1, children=active.children + new)
            for active in waiting.get((start, part), ())
        ]


def string_sequence(rule: Rule, interpretation: str = "string") -> tuple[str | int, ...]:
    """Return the words of a rule and the indices (from 0) of its children, in string order."""

    def flat(term: Term) -> Iterator[str | int]:
        for child in term.children:
            yield from flat(child)
        if not term.children:
            yield term.variable - 1 if term.variable else term.label

    return tuple(flat(rule.terms[interpretation]))
