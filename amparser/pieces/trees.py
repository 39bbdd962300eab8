"""From derivations to AM dependency trees and graphs."""

from __future__ import annotations

from amparser.algebra.operations import APP, ROOT
from amparser.algebra.supertag import LEX
from amparser.amtree.tree import AMTree, Entry
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.induction.constants import Hole, Piece, source_of_hole
from amparser.induction.derivation import FIRST_PIECE, Derivation
from amparser.induction.derivations import Inventory
from amparser.induction.spanning import edge_at


def am_tree(derivation: Derivation, inventory: Inventory) -> AMTree:
    """The AM dependency tree of a derivation; the wrapper is no part of it."""
    entries = []
    for t, form in enumerate(derivation.tokens):
        tag = derivation.tags[t]
        if tag < FIRST_PIECE:
            entries.append(Entry(form))
            continue
        head = derivation.heads[t]
        operation = ROOT if head < 0 else APP + source_of_hole(derivation.holes[t])
        supertag = inventory.piece(tag).supertag(derivation.closed[t])
        entries.append(Entry(form, head + 1, operation, supertag, derivation.labels[t]))
    return AMTree(tuple(entries))


def graph_of(derivation: Derivation, inventory: Inventory) -> SGraph:
    """The graph of a derivation, the wrapper included; each node is aligned to its piece's token.

    Without the wrapper and alignments, this is what `evaluate` makes of the tree.
    """
    fillers: dict[tuple[int, int], int] = {}
    for token, head in enumerate(derivation.heads):
        if head >= 0:
            fillers[head, derivation.holes[token]] = token
    nodes: dict[int, Node] = {}
    edges: list[Edge] = []
    above, place = -1, ""

    def add(node: Node) -> int:
        nodes[len(nodes)] = node
        if above >= 0:
            edges.append(edge_at(above, place, len(nodes) - 1))
        return len(nodes) - 1

    for label, edge in inventory.contraction.wrapper:
        above, place = add(Node(label)), edge
    holes = [0] * len(derivation.tokens)
    root = derivation.root
    stack: list[tuple[Piece | Hole, int, int, str]] = [
        (inventory.piece(derivation.tags[root]), root, above, place)
    ]
    while stack:
        item, token, above, place = stack.pop()
        if isinstance(item, Hole):
            hole, holes[token] = holes[token], holes[token] + 1
            if derivation.closed[token] >> hole & 1:
                add(Node(item.default, token + 1))
            else:
                below = fillers[token, hole]
                stack.append((inventory.piece(derivation.tags[below]), below, above, place))
            continue
        number = add(Node(_label(item, derivation, token), token + 1))
        stack += [(sub, token, number, label) for label, sub in reversed(item.arguments)]
    return SGraph(nodes, tuple(edges), 0)


def _label(piece: Piece, derivation: Derivation, token: int) -> str:
    return derivation.labels[token] or "" if piece.label == LEX else piece.label
