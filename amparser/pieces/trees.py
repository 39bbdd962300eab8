"""From derivations to AM dependency trees and graphs."""

from __future__ import annotations

from amparser.constants import am_view
from amparser.constants.constant import Constant
from amparser.constants.derivation import CONTINUE
from amparser.constants.derivation import Derivation as General
from amparser.constants.expand import expand
from amparser.constants.operations import APP, IGNORE, ROOT
from amparser.constants.tree import AMTree
from amparser.graph.sgraph import Edge, SGraph
from amparser.induction.constants import source_of_hole, sources_of_holes
from amparser.induction.derivation import CONTINUE_TAG, FIRST_PIECE, Derivation
from amparser.induction.derivations import Inventory


def am_tree(derivation: Derivation, inventory: Inventory) -> AMTree:
    """The AM dependency tree of a derivation; the wrapper is no part of it."""
    return am_view.am_tree(general(derivation, inventory))


def graph_of(derivation: Derivation, inventory: Inventory) -> SGraph:
    """The graph of a derivation, the wrapper included; each node is aligned to its piece's token.

    Without the wrapper and alignments, this is what `evaluate` makes of the tree.
    """
    whole = general(derivation, inventory)
    return _in_preorder(expand(whole, wrapper=inventory.contraction.wrapper, align_all=True))


def general(derivation: Derivation, inventory: Inventory) -> General:
    """A derivation with pieces as one with constants."""
    constants: list[Constant | None] = []
    fillers: list[tuple[str, ...]] = []
    operations = []
    for token, tag in enumerate(derivation.tags):
        if tag < FIRST_PIECE:
            constants.append(None)
            fillers.append(())
            operations.append(CONTINUE if tag == CONTINUE_TAG else IGNORE)
            continue
        constant = inventory.piece(tag).constant
        constants.append(constant)
        fillers.append((derivation.labels[token] or "",) if constant.slots else ())
        hole = derivation.holes[token]
        operations.append(ROOT if derivation.heads[token] < 0 else APP + source_of_hole(hole))
    return General(
        derivation.tokens,
        tuple(constants),
        tuple(fillers),
        derivation.heads,
        tuple(operations),
        tuple(sources_of_holes(closed) for closed in derivation.closed),
    )


def _in_preorder(graph: SGraph) -> SGraph:
    """A tree whose nodes and edges stand in the order in which a term writes them."""
    around: dict[int, list[Edge]] = {node: [] for node in graph.nodes}
    for edge in graph.edges:
        around[edge.parent].append(edge)
        around[edge.child].append(edge)
    number: dict[int, int] = {}
    edges = []
    stack: list[tuple[int, Edge | None]] = [(graph.root, None)]
    while stack:
        node, above = stack.pop()
        number[node] = len(number)
        if above is not None:
            edges.append(Edge(number[above.parent], above.label, number[above.child]))
        for edge in reversed(around[node]):
            if edge is not above:
                stack.append((edge.child if edge.parent == node else edge.parent, edge))
    return SGraph({number[node]: graph.nodes[node] for node in number}, tuple(edges), 0)
