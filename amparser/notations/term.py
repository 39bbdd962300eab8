"""Terms as graphs: one node a symbol, one edge `arg0`, `arg1`, ... to each argument.

Nodes are numbered from 0 in the order in which the term writes its symbols, so that
an alignment given by these numbers needs no translation. The graph of a term is a
tree, and `text_from_graph(graph_from_text(t)) == t` for each text in the layout of
`amparser.logic.term`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from amparser.errors import TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.logic.term import Term, term_from_str, term_to_str

ARGUMENT = "arg"
_ARGUMENT = re.compile(rf"{ARGUMENT}(\d+)")


def graph_from_text(text: str, alignment: Sequence[Sequence[int]] | None = None) -> SGraph:
    """The graph of a term.

    Args:
        text: the term.
        alignment: for each token the nodes that it belongs to; a node is marked with
            the first of its tokens (1-based).

    Raises:
        LogicError: the text is not a term.
        TranslateError: the alignment names a node that does not exist.
    """
    return graph_from_term(term_from_str(text), alignment)


def graph_from_term(term: Term, alignment: Sequence[Sequence[int]] | None = None) -> SGraph:
    """The graph of a term that was read; see `graph_from_text`."""
    labels: list[str] = []
    edges: list[Edge] = []
    stack: list[tuple[Term, int, int]] = [(term, -1, 0)]
    while stack:
        current, parent, place = stack.pop()
        number = len(labels)
        labels.append(current.symbol)
        if parent >= 0:
            edges.append(Edge(parent, f"{ARGUMENT}{place}", number))
        stack += [(a, number, i) for i, a in reversed(list(enumerate(current.arguments)))]
    token: dict[int, int] = {}
    for position, nodes in enumerate(alignment or (), 1):
        for node in nodes:
            if not 0 <= node < len(labels):
                raise TranslateError(f"token {position} is aligned to node {node}, which is none")
            token.setdefault(node, position)
    nodes_by_number = {i: Node(label, token.get(i)) for i, label in enumerate(labels)}
    return SGraph(nodes_by_number, tuple(edges), 0)


def term_from_graph(graph: SGraph) -> Term:
    """The term that a graph stands for.

    Raises:
        TranslateError: the graph is not a tree, has open sources or unlabelled nodes, or a
            node's edges are not `arg0`, `arg1`, ... without gaps.
    """
    if graph.sources:
        raise TranslateError(f"open sources {', '.join(sorted(graph.sources))}")
    below: dict[int, dict[int, int]] = {}
    for edge in graph.edges:
        match = _ARGUMENT.fullmatch(edge.label)
        if match is None:
            raise TranslateError(f"edge {edge.label!r}, expected {ARGUMENT}0, {ARGUMENT}1, ...")
        places = below.setdefault(edge.parent, {})
        if int(match[1]) in places:
            raise TranslateError(f"two edges {edge.label!r} at node {edge.parent}")
        places[int(match[1])] = edge.child
    order = [graph.root]
    for node in order:
        places = below.get(node, {})
        if sorted(places) != list(range(len(places))):
            raise TranslateError(f"node {node} lacks an argument")
        order.extend(places[i] for i in sorted(places))
        if len(order) > len(graph.nodes):
            raise TranslateError("the graph is not a tree")
    if len(order) != len(graph.nodes):
        raise TranslateError("the graph is not connected")
    terms: dict[int, Term] = {}
    for node in reversed(order):
        label = graph.nodes[node].label
        if label is None:
            raise TranslateError(f"node {node} has no label")
        places = below.get(node, {})
        terms[node] = Term(label, tuple(terms[places[i]] for i in sorted(places)))
    return terms[graph.root]


def text_from_graph(graph: SGraph) -> str:
    """The text of the term that a graph stands for; raises TranslateError if there is none."""
    return term_to_str(term_from_graph(graph))
