"""Graphs and AM-CoNLL lines of examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from amparser.algebra.expand import expand
from amparser.algebra.tree import AMTree, am_tree, extended_lines
from amparser.corpora.example import Example
from amparser.errors import InputError
from amparser.graph.sgraph import SGraph


def graph_of(example: Example) -> SGraph:
    """The graph of an example, evaluated from its tree if only that is known.

    Raises:
        InputError: the example has neither, or is a failure.
    """
    if example.graph is not None:
        return example.graph
    if example.tree is not None and example.failure is None:
        return expand(example.tree, open_root=True)
    raise InputError(example.failure or "there is neither a graph nor a tree")


def with_alignments(graph: SGraph, alignments: Sequence[object], tokens: Sequence[str]) -> SGraph:
    """The graph with its nodes, in order, aligned to tokens (from 1).

    Raises:
        InputError: there are more or fewer alignments than nodes, or one is not a token.
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
    """Return the lines of a derivation: those of its file, or else those made of it.

    They have further columns only if no AM dependency tree denotes the same graph.
    """
    if example.columns is not None or example.tree is None:
        return example.columns
    try:
        return am_tree(example.tree)
    except InputError:
        return extended_lines(example.tree)
