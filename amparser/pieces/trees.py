"""From derivations to AM dependency trees and graphs."""

from __future__ import annotations

from amparser.algebra.operations import APP, ROOT
from amparser.amtree.evaluate import evaluate
from amparser.amtree.tree import AMTree, Entry
from amparser.graph.sgraph import Node, SGraph
from amparser.induction.constants import source_of_hole
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


def graph_of(tree: AMTree, inventory: Inventory) -> SGraph:
    """The graph of a derivation's tree, the wrapper included."""
    inner = evaluate(tree)
    nodes = dict(inner.nodes)
    edges = list(inner.edges)
    root = inner.root
    for label, place in reversed(inventory.contraction.wrapper):
        top = max(nodes) + 1
        nodes[top] = Node(label)
        edges.append(edge_at(top, place, root))
        root = top
    return SGraph(nodes, tuple(edges), root)
