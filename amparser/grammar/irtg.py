"""Interpreted regular tree grammars (Koller & Kuhlmann 2011).

A grammar derives *derivation trees*: a rule `S -> r(NP, VP)` makes a node labelled r from
derivations of NP and VP. Each *interpretation* maps a derivation to a value: a tree homomorphism
turns it into a term, and an algebra evaluates the term. In a term of the homomorphism, `?1` and
`?2` stand for the images of the rule's children:

    S! -> r(NP, VP) [0.5]
      [string] *(?1, ?2)
      [meaning] apply(?2, ?1)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class Term(NamedTuple):
    """A node of a term; `variable` is the 1-based number of a child, or 0 for a symbol."""

    label: str
    children: tuple[Term, ...] = ()
    variable: int = 0


class Rule(NamedTuple):
    """A rule that rewrites a nonterminal.

    Attributes:
        label: label of the rule's node in a derivation; unique in the grammar.
        weight: positive number; the weights of a nonterminal's rules need not sum to 1.
        terms: the rule's term in each interpretation.
    """

    parent: str
    label: str
    children: tuple[str, ...]
    weight: float
    terms: Mapping[str, Term]


class Derivation(NamedTuple):
    """A derivation tree: a rule, and a derivation of each of its children."""

    rule: Rule
    children: tuple[Derivation, ...] = ()

    def __str__(self) -> str:
        if not self.children:
            return self.rule.label
        return f"{self.rule.label}({', '.join(map(str, self.children))})"

    def nodes(self) -> Iterator[Derivation]:
        """Yield all nodes, each before its descendants."""
        yield self
        for child in self.children:
            yield from child.nodes()


@dataclass(frozen=True)
class Irtg:
    """A grammar (see the module's docstring).

    Attributes:
        interpretations: name of the algebra of each interpretation, in order.
        starts: start symbols, marked by `!` in the notation.
    """

    interpretations: Mapping[str, str]
    rules: tuple[Rule, ...]
    starts: frozenset[str]

    @cached_property
    def by_parent(self) -> Mapping[str, tuple[Rule, ...]]:
        """Rules of each nonterminal, in order."""
        rules_of: dict[str, list[Rule]] = {}
        for rule in self.rules:
            rules_of.setdefault(rule.parent, []).append(rule)
        return {parent: tuple(rules) for parent, rules in rules_of.items()}

    @cached_property
    def by_label(self) -> Mapping[str, Rule]:
        """Rules by label."""
        return {rule.label: rule for rule in self.rules}
