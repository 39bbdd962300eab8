"""What makes the graph of a sentence: constants of tokens, arcs between them, and boxes.

A token's nodes with the edges among them are its *constant*; its *tag* is the constant with open
places (`SLOT`) where a label shows the word. Edges between constants become arcs: a spanning
tree, and the arcs that are left over. An arc's label has all edges between two tokens, with the
places of their ends in both constants. Boxes go to tokens too: the boxes that a token introduces,
the box in which its nodes are, and the box above those that it introduces.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from amparser.algebra.derivation import FIRST_BOX, Place
from amparser.algebra.fragment import SLOT, Fragment
from amparser.conditions import Index, Sized
from amparser.lexicon.units import Unit

__all__ = [
    "EMPTY",
    "FIRST_BOX",
    "JOINED",
    "ROOT",
    "SLOT",
    "UNLINKED",
    "Analysis",
    "Place",
    "Row",
    "Tag",
    "arc_label",
    "edges_of_arc",
    "fragment_of_tag",
    "places_of_tag",
]

ROOT = -1
"""The head of the token at the top; the token of the first box."""

NodeId = Annotated[int, Index("node")]

UNLINKED = ""
"""The label of an arc that only makes a tree of an unconnected graph."""


@dataclass(frozen=True)
class Tag:
    """A constant whose labels may have `SLOT`s.

    Attributes:
        labels: of the nodes; the first is the one that arcs usually reach.
        constant: whether each node is a constant, in no box.
        edges: parent, label, child.
    """

    labels: Annotated[tuple[str, ...], Sized("node")] = ()
    constant: Annotated[tuple[bool, ...], Sized("node")] = ()
    edges: tuple[tuple[NodeId, str, NodeId], ...] = ()

    @property
    def slots(self) -> int:
        """How many nodes have open places."""
        return sum(SLOT in label for label in self.labels)


def places_of_tag(tag: Tag) -> int:
    """How many nodes of a tag may have edges from outside: not constants that have one inside."""
    inside = {node for parent, _, child in tag.edges for node in (parent, child)}
    fixed = (constant and node in inside for node, constant in enumerate(tag.constant))
    return max((node + 1 for node, is_fixed in enumerate(fixed) if not is_fixed), default=0)


@lru_cache(maxsize=1 << 16)
def fragment_of_tag(tag: Tag) -> Fragment:
    """A tag as a constant without ports."""
    unboxed = frozenset(i for i, constant in enumerate(tag.constant) if constant)
    return Fragment(tag.labels, tag.edges, unboxed=unboxed)


JOINED = Tag(("\x01",), (True,))
"""The tag of a token that belongs to a word of several tokens, but for its last one."""

EMPTY = Tag()


@dataclass(frozen=True)
class Analysis:
    """A sentence with all that makes its graph.

    Attributes:
        tags: of each token.
        fillers: what fills the slots of each token's tag.
        introduced: of each token, the boxes that it introduces: the number of the one above
            among them (-1: the box of `above`), and its label.
        scope: the box in which each token's nodes are.
        above: the box above those that it introduces.
        heads: the head of each token whose tag has nodes, `ROOT` for the top; others have `ROOT`.
        labels: of the arcs to the heads; that of the root names the node that is the top.
        extra: parent token, child token and label of the arcs that are not in the tree.
    """

    tags: tuple[Tag, ...]
    fillers: tuple[tuple[str, ...], ...]
    introduced: tuple[tuple[tuple[int, str], ...], ...]
    scope: tuple[Place, ...]
    above: tuple[Place, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]
    extra: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True)
class Row:
    """A sentence to learn from: its units and what makes its graph.

    `auxiliary` has, for each layer that is learned beside, the item of each unit; None where it
    has none. `language` is that of the sentence, if it is known; the first epochs alone learn from
    a row that is `early`.
    """

    units: tuple[Unit, ...]
    analysis: Analysis
    auxiliary: tuple[tuple[str | None, ...], ...] = ()
    language: str = ""
    early: bool = False

    @property
    def tokens(self) -> tuple[str, ...]:
        """The texts of the units."""
        return tuple(unit.text for unit in self.units)


def arc_label(edges: Sequence[tuple[str, bool, int, int]]) -> str:
    """The label of an arc: for each edge its label, whether it leads down, and its places."""
    return " ".join(
        f"{label}{'>' if down else '<'}{above}{below}"
        if above < 10 and below < 10
        else f"{label}{'>' if down else '<'}{above},{below}"
        for label, down, above, below in sorted(edges)
    )


@lru_cache(10_000)
def edges_of_arc(label: str) -> tuple[tuple[str, bool, int, int], ...]:
    """The inverse of `arc_label`.

    >>> edges_of_arc("Agent>00 Time<01")
    (('Agent', True, 0, 0), ('Time', False, 0, 1))
    """
    found = []
    for part in label.split():
        match = re.fullmatch(r"(.*)([<>])(?:(\d)(\d)|(\d+),(\d+))", part)
        assert match is not None
        above, below = match[3] or match[5], match[4] or match[6]
        found.append((match[1], match[2] == ">", int(above), int(below)))
    return tuple(found)


def reach_of_arc(label: str) -> tuple[int, int]:
    """The largest places in the constants of head and dependent that a label names; -1 for none.

    >>> reach_of_arc("Agent>00 Time<01"), reach_of_arc("^2")
    ((0, 1), (-1, 2))
    """
    if label.startswith("^"):
        return -1, int(label[1:] or 0)
    edges = edges_of_arc(label)
    if not edges:
        return -1, -1
    return max(edge[2] for edge in edges), max(edge[3] for edge in edges)
