"""Interpreted regular tree grammars (Koller & Kuhlmann 2011).

A grammar derives *derivation trees*: a rule `S -> r(NP, VP)` makes a node
labelled r of a derivation of NP and one of VP. Each *interpretation* maps a
derivation to a value: a tree homomorphism turns it into a term, and an algebra
evaluates the term. In a term of the homomorphism, `?1`, `?2` stand for what
the children of the rule become:

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
    """A node of a term; `variable` is the child's number, from 1, or 0 for a symbol."""

    label: str
    children: tuple[Term, ...] = ()
    variable: int = 0


class Rule(NamedTuple):
    """A rule that rewrites a nonterminal.

    Attributes:
        label: of the derivation's node; unique in the grammar.
        weight: positive; the weights of a parent's rules need not sum up to 1.
        terms: for each interpretation the term of the homomorphism.
    """

    parent: str
    label: str
    children: tuple[str, ...]
    weight: float
    terms: Mapping[str, Term]


class Derivation(NamedTuple):
    """A derivation tree: a rule, and a derivation for each of its children."""

    rule: Rule
    children: tuple[Derivation, ...] = ()

    def __str__(self) -> str:
        if not self.children:
            return self.rule.label
        return f"{self.rule.label}({', '.join(map(str, self.children))})"

    def nodes(self) -> Iterator[Derivation]:
        """All nodes, each before its descendants."""
        yield self
        for child in self.children:
            yield from child.nodes()


@dataclass(frozen=True)
class Irtg:
    """A grammar, as the module describes it.

    Attributes:
        interpretations: for each interpretation the name of its algebra, in order.
        starts: the nonterminals that derive whole values (`!`).
    """

    interpretations: Mapping[str, str]
    rules: tuple[Rule, ...]
    starts: frozenset[str]

    @cached_property
    def by_parent(self) -> Mapping[str, tuple[Rule, ...]]:
        """The rules of each nonterminal, in order."""
        found: dict[str, list[Rule]] = {}
        for rule in self.rules:
            found.setdefault(rule.parent, []).append(rule)
        return {parent: tuple(rules) for parent, rules in found.items()}

    @cached_property
    def by_label(self) -> Mapping[str, Rule]:
        """The rule of each label."""
        return {rule.label: rule for rule in self.rules}

    @cached_property
    def productive(self) -> frozenset[str]:
        """The nonterminals that have a finite derivation."""
        found: set[str] = set()
        grew = True
        while grew:
            more = {r.parent for r in self.rules if found.issuperset(r.children)} - found
            found |= more
            grew = bool(more)
        return frozenset(found)
