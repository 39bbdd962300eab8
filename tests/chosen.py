"""What is chosen for a sentence of pieces of graphs, and its derivation, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from amparser.algebra.derivation import Derivation, Link, Links
from amparser.compositions.graphs.choices import Choice
from amparser.lexicon.graph_inventory import Tag
from amparser.lexicon.units import Unit


def links(text: str) -> Links:
    """Edges such as `ARG1>00 Time<01`: down or up, with the nodes of head and dependent."""
    return tuple(
        Link(part[:-3], part[-3] == ">", int(part[-2]), int(part[-1])) for part in text.split()
    )


def choice_of(
    inventory: Sequence[Tag],
    tags: Sequence[int],
    edges: Sequence[str],
    heads: Sequence[int],
    words: str = "",
) -> Choice:
    """A choice without arcs beside the tree, fillers and boxes of its own.

    Args:
        inventory: all tags.
        tags, edges, heads: of each token; numbers of tags and heads count from 0.
        words: the tokens, if they matter.
    """
    texts = words.split() or [f"w{i}" for i in range(len(tags))]
    choice = Choice(
        tuple(Unit(text, False, i) for i, text in enumerate(texts)),
        tags,
        inventory,
        [()] * len(tags),
    )
    choice.heads, choice.links = list(heads), [*map(links, edges)]
    return choice


def derivation_by_hand(
    tags: Sequence[Tag], edges: Sequence[str], heads: Sequence[int], words: str = ""
) -> Derivation:
    """The derivation of such a choice whose tokens have these tags."""
    return choice_of(tags, range(len(tags)), edges, heads, words).derivation()
