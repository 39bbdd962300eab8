"""Sums over all derivations: their number by size, and their weight."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from amparser.grammar.irtg import Irtg


def inside(grammar: Irtg, *, steps: int = 10_000, tolerance: float = 1e-12) -> Mapping[str, float]:
    """The total weight of the derivations of each nonterminal.

    The least solution of w(A) = sum over rules of weight * product of w(children),
    by iteration from 0; infinite if it has not converged within `steps`.
    """
    found = dict.fromkeys(grammar.by_parent, 0.0)
    for _ in range(steps):
        following = {}
        for parent, rules in grammar.by_parent.items():
            total = 0.0
            for rule in rules:
                weight = rule.weight
                for child in rule.children:
                    weight *= found.get(child, 0.0)
                total += weight
            following[parent] = total
        if all(abs(following[a] - found[a]) <= tolerance * max(1.0, found[a]) for a in found):
            return following
        if any(value > 1e300 for value in following.values()):
            break
        found = following
    return dict.fromkeys(grammar.by_parent, inf)


def counts(grammar: Irtg, size: int) -> Mapping[str, list[int]]:
    """For each nonterminal the number of derivations with 0, 1, ..., `size` nodes."""
    found = {parent: [0] * (size + 1) for parent in grammar.by_parent}
    for total in range(1, size + 1):
        for parent, rules in grammar.by_parent.items():
            for rule in rules:
                ways = [1] + [0] * (total - 1)
                for child in rule.children:
                    below = found.get(child, [0] * (size + 1))
                    ways = [sum(ways[i] * below[n - i] for i in range(n + 1)) for n in range(total)]
                found[parent][total] += ways[total - 1]
    return found
