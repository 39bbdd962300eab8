"""What is chosen for a sentence, step by step, until it makes a derivation."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from amparser.algebra.derivation import (
    ARC,
    FIRST_BOX,
    Arc,
    Derivation,
    Introduced,
    Links,
    Place,
    Scope,
)
from amparser.algebra.operations import ROOT
from amparser.lexicon.graph_inventory import Tag, label_of, tags_of
from amparser.lexicon.units import Unit
from amparser.nn.heads.boxes import ABOVE, SCOPE
from amparser.nn.scores import BatchScores, Pointers

CONSTANT, HEAD, LABEL = "constant", "head", "label"
"""The choices for each token; those of its fillers are numbered."""

Pair = tuple[int, int, int]
"""A sentence, a token from 0, and its head from 1 (0: the root)."""


class Choice:
    """A sentence whose derivation is chosen step by step.

    Args:
        units: of the sentence.
        tags: the number of each token's tag.
        inventory: all tags.
        introduced: by each token.
        logp: the log probability of the tags.

    Attributes:
        operations: of tokens without a fragment; others have `ARC`.
        fragments: by their tokens.
        root: of the fragment at the top.
        fillers, heads, links, beside, introduced, within, above: see `Derivation` and `Scope`.
        logp: the log probability of the choices so far.
    """

    def __init__(
        self,
        units: tuple[Unit, ...],
        tags: Sequence[int],
        inventory: Sequence[Tag],
        introduced: Sequence[Introduced],
        logp: float = 0.0,
    ) -> None:
        count = len(units)
        self.units, self.tags, self.introduced, self.logp = units, tags, introduced, logp
        of_tokens = [inventory[tag] for tag in tags]
        self.operations = [tag if isinstance(tag, str) else ARC for tag in of_tokens]
        self.fragments = {t: tag for t, tag in enumerate(of_tokens) if not isinstance(tag, str)}
        self.root = 0
        self.fillers: list[list[str]] = [[] for _ in units]
        self.heads = [-1] * count
        self.links: list[Links] = [()] * count
        self.beside: list[Arc] = []
        self.within = [FIRST_BOX] * count
        self.above = [FIRST_BOX] * count

    def arcs(self) -> list[Arc]:
        """The arcs of the tree, and those beside it."""
        tree = enumerate(zip(self.heads, self.links, strict=True))
        return [*(Arc(head, t, links) for t, (head, links) in tree if head >= 0), *self.beside]

    def derivation(self) -> Derivation:
        """The derivation, once all is chosen."""
        fragments, operations = dict(self.fragments), list(self.operations)
        for token, fragment in self.fragments.items():
            if self.heads[token] < 0:
                operations[token] = ROOT
                fragments[token] = fragment.rooted(self.root)
        return Derivation(
            tuple(unit.text for unit in self.units),
            tuple(map(fragments.get, range(len(self.units)))),
            tuple(map(tuple, self.fillers)),
            tuple(self.heads),
            tuple(operations),
            links=tuple(self.links),
            beside=tuple(self.beside),
            scope=Scope(tuple(self.introduced), tuple(self.within), tuple(self.above)),
        )


def choices_of(derivation: Derivation) -> list[tuple[tuple[int, str | int], Hashable]]:
    """What was chosen, in the order of choice: constants, heads, fillers, labels."""
    full = [t for t, fragment in enumerate(derivation.constants) if fragment is not None]
    return [
        *(((t, CONSTANT), tag) for t, tag in enumerate(tags_of(derivation))),
        *(((t, HEAD), derivation.heads[t]) for t in full),
        *(((t, n), name) for t in full for n, name in enumerate(derivation.fillers[t])),
        *(((t, LABEL), label_of(derivation, t)) for t in full),
    ]


def arcs_of(choices: Sequence[Choice]) -> list[Pair]:
    """The arcs of all trees."""
    return [
        (b, token, choice.heads[token] + 1)
        for b, choice in enumerate(choices)
        for token in choice.fragments
    ]


def cut_cycles(above: list[Place], openers: Sequence[int]) -> None:
    """Put boxes that stand in a cycle into the first box."""
    for token in openers:
        seen = {token}
        at = above[token][0]
        while at >= 0 and at not in seen:
            seen.add(at)
            at = above[at][0]
        if at == token:
            above[token] = FIRST_BOX


def pointed(
    pointers: Pointers, i: int, token: int, openers: Sequence[int], introduced: Sequence[Introduced]
) -> Place:
    """The place that a token's pointer is likeliest to show."""
    best = max([0, *(t + 1 for t in openers)], key=lambda place: pointers.places[i, token, place])
    if best == 0:
        return FIRST_BOX
    depth = len(introduced[best - 1])
    return best - 1, int(pointers.levels[i, token, best, :depth].argmax())


def place_in_boxes(choices: Sequence[Choice], scores: BatchScores) -> None:
    """Choose the box of each token, and the boxes above those that tokens introduce."""
    boxed = [b for b, choice in enumerate(choices) if any(choice.introduced)]
    if not boxed:
        return
    scope, above = scores.pointers(boxed, SCOPE), scores.pointers(boxed, ABOVE)
    for i, b in enumerate(boxed):
        choice = choices[b]
        openers = [t for t, row in enumerate(choice.introduced) if row]
        for token in choice.fragments:
            choice.within[token] = pointed(scope, i, token, openers, choice.introduced)
        for token in openers:
            others = [t for t in openers if t != token]
            choice.above[token] = pointed(above, i, token, others, choice.introduced)
        cut_cycles(choice.above, openers)
