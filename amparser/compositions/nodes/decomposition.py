"""Decomposing examples: each gets a tree, or the reason why it has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from amparser.algebra.derivation import Derivation
from amparser.algebra.expand import expand
from amparser.compositions.source import Source, checked, graph_of_example
from amparser.corpora.example import Example
from amparser.errors import AMParserError
from amparser.graph.sgraph import SGraph, aligned_alike, isomorphic
from amparser.induction.analysis import analyse
from amparser.induction.induce import SourceInventory
from amparser.notations.notation import Notation


def decomposed(
    examples: Sequence[Example],
    source: Source,
    inventory: SourceInventory | None = None,
) -> tuple[list[Derivation | None], SourceInventory, list[str]]:
    """The tree of each example, or None.

    Args:
        examples: examples with meanings, graphs or trees.
        source: where they come from.
        inventory: how sources are named; induced from the examples if there is none.

    Returns:
        The trees, the inventory, and for each example without a tree file, line and reason.

    Raises:
        CorpusError: a meaning cannot be read, or an example has neither meaning, graph nor
            tree; the message names file and line.
    """
    trees: list[Derivation | None] = [example.tree for example in examples]
    without = ((i, example) for i, example in enumerate(examples) if example.tree is None)
    found, reasons = source.read(without, _graph_of)
    for number, tree in enumerate(trees):
        if tree is not None:
            if reason := examples[number].failure or "; ".join(tree.problems(open_root=True)):
                trees[number], reasons[number] = None, reason
    numbers = list(found)
    graphs = [(examples[number].tokens, graph) for number, graph in found.items()]
    analysis = analyse(graphs, inventory)
    reasons |= {numbers[i]: reason for i, reason in analysis.failures}
    for number, tree, (_, graph) in zip(numbers, analysis.trees, graphs, strict=True):
        trees[number] = tree
        if tree is not None and not source.strict:
            reason = _change(examples[number], tree, graph, source.notation)
            if reason is not None:
                trees[number], reasons[number] = None, reason
    return trees, analysis.inventory, list(source.faults(examples, reasons))


def _graph_of(example: Example, notation: Notation | None) -> SGraph:
    graph = graph_of_example(example, notation)
    return graph if example.graph is None else checked(graph, len(example.tokens))


def _change(
    example: Example, tree: Derivation, graph: SGraph, notation: Notation | None
) -> str | None:
    """What of an example its tree does not give back, or None."""
    try:
        found = expand(tree, open_root=len(tree.tokens) == 1)
        # Open sources have names of their own in each.
        left, right = replace(graph, sources={}), replace(found, sources={})
        if not (aligned_alike(left, right) or isomorphic(left, right)):
            return "the graph that its tree denotes is another one"
        if example.graph is None and example.meaning is not None and notation is not None:
            written = notation.write(graph)
            if not notation.equality(example.tokens, example.meaning, written).graph:
                return f"the meaning that its graph denotes is another one: {written}"
    except AMParserError as error:
        return str(error)
    return None
