"""Graphs and AM-CoNLL lines of examples, and detection of contradictory examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from amparser.algebra.expand import expand
from amparser.algebra.tree import AMTree, am_tree, extended_lines
from amparser.corpora.example import Example
from amparser.errors import AMParserError, InputError
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.notations.notation import Notation, layout_of_graph


def graph_of(example: Example) -> SGraph:
    """Return the graph of an example, or else of its tree. Raises InputError if it has neither."""
    if example.graph is not None:
        return example.graph
    if example.tree is not None and example.failure is None:
        return expand(example.tree, open_root=True)
    raise InputError(example.failure or "the example has neither a graph nor a tree")


def with_alignments(graph: SGraph, alignments: Sequence[object], tokens: Sequence[str]) -> SGraph:
    """Return the graph with its nodes aligned to tokens (from 1).

    Args:
        alignments: token of each node, or None, in the order of the nodes.

    Raises:
        InputError: an alignment is not a token, or the lengths of `alignments` and `graph.nodes`
            differ.
    """
    if len(alignments) != len(graph.nodes):
        raise InputError(f"{len(graph.nodes)} nodes, but {len(alignments)} alignments")
    nodes = {}
    for (identifier, node), token in zip(graph.nodes.items(), alignments, strict=True):
        if token is not None and (
            type(token) is not int or token < 1 or (tokens and token > len(tokens))
        ):
            raise InputError(f"alignment {token!r}: expected a token from 1 to {len(tokens)}")
        nodes[identifier] = node._replace(token=token)
    return replace(graph, nodes=nodes)


def lines_of_tree(example: Example) -> AMTree | None:
    """Return the AM-CoNLL lines of an example, from its file or else from its tree."""
    if example.columns is not None or example.tree is None:
        return example.columns
    try:
        return am_tree(example.tree)
    except InputError:
        return extended_lines(example.tree)


def contradiction(example: Example, notation: Notation) -> str | None:
    """Return a message if an example's meaning differs from its graph or tree, else None.

    Raises AMParserError if the meaning is malformed, or the tree denotes no graph.
    """
    text, graph = example.meaning, example.graph
    if text is None or example.failure is not None or (graph is None and example.tree is None):
        return None
    if graph is not None and layout_of_graph(graph, notation.name) is not None:
        return None  # the graph was read from the text
    graph = notation.as_read(graph_of(example))
    if graph is None or isomorphic(graph, notation.graph(example.tokens, text)):
        return None
    try:
        written = notation.written(example.tokens, graph)
        if notation.equality(example.tokens, text, written).graph:
            return None
    except AMParserError:
        pass
    return f"'meaning' differs from the {'tree' if example.graph is None else 'graph'}"
