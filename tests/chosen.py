"""What is chosen for a sentence of pieces of graphs, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from amparser.compositions.graphs.choices import Choice
from amparser.lexicon.analysis import FIRST_BOX, Tag
from amparser.lexicon.units import Unit


def choice_of(
    inventory: Sequence[Tag], tags: Sequence[int], labels: Sequence[str], heads: Sequence[int]
) -> Choice:
    """A choice without arcs beside the tree, fillers and boxes of its own.

    Args:
        inventory: all tags.
        tags, labels, heads: of each token; numbers of tags and heads count from 0.
    """
    count = len(tags)
    return Choice(
        tuple(Unit(f"w{i}", False, i) for i in range(count)),
        list(tags),
        [bool(inventory[tag].labels) for tag in tags],
        [[] for _ in tags],
        list(heads),
        list(labels),
        [],
        [()] * count,
        [FIRST_BOX] * count,
        [FIRST_BOX] * count,
        0.0,
    )
