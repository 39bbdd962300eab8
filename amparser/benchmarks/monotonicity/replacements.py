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
from enum import Enum
from typing import NamedTuple

from amparser.benchmarks.monotonicity.reading import fragment
from amparser.grammar.irtg import Derivation
from amparser.logic.polarity import Polarity

FUNCTIONS = ("lex.n", "adj", "pp.n", "rc", "lex.iv", "pp.iv", "adv", "disj", "conj")
"""The replacement functions, of nouns first."""
NOUN_FUNCTIONS = FUNCTIONS[:4]
ENTAILMENT, NEUTRAL = "entailment", "neutral"

_DOWNWARD = frozenset({"downward_sg", "downward_pl"})
# For each rule, without its number: the functions that add a modifier, the modifier's nonterminal
# and its index among the children (from 0), and the rule with it.
_MODIFIERS = {
    "bare": (("pp.n", "Place", 1, "preposition"), ("rc", "Relative", 1, "relative")),
    "preposition": (("rc", "Relative", 2, "preposition_relative"),),
    "relative": (("pp.n", "Place", 1, "preposition_relative"),),
    "intransitive": (("adv", "Adverb", 1, "adverb"), ("pp.iv", "Place", 1, "place")),
    "adverb": (("pp.iv", "Place", 2, "adverb_place"),),
    "place": (("adv", "Adverb", 1, "adverb_place"),),
}


class Relation(Enum):
    """The relation of a phrase to the phrase that it replaces."""

    WIDER = "wider"
    NARROWER = "narrower"

    def label(self, polarity: Polarity) -> str:
        """Return the label of such a replacement at a position of this polarity."""
        follows = Polarity.UPWARD if self is Relation.WIDER else Polarity.DOWNWARD
        return ENTAILMENT if polarity is follows else NEUTRAL


class Position(NamedTuple):
    """A node of a derivation: the numbers of children (from 0) that lead to it, its polarity."""

    path: tuple[int, ...]
    polarity: Polarity
    node: Derivation


def positions(derivation: Derivation) -> Iterator[Position]:
    """Yield all nodes from the left, each before the nodes below it.

    >>> from amparser.benchmarks.monotonicity.reading import derivation_of
    >>> few = derivation_of("Few dogs ran .".split())
    >>> [at.polarity.value for at in positions(few) if at.path in ((0, 1), (1,))]
    ['downward', 'downward']
    """
    stack = [Position((), Polarity.UPWARD, derivation)]
    while stack:
        yield (at := stack.pop())
        # The arguments of a quantifier are its noun, and the sister of the noun phrase.
        downward = [child.rule.label in _DOWNWARD for child in at.node.children]
        for step in reversed(range(len(downward))):
            reversals = (at.node.rule.label in _DOWNWARD and step == 1) + any(
                is_downward for other, is_downward in enumerate(downward) if other != step
            )
            polarity = at.polarity.reversed() if reversals == 1 else at.polarity
            stack.append(Position((*at.path, step), polarity, at.node.children[step]))


class Replacement(NamedTuple):
    """The replacement of the phrase at a path; `relation` compares the new phrase with the old."""

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
    """Yield replacements of one phrase at a node or below it, by one function or by any."""
    for path, polarity, node in positions(derivation):
        if path[: len(start)] == start:
            for name, relation, new in _rewritten(node):
                if function in (None, name):
                    result = _with(derivation, path, new)
                    yield Replacement(name, path, relation, polarity, result)


def _rewritten(node: Derivation) -> Iterator[tuple[str, Relation, Derivation]]:
    grammar = fragment().grammar
    label, parent = node.rule.label, node.rule.parent
    number = label[-3:] if label.endswith(("_sg", "_pl")) else ""
    for function, old, new in (
        ("lex.n", "noun_", "hypernym_"),
        ("lex.iv", "intransitive_", "wider_"),
    ):
        if label.startswith(old) and not node.children:
            for leaf in grammar.leaves(parent, new):
                yield function, Relation.WIDER, leaf
    if parent.startswith("Adjectival_"):
        for leaf in grammar.leaves("Adjective"):
            yield "adj", Relation.NARROWER, grammar.node(f"adjective{number}", leaf, node)
    for function, category, place, modified in _MODIFIERS.get(label.removesuffix(number), ()):
        for leaf in grammar.leaves(category):
            children = (*node.children[:place], leaf, *node.children[place:])
            yield function, Relation.NARROWER, grammar.node(f"{modified}{number}", *children)
    if label == "intransitive":
        for function, junction, relation in (
            ("disj", "disjunction", Relation.WIDER),
            ("conj", "conjunction", Relation.NARROWER),
        ):
            for leaf in grammar.leaves("IV", "joined_"):
                yield function, relation, grammar.node(junction, *node.children, leaf)


def _with(derivation: Derivation, path: tuple[int, ...], new: Derivation) -> Derivation:
    if not path:
        return new
    children = list(derivation.children)
    children[path[0]] = _with(children[path[0]], path[1:], new)
    return derivation._replace(children=tuple(children))
