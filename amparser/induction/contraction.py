"""Fragments of trees: connected nodes with ports `H0`, `H1`, ... for their arguments.

A *place* is the label of a node and the label of an edge below it (`spanning.Place`). Fragments are
found in two steps. First, `contraction_of` finds three kinds of nodes that need no separate token:
1. The nodes at the root of nearly every tree form the *wrapper*, which belongs to no word.
2. If the edge at a place always ends at a literal (a name, a number), the literal is *joined*: it
   becomes the lexical label of its parent's fragment.
3. Any other leaf is the *default* of its port if no word expresses it, or no other label occurs at
   its place. The port is optional: the same fragment is used with and without an argument.

Then `units_of` splits each tree into *units*, occurrences of one fragment each.
`amparser.induction.alignment` aligns each unit with a different token; a unit without a token is
joined to a neighbour.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

from amparser.algebra.fragment import SLOT, Fragment, Port
from amparser.algebra.types import AMType, type_of
from amparser.graph.sgraph import edge_at
from amparser.induction.spanning import MINUS, Place, Tree
from amparser.lexicon.local_shapes import has_names
from amparser.notations.announcing import spelled_texts
from amparser.notations.lisp_variables import CHAIN
from amparser.notations.ordered_trees import ABSENT, NEXT, is_end


def chained(fragments: Sequence[Fragment], first: int) -> frozenset[tuple[int, int]]:
    """Return the (tag, port) pairs at which the argument is the next element of a list.

    Args:
        fragments: the fragments of an inventory.
        first: tag of the first fragment.
    """
    return frozenset(
        (tag, number)
        for tag, fragment in enumerate(fragments, first)
        for number, port in enumerate(fragment.ports)
        for _, place, node in fragment.edges
        if node == port.node and place.startswith(CHAIN)
    )


@cache
def _type_with_ports(count: int) -> AMType:
    return type_of(f"H{i}" for i in range(count))


class Unit(NamedTuple):
    """Occurrence of a fragment in a tree.

    Attributes:
        nodes: nodes in ascending order.
        fragment: fragment of these nodes, with ports instead of the nodes below.
        closed: bit set of the ports that are filled by their defaults.
        below: node of the tree at each port: the topmost node of an argument, or a default.
        literal: node that is the lexical label; -1 for none.
        parent: parent of the topmost node; -1 if it is the root.
    """

    nodes: tuple[int, ...]
    fragment: Fragment
    closed: int
    below: tuple[int, ...]
    literal: int
    parent: int


@dataclass(frozen=True)
class Contraction:
    """Wrapper, joined literals and defaults of a corpus (see the module's docstring).

    Attributes:
        wrapper: places of the wrapper, from the root down.
        joined: places at which a literal is joined to the fragment of its parent.
        defaults: label of the default leaf at each place that has one.
    """

    wrapper: tuple[Place, ...] = ()
    joined: frozenset[Place] = frozenset()
    defaults: dict[Place, str] = field(default_factory=dict)

    def unit(self, tree: Tree, nodes: Sequence[int]) -> Unit:
        """Return the unit that consists of connected nodes."""
        nodes = sorted(nodes)
        inside = [node for node in nodes if node == nodes[0] or not self.is_default(tree, node)]
        below = sorted(c for node in inside for c in tree.children[node] if c not in inside)
        literal = next(filter(tree.is_literal, inside), -1)
        labels: dict[int, str | None] = {node: tree.labels[node] for node in inside}
        labels |= dict.fromkeys(below)
        if literal >= 0:
            labels[literal] = MINUS + SLOT if tree.labels[literal] in tree.negated else SLOT
        number = {node: i for i, node in enumerate(sorted(labels))}
        edges = (
            edge_at(number[tree.parents[node]], tree.places[node], number[node])
            for node in number
            if node != nodes[0]
        )
        ports = tuple(
            Port(f"H{i}", number[node], self.defaults.get(tree.place(node)))
            for i, node in enumerate(below)
        )
        type_ = _type_with_ports(len(ports))
        fragment = Fragment(tuple(map(labels.get, number)), tuple(edges), 0, ports, type_)
        closed = sum(1 << i for i, node in enumerate(below) if node in nodes)
        above = tree.parents[nodes[0]]
        return Unit(tuple(nodes), fragment, closed, tuple(below), literal, above)

    def is_default(self, tree: Tree, node: int) -> bool:
        """Return whether a node is a leaf with the default label of its place (see `Place`)."""
        if node == 0 or tree.children[node]:
            return False
        return self.defaults.get(tree.place(node)) == tree.labels[node]

    @property
    def around(self) -> Fragment | None:
        """The wrapper as a fragment with one port; None if the corpus has no wrapper."""
        if not self.wrapper:
            return None
        size = len(self.wrapper)
        edges = (edge_at(node, place, node + 1) for node, (_, place) in enumerate(self.wrapper))
        labels = (*(label for label, _ in self.wrapper), None)
        return Fragment(labels, tuple(edges), 0, (Port("H0", size),), _type_with_ports(1))

    def root(self, tree: Tree) -> int:
        """Return the topmost node of a tree below the wrapper."""
        node = 0
        for place in self.wrapper:
            if _only_place(tree, node) != place:
                break
            [node] = tree.children[node]
        return node


def _only_place(tree: Tree, node: int) -> Place | None:
    below = tree.children[node]
    return tree.place(below[0]) if len(below) == 1 else None


def _wrapper(trees: Sequence[Tree]) -> tuple[Place, ...]:
    """Return the places of the wrapper; they are at the root of 99 % of the trees, nowhere else."""
    wrapper: tuple[Place, ...] = ()
    while True:
        tops = [Contraction(wrapper).root(tree) for tree in trees]
        places = map(_only_place, trees, tops)
        counted = Counter(place for place in places if place is not None)
        if not counted:
            return wrapper
        place, count = max(sorted(counted.items()), key=lambda item: item[1])
        inner = any(
            place[0] in tree.labels[top + 1 :] for tree, top in zip(trees, tops, strict=True)
        )
        if count < 0.99 * len(trees) or inner:
            return wrapper
        wrapper += (place,)


def contraction_of(trees: Sequence[Tree], announced: Callable[[str], bool]) -> Contraction:
    """Find the wrapper, the joined literals and the defaults of a corpus.

    Args:
        announced: function that returns whether words express the leaves with a given label; if so,
            they become constants instead of defaults, unless their place has no other label.
    """
    total = Counter(tree.place(node) for tree in trees for node in range(1, len(tree.labels)))
    literals = Counter(tree.place(node) for tree in trees for node in tree.literals if node)
    always = [place for place, count in total.items() if literals[place] == count]
    # A constant has only one lexical label: if a node has several literals, do not join them.
    alone = Counter(label for label, _ in always)
    joined = frozenset(place for place in always if alone[place[0]] == 1)
    defaults = {}
    for place, counter in _leaves(trees).items():
        label, count = max(sorted(counter.items()), key=lambda item: item[1])
        # The only label at a place is a default even if words express it.
        if count == total[place] or not announced(label):
            defaults[place] = label
    # The default for the rest of a list is the end of the list.
    ends = {place: ABSENT for place in total if place[1] == NEXT and place not in joined}
    return Contraction(_wrapper(trees), joined, {**ends, **defaults})


def _leaves(trees: Sequence[Tree]) -> dict[Place, Counter[str]]:
    leaves: dict[Place, Counter[str]] = defaultdict(Counter)
    for tree in trees:
        for node in range(1, len(tree.labels)):
            if not tree.children[node] and not tree.is_literal(node):
                leaves[tree.place(node)][tree.labels[node]] += 1
    return leaves


def units_of(tree: Tree, contraction: Contraction) -> list[Unit]:
    """Split a tree without its wrapper into units (occurrences of fragments), topmost first."""
    top = contraction.root(tree)
    group_of: dict[int, list[int]] = {}
    groups: list[list[int]] = []
    for node in range(top, len(tree.labels)):
        is_joined = tree.is_literal(node) and tree.place(node) in contraction.joined
        if node == top or not (is_joined or contraction.is_default(tree, node)):
            groups.append(group := [])
        else:
            group = group_of[tree.parents[node]]
        group.append(node)
        group_of[node] = group
    return [contraction.unit(tree, group) for group in groups]


Alignment = Sequence[Collection[int]] | None
"""Graph nodes aligned with each token; None without an alignment."""


def optional_leaves(trees: Sequence[Tree]) -> frozenset[str]:
    """Return the labels of leaves that are probably defaults, and of the ends of lists.

    For example, `all` is probably a default if most leaves at the edge `arg` have this label, this
    edge also leads to larger subtrees, and both are true below at least two parent labels.
    """
    leaves = _leaves(trees)
    others = {
        tree.place(node)
        for tree in trees
        for node in range(1, len(tree.labels))
        if tree.children[node]
    }
    shared: Counter[tuple[str, str]] = Counter()
    for place in others & leaves.keys():
        [(label, count)] = leaves[place].most_common(1)
        if 2 * count > leaves[place].total():
            shared[place[1], label] += 1
    ends = {label for counter in leaves.values() for label in counter if is_end(label)}
    return frozenset(ends.union(label for (_, label), count in shared.items() if count > 1))


def kept_apart(tree: Tree, alignment: Alignment, optional: Collection[str]) -> set[int]:
    """Return the nodes that must not share a fragment with the node above.

    These are the leaves with a label in `optional`, and the nodes not aligned to the same tokens as
    the node above. An unaligned node counts as aligned to the tokens of its first aligned child.
    """
    groups = groups_of(tree, alignment)
    for node in reversed(range(len(tree.labels))) if groups else ():
        below = (groups[child] for child in tree.children[node] if child in groups)
        groups.setdefault(node, next(below, frozenset()))
    return {
        node
        for node, label in enumerate(tree.labels)
        if (label in optional and not tree.children[node])
        or (groups.get(node) and groups[node] != groups.get(tree.parents[node]))
    }


def groups_of(tree: Tree, alignment: Alignment) -> dict[int, frozenset[int]]:
    """Return the tokens that a given alignment assigns to each node."""
    number = {node: i for i, node in enumerate(tree.nodes)}
    tokens_of: dict[int, set[int]] = {}
    for token, nodes in enumerate(alignment or ()):
        for node in nodes:
            if node in number:
                tokens_of.setdefault(number[node], set()).add(token)
    return {node: frozenset(tokens) for node, tokens in tokens_of.items()}


def with_values(sentences: Sequence[Sequence[str]], trees: Sequence[Tree]) -> list[Tree]:
    """Mark the symbols that are copied from the sentence as literals; return the marked trees.

    The leaves at a place (such as `kobasi` in `open(kobasi)`) are literals if almost all are words
    of their sentences, and if unseen symbols are likely: many leaves are rare, or some are quoted.
    A number such as `-20` for "lower by 20" is marked in `Tree.negated`: the minus belongs to the
    constant, and only `20` is copied.
    """
    labels: dict[Place, Counter[str]] = defaultdict(Counter)
    spelled: Counter[Place] = Counter()
    quoted: Counter[Place] = Counter()
    negated = []
    for sentence, tree in zip(sentences, trees, strict=True):
        texts: frozenset[str] | None = None
        unsigned = set()
        for node, label in enumerate(tree.labels):
            place, literal = tree.place(node), tree.is_literal(node)
            quoted[place] += literal
            if node == 0 or tree.children[node] or (literal and not label.startswith(MINUS)):
                continue
            texts = texts or spelled_texts(sentence)
            if not literal:
                labels[place][label] += 1
                spelled[place] += label.lower() in texts
            elif label not in texts and label.removeprefix(MINUS) in texts:
                unsigned.add(label)
        negated.append(frozenset(unsigned))
    names = frozenset(
        label
        for place, counts in labels.items()
        if _is_open(counts, spelled[place], quoted[place])
        for label in counts
    )
    # At least three sentences must omit the minus of a number.
    signs = sum(map(bool, negated)) >= 3
    return [
        replace(tree, names=names, negated=some if signs else frozenset())
        for tree, some in zip(trees, negated, strict=True)
    ]


def _is_open(counts: Counter[str], spelled: int, quoted: int) -> bool:
    # At least 80 % of the leaves must be words of their sentences.
    return spelled >= 0.8 * counts.total() and has_names(counts, quoted)
