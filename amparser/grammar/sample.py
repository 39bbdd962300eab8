"""Derivations drawn at random, by the weights of the rules.

Two kinds of constraints, as COGS and SLOG have them: how often rules of a set are
used in one derivation (the depth of a recursion), and that what some
nonterminals rewrite to differs (no noun twice in a sentence). Both are kept while
drawing, from the left: what is not allowed is left out and the other weights
count for more. Where nothing is left, or too few of a set were used, the
derivation is drawn anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from amparser.errors import GrammarError
from amparser.grammar.irtg import Derivation, Irtg, Rule

MAX_DRAWS = 10_000


class Limit(NamedTuple):
    """Of the rules with these labels at least and at most so many are used."""

    labels: frozenset[str]
    least: int = 0
    most: int = 1_000


class Sampler:
    """Draws derivations of a grammar.

    Args:
        grammar: the grammar.
        limits: on the use of rules.
        distinct: nonterminals; no two of their nodes in a derivation have the
            same rule.
        max_draws: so many are drawn until one obeys the constraints.
    """

    def __init__(
        self,
        grammar: Irtg,
        *,
        limits: Sequence[Limit] = (),
        distinct: Collection[str] = (),
        max_draws: int = MAX_DRAWS,
    ) -> None:
        self.grammar = grammar
        self.limits = tuple(limits)
        self.distinct = frozenset(distinct)
        self.max_draws = max_draws
        self._limits_of: dict[str, list[int]] = {}
        for i, limit in enumerate(self.limits):
            for label in limit.labels:
                self._limits_of.setdefault(label, []).append(i)
        # Only rules whose children derive something finite are drawn.
        productive = grammar.productive
        self._rules = {
            parent: [rule for rule in rules if productive.issuperset(rule.children)]
            for parent, rules in grammar.by_parent.items()
        }
        self._cumulative = {
            parent: list(accumulate(rule.weight for rule in rules))
            for parent, rules in self._rules.items()
        }

    def sample(self, start: str, random: Random) -> Derivation:
        """A derivation of a nonterminal.

        Raises:
            GrammarError: the nonterminal is unknown, or none of `max_draws` obeys
                the constraints.
        """
        if not self._rules.get(start):
            raise GrammarError(f"the nonterminal {start!r} derives nothing")
        for _ in range(self.max_draws):
            used: Counter[int] = Counter()
            derivation = self._drawn(start, random, used, set())
            if derivation is not None and all(
                used[i] >= limit.least for i, limit in enumerate(self.limits)
            ):
                return derivation
        raise GrammarError(f"{start!r}: none of {self.max_draws} derivations obeys the constraints")

    def _drawn(
        self, nonterminal: str, random: Random, used: Counter[int], taken: set[str]
    ) -> Derivation | None:
        rule = self._rule(nonterminal, random, used, taken)
        if rule is None:
            return None
        used.update(self._limits_of.get(rule.label, ()))
        if nonterminal in self.distinct:
            taken.add(rule.label)
        children = []
        for child in rule.children:
            below = self._drawn(child, random, used, taken)
            if below is None:
                return None
            children.append(below)
        return Derivation(rule, tuple(children))

    def _rule(
        self, nonterminal: str, random: Random, used: Counter[int], taken: set[str]
    ) -> Rule | None:
        rules = self._rules[nonterminal]
        [rule] = random.choices(rules, cum_weights=self._cumulative[nonterminal])
        if self._allowed(rule, nonterminal, used, taken):
            return rule
        left = [rule for rule in rules if self._allowed(rule, nonterminal, used, taken)]
        if not left:
            return None
        return random.choices(left, [rule.weight for rule in left])[0]

    def _allowed(self, rule: Rule, nonterminal: str, used: Counter[int], taken: set[str]) -> bool:
        if nonterminal in self.distinct and rule.label in taken:
            return False
        return all(used[i] < self.limits[i].most for i in self._limits_of.get(rule.label, ()))
