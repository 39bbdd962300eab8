"""Parsing: a bottom-up chart over a grammar's string interpretation.

The homomorphism into the string algebra turns each rule into a sequence of words and children, in
any order, so a string has the derivations of a context-free grammar (Koller & Kuhlmann
2011, section 5). The chart (Kay 1980) adds complete constituents from left to right, shorter ones
first. It packs all derivations into O(n^2) constituents per nonterminal and O(n^3) steps per rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import networkx as nx

from amparser.errors import GrammarError
from amparser.grammar.algebras import CONCATENATION, STRING
from amparser.grammar.irtg import Derivation, Irtg, Rule, Term


class Constituent(NamedTuple):
    """A nonterminal over the words from `start` to `end` (0-based, exclusive)."""

    nonterminal: str
    start: int
    end: int


class _Production(NamedTuple):
    """A rule as a sequence of words and 0-based numbers of its children."""

    rule: Rule
    sequence: tuple[str | int, ...]


class _Active(NamedTuple):
    """A production whose first `done` parts are parsed."""

    production: _Production
    done: int
    start: int
    children: tuple[Constituent, ...]


@dataclass(frozen=True)
class Chart:
    """Packed derivations of a string: for each constituent its rules with their children."""

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

        Among the derivations of a constituent it prefers the one whose rightmost child begins
        first, then whose next child does, and so on; ties go to the first rule. SLOG calls this
        right-branching (Li et al. 2023, appendix B.2).
        """

        def starts(step: tuple[Rule, tuple[Constituent, ...]]) -> list[int]:
            return sorted((child.start for child in step[1]), reverse=True)

        def of(constituent: Constituent) -> Derivation:
            rule, children = min(self.steps[constituent], key=starts)
            return Derivation(rule, tuple(map(of, children)))

        return of(self.goals[0]) if self.goals else None


class StringParser:
    """Parser of strings in one interpretation of a grammar. Raises GrammarError."""

    def __init__(self, grammar: Irtg, interpretation: str) -> None:
        if grammar.interpretations.get(interpretation) != STRING:
            raise GrammarError(f"{interpretation!r} is not an interpretation into strings")
        self.grammar = grammar
        self._order = {rule.label: i for i, rule in enumerate(grammar.rules)}
        self._productions = [
            _Production(rule, string_sequence(rule, interpretation)) for rule in grammar.rules
        ]
        self._check_circles()

    @cached_property
    def _by_first(self) -> dict[str | tuple[str], list[_Production]]:
        """Productions by their first word, or (in a tuple) their first nonterminal."""
        productions: dict[str | tuple[str], list[_Production]] = defaultdict(list)
        for production in self._productions:
            first = production.sequence[0]
            key = first if isinstance(first, str) else (production.rule.children[first],)
            productions[key].append(production)
        return productions

    def parse(self, words: Sequence[str]) -> Chart:
        """Return the derivations of a sequence of words."""
        steps: dict[Constituent, list[tuple[Rule, tuple[Constituent, ...]]]] = {}
        # Active items by the position and the nonterminal that they wait for.
        waiting: dict[tuple[int, str], list[_Active]] = defaultdict(list)
        by_first = self._by_first
        for end in range(1, len(words) + 1):
            agenda = [
                _Active(production, 1, end - 1, ())
                for production in by_first.get(words[end - 1], ())
            ]
            agenda += [
                active._replace(done=active.done + 1)
                for active in waiting.pop((end - 1, "\0" + words[end - 1]), ())
            ]
            while agenda:
                active = agenda.pop()
                production = active.production
                if active.done < len(production.sequence):
                    wanted = production.sequence[active.done]
                    key = (
                        "\0" + wanted
                        if isinstance(wanted, str)
                        else production.rule.children[wanted]
                    )
                    waiting[end, key].append(active)
                    continue
                rule = production.rule
                constituent = Constituent(rule.parent, active.start, end)
                numbers = (part for part in production.sequence if isinstance(part, int))
                both = zip(numbers, active.children, strict=True)
                children = tuple(child for _, child in sorted(both))
                if constituent in steps:
                    steps[constituent].append((rule, children))
                    continue
                steps[constituent] = [(rule, children)]
                agenda += [
                    _Active(other, 1, constituent.start, (constituent,))
                    for other in by_first.get((constituent.nonterminal,), ())
                ]
                agenda += [
                    other._replace(done=other.done + 1, children=(*other.children, constituent))
                    for other in waiting.get((constituent.start, constituent.nonterminal), ())
                ]
        for analyses in steps.values():
            analyses.sort(key=lambda step: (self._order[step[0].label], step[1]))
        goals = [Constituent(start, 0, len(words)) for start in sorted(self.grammar.starts)]
        return Chart(steps, tuple(goal for goal in goals if goal in steps))

    def _check_circles(self) -> None:
        above: nx.DiGraph[str] = nx.DiGraph()
        for production in self._productions:
            if len(production.sequence) == 1 and isinstance(production.sequence[0], int):
                above.add_edge(production.rule.children[0], production.rule.parent)
        with suppress(nx.NetworkXNoCycle):
            start = nx.find_cycle(above)[0][0]
            raise GrammarError(
                f"the nonterminal {start!r} rewrites to itself: "
                "a string has infinitely many derivations"
            )


def string_sequence(rule: Rule, interpretation: str = "string") -> tuple[str | int, ...]:
    """Return the words of a rule and the 0-based numbers of its children, in string order.

    Raises GrammarError if the interpretation has other operations than concatenation.
    """

    def flat(term: Term) -> Iterator[str | int]:
        if term.variable:
            yield term.variable - 1
        elif not term.children:
            yield term.label
        elif term.label == CONCATENATION:
            for child in term.children:
                yield from flat(child)
        else:
            raise GrammarError(f"rule {rule.label!r}: {term.label!r} is not a string operation")

    sequence = tuple(flat(rule.terms[interpretation]))
    if sum(isinstance(part, int) for part in sequence) != len(rule.children):
        raise GrammarError(f"rule {rule.label!r} leaves out a child in {interpretation!r}")
    return sequence
