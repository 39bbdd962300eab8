"""Constants as pieces of a tree: several nodes each, with holes for their arguments.

A piece is found in two steps. `contraction_of` looks at the trees of a corpus alone and
joins what has no choice, which costs no bits to say:

1. a symbol at the root of every tree is a *wrapper*, which belongs to no word;
2. an edge below which a literal (a name, a number) always stands joins it: the literal
   becomes the lexical label `--LEX--` of its parent's piece, copied or looked up later;
3. a leaf that is no literal and that no word announces (or that alone stands in its
   place) is the *default* of the place in which it stands: the place is then optional,
   and one piece serves with and without it.

`units_of` then cuts a tree into units, one piece each; `amparser.induction.alignment` gives
each a token of its own, or joins those that have none to a neighbour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from amparser.algebra.fragment import LEX, SLOT, Fragment, Port
from amparser.algebra.types import type_of
from amparser.graph.sgraph import edge_at
from amparser.induction.spanning import Tree
from amparser.notations.lisp_variables import CHAIN

Place = tuple[str, str]
"""The label of a node and the label of an edge that leaves it."""


@dataclass(frozen=True, slots=True)
class Hole:
    """Where an argument goes; without one the default stands there, if there is a default."""

    default: str | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A connected piece of a tree; `--LEX--` marks where the lexical label goes.

    >>> str(Piece("f", (("arg0", Piece("--LEX--")), ("arg1", Hole("_")))))
    'f(arg0 --LEX--, arg1 [_])'
    """

    label: str
    arguments: tuple[tuple[str, Piece | Hole], ...] = ()

    def __str__(self) -> str:
        if not self.arguments:
            return self.label
        inside = ", ".join(
            f"{place} {f'[{sub.default or str()}]' if isinstance(sub, Hole) else sub}"
            for place, sub in self.arguments
        )
        return f"{self.label}({inside})"

    @property
    def holes(self) -> tuple[tuple[str, str, Hole], ...]:
        """In order of writing: the label above each hole, the label of its edge, and the hole."""
        found: list[tuple[str, str, Hole]] = []
        for place, sub in self.arguments:
            found += [(self.label, place, sub)] if isinstance(sub, Hole) else sub.holes
        return tuple(found)

    @property
    def lexical(self) -> bool:
        """Whether the piece takes a lexical label."""
        return self.label == LEX or any(
            sub.lexical for _, sub in self.arguments if isinstance(sub, Piece)
        )

    @property
    def optional(self) -> int:
        """The holes that have a default, as a set of bits: bit i for hole i."""
        return sum(1 << i for i, (_, _, hole) in enumerate(self.holes) if hole.default is not None)

    @property
    def constant(self) -> Fragment:
        """This piece as a graph constant: hole i is the port `Hi`."""
        return _fragment_of(self)

    def supertag(self, closed: int) -> Fragment:
        """The supertag of this piece with the defaults of `closed` (bits) filled in.

        Hole i becomes the source `Hi`, which asks for a complete argument.
        """
        return self.constant.closing(sources_of_holes(closed)).supertag()


@lru_cache(maxsize=1 << 16)
def _fragment_of(piece: Piece) -> Fragment:
    labels: list[str | None] = []
    edges: list[tuple[int, str, int]] = []
    ports: list[Port] = []

    def draw(sub: Piece | Hole, above: int, place: str) -> None:
        here = len(labels)
        if above >= 0:
            edges.append(edge_at(above, place, here))
        if isinstance(sub, Hole):
            labels.append(None)
            ports.append(Port(source_of_hole(len(ports)), here, sub.default))
            return
        labels.append(SLOT if sub.label == LEX else sub.label)
        for edge, argument in sub.arguments:
            draw(argument, here, edge)

    draw(piece, -1, "")
    asks_nothing = type_of(port.name for port in ports)
    return Fragment(tuple(labels), tuple(edges), 0, tuple(ports), asks_nothing)


def chained(pieces: Sequence[Piece], first: int) -> frozenset[tuple[int, int]]:
    """The tags and holes of pieces where a chain goes on: anything in it may follow anything.

    Args:
        pieces: of an inventory.
        first: the tag of the first.
    """
    return frozenset(
        (tag, hole)
        for tag, piece in enumerate(pieces, first)
        for hole, (_, place, _) in enumerate(piece.holes)
        if place.startswith(CHAIN)
    )


def source_of_hole(hole: int) -> str:
    """The name of the source of a piece's hole (from 0).

    >>> source_of_hole(0)
    'H0'
    """
    return f"H{hole}"


def sources_of_holes(holes: int) -> tuple[str, ...]:
    """The names of the sources of a set of holes (bits).

    >>> sources_of_holes(0b101)
    ('H0', 'H2')
    """
    return tuple(source_of_hole(i) for i in range(holes.bit_length()) if holes >> i & 1)


class Unit(NamedTuple):
    """A connected set of a tree's nodes, its topmost node first, with the piece that it makes.

    Attributes:
        nodes: in ascending order.
        piece: as in the inventory.
        closed: the holes that their defaults fill, as bits.
        literal: the node that is the lexical label; -1 where there is none.
        parent: the node above; -1 for the root.
    """

    nodes: tuple[int, ...]
    piece: Piece
    closed: int
    literal: int
    parent: int


@dataclass(frozen=True)
class Contraction:
    """What the trees of a corpus alone say about its pieces (see the module's docstring).

    Attributes:
        wrapper: the labels and edges at the root that every tree has, outermost first.
        joined: the places below which a literal always stands.
        defaults: the default of each optional place.
    """

    wrapper: tuple[Place, ...] = ()
    joined: frozenset[Place] = frozenset()
    defaults: dict[Place, str] = field(default_factory=dict)

    def piece(self, tree: Tree, nodes: Sequence[int]) -> Unit:
        """The unit that a connected set of nodes makes."""
        inside = frozenset(nodes)
        top = min(nodes)
        literal = -1
        closed = 0
        hole_count = 0

        def cut(node: int) -> Piece:
            nonlocal literal, closed, hole_count
            label = tree.labels[node]
            if literal < 0 and tree.is_literal(node):
                literal = node
                return Piece(LEX)
            arguments: list[tuple[str, Piece | Hole]] = []
            for child in tree.children[node]:
                place = tree.places[child]
                default = self.defaults.get((label, place))
                if child in inside and not self.is_default(tree, child):
                    arguments.append((place, cut(child)))
                    continue
                if child in inside:
                    closed |= 1 << hole_count
                hole_count += 1
                arguments.append((place, Hole(default)))
            return Piece(label, tuple(arguments))

        piece = cut(top)
        return Unit(tuple(sorted(inside)), piece, closed, literal, tree.parents[top])

    def is_default(self, tree: Tree, node: int) -> bool:
        """Whether a node is the default of the place in which it stands."""
        if node == 0 or tree.children[node]:
            return False
        place = (tree.labels[tree.parents[node]], tree.places[node])
        return self.defaults.get(place) == tree.labels[node]

    def root(self, tree: Tree) -> int:
        """The node below the wrapper."""
        node = 0
        for label, place in self.wrapper:
            below = [c for c in tree.children[node] if tree.places[c] == place]
            if tree.labels[node] != label or len(tree.children[node]) != 1 or not below:
                return node
            node = below[0]
        return node


def contraction_of(trees: Sequence[Tree], announced: Callable[[str], bool]) -> Contraction:
    """Find the wrapper, the joined literals and the defaults of a corpus.

    Args:
        trees: one for each sentence.
        announced: whether a word of the sentence announces a leaf with this label, so that
            it is a constant of its own and no default.
    """
    wrapper: list[Place] = []
    tops = [0] * len(trees)
    while True:
        # A tree with nothing below its top has no place for a wrapper.
        counted = Counter(
            (tree.labels[top], tree.places[tree.children[top][0]])
            for tree, top in zip(trees, tops, strict=True)
            if len(tree.children[top]) == 1
        )
        if not counted:
            break
        place, count = max(sorted(counted.items()), key=lambda item: item[1])
        inner = sum(
            label == place[0]
            for tree, top in zip(trees, tops, strict=True)
            for label in tree.labels[top + 1 :]
        )
        # How much of the corpus a wrapper must stand in.
        if count < 0.99 * len(trees) or inner:
            break
        wrapper.append(place)
        tops = [
            tree.children[top][0]
            if len(tree.children[top]) == 1 and tree.labels[top] == place[0]
            else top
            for tree, top in zip(trees, tops, strict=True)
        ]
    total: Counter[Place] = Counter()
    literals: Counter[Place] = Counter()
    leaves: dict[Place, Counter[str]] = {}
    for tree in trees:
        for node in range(1, len(tree.labels)):
            place = (tree.labels[tree.parents[node]], tree.places[node])
            total[place] += 1
            if tree.is_literal(node):
                literals[place] += 1
            elif not tree.children[node]:
                leaves.setdefault(place, Counter())[tree.labels[node]] += 1
    always = [place for place, count in total.items() if literals[place] == count]
    # A constant has one lexical label: of several literals each is a constant of its own.
    alone = Counter(label for label, _ in always)
    joined = frozenset(place for place in always if alone[place[0]] == 1)
    defaults = {}
    for place, counter in leaves.items():
        label, count = max(sorted(counter.items()), key=lambda item: item[1])
        # Where nothing else ever stands there is no choice that a word could announce.
        if count == total[place] or not announced(label):
            defaults[place] = label
    return Contraction(tuple(wrapper), joined, defaults)


def units_of(tree: Tree, contraction: Contraction) -> list[Unit]:
    """Cut a tree into units, the topmost first; the wrapper belongs to none."""
    top = contraction.root(tree)
    owner: dict[int, int] = {}
    for node in range(top, len(tree.labels)):
        parent = tree.parents[node]
        place = (tree.labels[parent], tree.places[node]) if node > top else ("", "")
        joins = node > top and (
            (place in contraction.joined and tree.is_literal(node))
            or contraction.is_default(tree, node)
        )
        owner[node] = owner[parent] if joins else node
    groups: dict[int, list[int]] = {}
    for node, head in owner.items():
        groups.setdefault(head, []).append(node)
    return [contraction.piece(tree, groups[head]) for head in sorted(groups)]


def merged(tree: Tree, contraction: Contraction, units: Iterable[Unit]) -> Unit:
    """One unit of several that are connected."""
    return contraction.piece(tree, sorted(node for unit in units for node in unit.nodes))
