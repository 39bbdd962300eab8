"""What is chosen for a sentence, step by step, until it makes an analysis."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from amparser.lexicon.analysis import FIRST_BOX, JOINED, ROOT, Analysis, Place, Tag
from amparser.lexicon.graph_inventory import Introduced
from amparser.lexicon.units import Unit
from amparser.nn.heads.boxes import ABOVE, SCOPE
from amparser.nn.scores import BatchScores, Pointers

CONSTANT, HEAD, LABEL = "constant", "head", "label"
"""The choices for each token; those of its fillers are numbered."""

Pair = tuple[int, int, int]
"""A sentence, a token from 0, and its head from 1 (0: the root)."""


@dataclass
class Choice:
    """What is chosen for a sentence, step by step; see `Analysis`."""

    units: tuple[Unit, ...]
    tags: list[int]
    full: list[bool]
    fillers: list[list[str]]
    heads: list[int]
    labels: list[str]
    extra: list[tuple[int, int, str]]
    introduced: list[Introduced]
    scope: list[Place]
    above: list[Place]
    logp: float

    def analysis(self, tags: Sequence[Tag]) -> Analysis:
        """The analysis, given all tags."""
        return Analysis(
            tuple(tags[tag] for tag in self.tags),
            tuple(map(tuple, self.fillers)),
            tuple(self.introduced),
            tuple(self.scope),
            tuple(self.above),
            tuple(self.heads),
            tuple(self.labels),
            tuple(self.extra),
        )


def choices_of(analysis: Analysis) -> list[tuple[tuple[int, str | int], Hashable]]:
    """What was chosen, in the order of choice: constants, heads, fillers, labels."""
    full = [t for t, tag in enumerate(analysis.tags) if tag != JOINED and tag.labels]
    return [
        *(((t, CONSTANT), tag) for t, tag in enumerate(analysis.tags)),
        *(((t, HEAD), analysis.heads[t]) for t in full),
        *(((t, n), name) for t in full for n, name in enumerate(analysis.fillers[t])),
        *(((t, LABEL), analysis.labels[t]) for t in full),
    ]


def arcs_of(choices: Sequence[Choice]) -> list[Pair]:
    """The arcs of all trees."""
    return [
        (b, token, choice.heads[token] + 1)
        for b, choice in enumerate(choices)
        for token, full in enumerate(choice.full)
        if full
    ]


def cut_cycles(above: list[Place], openers: Sequence[int]) -> None:
    """Put boxes that stand in a cycle into the first box."""
    for token in openers:
        seen = {token}
        at = above[token][0]
        while at != ROOT and at not in seen:
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
        for token, full in enumerate(choice.full):
            if full:
                choice.scope[token] = pointed(scope, i, token, openers, choice.introduced)
        for token in openers:
            others = [t for t in openers if t != token]
            choice.above[token] = pointed(above, i, token, others, choice.introduced)
        cut_cycles(choice.above, openers)
