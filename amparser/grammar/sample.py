"""Random sampling of derivations that satisfy constraints, by the weights of the rules.

A constraint is a bottom-up tree automaton over the rules of a derivation. For example, it bounds
the number of uses of some rules (`Limit`), or forbids some rules below others (`Apart`). The
intersection of a grammar with the automaton is again a grammar, whose nonterminals are pairs of a
nonterminal and a state. Its inside weights give the exact distribution of the accepted derivations
(Baker 1979; for tree automata Nederhof & Satta 2003). Rare derivations, for example of depth 12,
are therefore sampled as fast as any others.

An automaton of reasonable size cannot test that all nouns of a sentence differ; derivations that
repeat a noun are rejected after sampling.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product
from math import prod
from random import Random
from typing import TypeAlias

from amparser.errors import GrammarError
from amparser.grammar.irtg import Derivation, Irtg, Rule

State: TypeAlias = tuple[int, ...]
"""State of a derivation: one number for each constraint."""


class Constraint(ABC):
    """A deterministic bottom-up tree automaton over the labels of rules."""

    @abstractmethod
    def step(self, label: str, below: Sequence[int]) -> int | None:
        """Return a node's state from its rule and its children's states; None rejects the node."""

    def accepts(self, state: int) -> bool:
        """Return True if the root of a derivation may have this state."""
        return True


@dataclass(frozen=True)
class Limit(Constraint):
    """Bounds on the number of uses of some rules; if `nested`, on the path with most uses."""

    labels: frozenset[str]
    least: int = 0
    most: int = 1_000
    nested: bool = False

    def step(self, label: str, below: Sequence[int]) -> int | None:
        """Implement `Constraint.step`; the state is the number of uses."""
        uses = max(below, default=0) if self.nested else sum(below)
        uses += label in self.labels
        return uses if uses <= self.most else None

    def accepts(self, state: int) -> bool:
        """Return True if the rules were used often enough."""
        return state >= self.least


@dataclass(frozen=True)
class Apart(Constraint):
    """Constraint: no rule of `below` is a descendant (`directly`: a child) of a rule of `above`."""

    above: frozenset[str]
    below: frozenset[str]
    directly: bool = False

    def step(self, label: str, below: Sequence[int]) -> int | None:
        """Implement `Constraint.step`; state 1 means that a rule of `below` is in the subtree."""
        seen = any(below)
        if seen and label in self.above:
            return None
        return int(label in self.below or (seen and not self.directly))


@dataclass(frozen=True)
class Beside(Constraint):
    """Constraint: a child with a rule of `first` must have a sibling with a rule of `second`."""

    first: frozenset[str]
    second: frozenset[str]

    def step(self, label: str, below: Sequence[int]) -> int | None:
        """Implement `Constraint.step`; the state is 1 for `first`, 2 for `second`, else 0."""
        if 1 in below and 2 not in below:
            return None
        return 1 if label in self.first else 2 * (label in self.second)

    def accepts(self, state: int) -> bool:
        """Return True if the root may have this state: a rule of `first` needs a sibling."""
        return state != 1


_Choice: TypeAlias = tuple[Rule, tuple[State, ...]]
"""A rule, and the states of its children."""


class Sampler:
    """Sampler of derivations of a grammar.

    Args:
        weights: weights of rules by label, which replace the grammar's weights; 0 excludes a rule.
        distinct: nonterminals whose words must all be different in a derivation.
        words: word of each rule of a nonterminal in `distinct`, by label (default: the label).
        max_draws: maximum number of rejected samples.

    Raises:
        GrammarError: no derivation satisfies the constraints, or the sum of the weights of the
            derivations that satisfy them is infinite.
    """

    def __init__(
        self,
        grammar: Irtg,
        start: str,
        *,
        constraints: Sequence[Constraint] = (),
        weights: Mapping[str, float] | None = None,
        distinct: Collection[str] = (),
        words: Mapping[str, str] | None = None,
        max_draws: int = 10_000,
    ) -> None:
        self.start = start
        self.constraints = tuple(constraints)
        self.distinct = frozenset(distinct)
        self.words = words or {}
        self.max_draws = max_draws
        self._rules: dict[str, list[tuple[Rule, float]]] = {}
        reached = [start]
        for parent in reached:
            rules = grammar.by_parent[parent]
            of_rules = [(rule, (weights or {}).get(rule.label, rule.weight)) for rule in rules]
            total = sum(weight for _, weight in of_rules)
            chosen = [(rule, weight / total) for rule, weight in of_rules if weight > 0]
            self._rules[parent] = chosen
            children = dict.fromkeys(child for rule, _ in chosen for child in rule.children)
            reached += [child for child in children if child not in reached]
        self._choices: dict[tuple[str, State], tuple[list[_Choice], list[float]]] = {}
        self._inside = self._inside_weights()
        self._ends = [
            (state, weight)
            for state, weight in sorted(self._inside.get(start, {}).items())
            if all(c.accepts(s) for c, s in zip(self.constraints, state, strict=True))
        ]
        if not self._ends:
            raise GrammarError(f"no derivation of {start!r} satisfies the constraints")

    @cached_property
    def total(self) -> float:
        """Probability that a random derivation satisfies all constraints except `distinct`."""
        return sum(weight for _, weight in self._ends)

    def sample(self, random: Random) -> Derivation:
        """Return a random derivation; raise GrammarError if `max_draws` samples repeat words."""
        states = [state for state, _ in self._ends]
        cumulative = list(accumulate(weight for _, weight in self._ends))
        for _ in range(self.max_draws):
            state = states[_drawn(cumulative, random)]
            derivation = self._derivation(self.start, state, random, set())
            if derivation is not None:
                return derivation
        raise GrammarError(f"{self.start!r}: none of {self.max_draws} draws has distinct words")

    def derivations(self) -> Iterator[Derivation]:
        """Yield all accepted derivations, in the order of the grammar's rules.

        Words may repeat. The iterator is infinite if the grammar is recursive.
        """

        def of(nonterminal: str) -> Iterator[tuple[Derivation, State]]:
            for rule, _ in self._rules[nonterminal]:
                for below in product(*(list(of(child)) for child in rule.children)):
                    state = self._step(rule.label, tuple(state for _, state in below))
                    if state is not None:
                        yield Derivation(rule, tuple(child for child, _ in below)), state

        accepted = {state for state, _ in self._ends}
        return (derivation for derivation, state in of(self.start) if state in accepted)

    def _derivation(
        self, nonterminal: str, state: State, random: Random, taken: set[str]
    ) -> Derivation | None:
        choices, cumulative = self._weighed(nonterminal, state)
        rule, states = choices[_drawn(cumulative, random)]
        if nonterminal in self.distinct:
            word = self.words.get(rule.label, rule.label)
            if word in taken:
                return None
            taken.add(word)
        children = []
        for child, below in zip(rule.children, states, strict=True):
            derivation = self._derivation(child, below, random, taken)
            if derivation is None:
                return None
            children.append(derivation)
        return Derivation(rule, tuple(children))

    def _weighed(self, nonterminal: str, state: State) -> tuple[list[_Choice], list[float]]:
        key = nonterminal, state
        if key not in self._choices:
            ways = self._ways(nonterminal, self._inside)
            chosen = [(choice, weight) for choice, reached, weight in ways if reached == state]
            weights = accumulate(weight for _, weight in chosen)
            self._choices[key] = [choice for choice, _ in chosen], list(weights)
        return self._choices[key]

    def _inside_weights(self) -> dict[str, dict[State, float]]:
        """Return the inside weight of each nonterminal and state.

        The weights are the least solution of the grammar's equations; iteration from 0 finds it.
        Each round computes only the nonterminals that depend on changed weights.
        """
        users: dict[str, set[str]] = defaultdict(set)
        for parent, rules in self._rules.items():
            for rule, _ in rules:
                for child in rule.children:
                    users[child].add(parent)
        inside: dict[str, dict[State, float]] = {parent: {} for parent in self._rules}
        changed = set(self._rules)
        for _ in range(1_000):
            following = {parent: self._sums(parent, inside) for parent in sorted(changed)}
            # Relative changes of at most 1e-12 count as converged.
            moved = {
                parent
                for parent, sums in following.items()
                if sums.keys() != inside[parent].keys()
                or any(abs(w - inside[parent][s]) > 1e-12 * w for s, w in sums.items())
            }
            inside.update(following)
            if not moved:
                return inside
            changed = {user for parent in moved for user in users[parent]}
        raise GrammarError(f"the weights of the derivations of {self.start!r} have no finite sum")

    def _sums(self, parent: str, inside: Mapping[str, Mapping[State, float]]) -> dict[State, float]:
        sums: dict[State, float] = defaultdict(float)
        for _, state, weight in self._ways(parent, inside):
            sums[state] += weight
        return dict(sums)

    def _ways(
        self, parent: str, inside: Mapping[str, Mapping[State, float]]
    ) -> Iterator[tuple[_Choice, State, float]]:
        """Yield the ways to derive a nonterminal, with their states and weights."""
        for rule, rule_weight in self._rules[parent]:
            for below in product(*(inside[child].items() for child in rule.children)):
                states = tuple(state for state, _ in below)
                if (state := self._step(rule.label, states)) is not None:
                    yield (rule, states), state, prod((w for _, w in below), start=rule_weight)

    def _step(self, label: str, below: tuple[State, ...]) -> State | None:
        following = []
        for i, constraint in enumerate(self.constraints):
            state = constraint.step(label, [states[i] for states in below])
            if state is None:
                return None
            following.append(state)
        return tuple(following)


def _drawn(cumulative: Sequence[float], random: Random) -> int:
    return bisect(cumulative, random.random() * cumulative[-1], hi=len(cumulative) - 1)
