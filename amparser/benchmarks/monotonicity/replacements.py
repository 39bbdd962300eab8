"""Predicate replacements and their gold labels (Yanaka et al. 2020, Tables 2 and 6).

A replacement function turns a noun or an intransitive verb of a derivation into a
narrower or a wider phrase:

    lex.n, lex.iv   dog             animal               wider
    adj             dog             small dog            narrower
    pp.n, pp.iv     dog             dog in the area      narrower
    rc              dog             dog that liked flowers
    adv             ran             ran slowly           narrower
    disj            ran             ran or laughed       wider
    conj            ran             ran and laughed      narrower

Names are those of the published files, which use both directions of a pair. A wider
phrase follows in an upward position, a narrower one in a downward position. Every
downward quantifier above a position reverses it, in both of its arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from amparser.benchmarks.monotonicity.reading import fragment
from amparser.grammar.irtg import Derivation
from amparser.logic.polarity import Polarity

FUNCTIONS = ("lex.n", "adj", "pp.n", "rc", "lex.iv", "pp.iv", "adv", "disj", "conj")
"""The replacement functions, of nouns first."""
NOUN_FUNCTIONS = FUNCTIONS[:4]
ENTAILMENT, NEUTRAL = "entailment", "neutral"

_DOWNWARD = frozenset({"downward_sg", "downward_pl"})
_Modifiers: TypeAlias = tuple[tuple[str, str, str, int, str], ...]
# The rule without a modifier, the function that adds it, the modifier's nonterminal, its
# index among the children (from 0), the rule with it.
_NOUN_MODIFIERS: _Modifiers = (
    ("bare", "pp.n", "Place", 1, "preposition"),
    ("bare", "rc", "Relative", 1, "relative"),
    ("preposition", "rc", "Relative", 2, "preposition_relative"),
    ("relative", "pp.n", "Place", 1, "preposition_relative"),
)
_VERB_MODIFIERS: _Modifiers = (
    ("intransitive", "adv", "Adverb", 1, "adverb"),
    ("intransitive", "pp.iv", "Place", 1, "place"),
    ("adverb", "pp.iv", "Place", 2, "adverb_place"),
    ("place", "adv", "Adverb", 1, "adverb_place"),
)
_JUNCTIONS = {"disjunction": "disj", "conjunction": "conj"}


class Relation(Enum):
    """The relation of a phrase to the phrase that it replaces."""

    WIDER = "wider"
    NARROWER = "narrower"

    def label(self, polarity: Polarity) -> str:
        """Return the label of such a replacement at a position of this polarity."""
        follows = Polarity.UPWARD if self is Relation.WIDER else Polarity.DOWNWARD
        return ENTAILMENT if polarity is follows else NEUTRAL


@dataclass(frozen=True)
class Replacement:
    """One replacement in a derivation.

    Attributes:
        path: the numbers of children (from 0) that lead to the replaced node.
        relation: the relation of the new phrase to the old one.
        result: the derivation with the new phrase.
    """

    function: str
    path: tuple[int, ...]
    relation: Relation
    polarity: Polarity
    result: Derivation

    @property
    def label(self) -> str:
        """Return whether the sentence of the result follows."""
        return self.relation.label(self.polarity)


def replacements(
    derivation: Derivation, start: tuple[int, ...] = (), function: str | None = None
) -> Iterator[Replacement]:
    """All replacements of one phrase by a longer or a more general one, from the left.

    Only those at a node and below it; of a single function if one is named.
    """
    for below in _paths(node_at(derivation, start)):
        path = (*start, *below)
        ways = list(_rewritten(node_at(derivation, path)))
        polarity = polarity_at(derivation, path) if ways else Polarity.UPWARD
        for name, relation, new in ways:
            if function in (None, name):
                result = _with(derivation, path, new)
                yield Replacement(name, path, relation, polarity, result)


def _rewritten(node: Derivation) -> Iterator[tuple[str, Relation, Derivation]]:
    grammar = fragment().grammar
    kind, _, number = node.rule.label.rpartition("_")
    parent = node.rule.parent
    if node.rule.label.startswith("noun_") and parent.startswith("Head_"):
        for leaf in grammar.leaves(parent, "hypernym_"):
            yield "lex.n", Relation.WIDER, leaf
    elif node.rule.label.startswith("intransitive_"):
        for leaf in grammar.leaves(parent, "wider_"):
            yield "lex.iv", Relation.WIDER, leaf
    elif parent.startswith("Adjectival_"):
        for leaf in grammar.leaves("Adjective"):
            yield "adj", Relation.NARROWER, grammar.node(f"adjective_{number}", leaf, node)
    elif parent.startswith("Noun_"):
        yield from _modified(node, kind, number, _NOUN_MODIFIERS)
    elif parent == "VP":
        yield from _modified(node, node.rule.label, "", _VERB_MODIFIERS)
    if node.rule.label == "intransitive":
        [verb] = node.children
        for label, function in _JUNCTIONS.items():
            relation = Relation.WIDER if function == "disj" else Relation.NARROWER
            for leaf in grammar.leaves("IV", "joined_"):
                yield function, relation, grammar.node(label, verb, leaf)


def _modified(
    node: Derivation, kind: str, number: str, modifiers: _Modifiers
) -> Iterator[tuple[str, Relation, Derivation]]:
    """A node with one more modifier; `number` is the end of its rules' labels, if any."""
    grammar = fragment().grammar
    for had, function, category, place, label in modifiers:
        if had == kind:
            rule = grammar.by_label[f"{label}_{number}" if number else label]
            for leaf in grammar.leaves(category):
                children = (*node.children[:place], leaf, *node.children[place:])
                yield function, Relation.NARROWER, Derivation(rule, children)


def polarity_at(derivation: Derivation, path: tuple[int, ...]) -> Polarity:
    """The polarity of a node.

    >>> from amparser.benchmarks.monotonicity.reading import derivation_of
    >>> few = derivation_of("Few dogs ran .".split())
    >>> polarity_at(few, (1,)).value, polarity_at(few, (0, 1)).value
    ('downward', 'downward')
    """
    polarity = Polarity.UPWARD
    node = derivation
    for step in path:
        child = node.children[step]
        # The arguments of a quantifier are its noun, and the sister of the noun phrase.
        beside = [other for other in node.children if other.rule.parent == "NP" and other != child]
        if node.rule.label in _DOWNWARD and step == 1:
            polarity = polarity.reversed()
        if any(other.rule.label in _DOWNWARD for other in beside):
            polarity = polarity.reversed()
        node = child
    return polarity


def node_at(derivation: Derivation, path: tuple[int, ...]) -> Derivation:
    """The node at the end of a path."""
    for step in path:
        derivation = derivation.children[step]
    return derivation


def _with(derivation: Derivation, path: tuple[int, ...], new: Derivation) -> Derivation:
    if not path:
        return new
    children = list(derivation.children)
    children[path[0]] = _with(children[path[0]], path[1:], new)
    return derivation._replace(children=tuple(children))


def _paths(derivation: Derivation) -> Iterator[tuple[int, ...]]:
    yield ()
    for step, child in enumerate(derivation.children):
        for below in _paths(child):
            yield (step, *below)
