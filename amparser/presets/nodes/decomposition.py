"""Decomposing examples into AM dependency trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from amparser.algebra.derivation import Derivation
from amparser.algebra.expand import expand
from amparser.corpora.example import Example
from amparser.errors import AMParserError
from amparser.graph.sgraph import SGraph, aligned_alike, isomorphic
from amparser.induction.analysis import analyse
from amparser.induction.induce import SourceInventory
from amparser.notations.notation import Notation
from amparser.presets.source import Source, checked, graph_of_example


def decomposed(
    examples: Sequence[Example],
    source: Source,
    inventory: SourceInventory | None = None,
) -> tuple[dict[int, Derivation], SourceInventory, tuple[str, ...]]:
    """Decompose examples with meanings, graphs or trees.

    Args:
        examples: the examples.
        source: where they come from.
        inventory: how sources are named; induced from the examples if there is none.

    Returns:
        The trees by the numbers of the examples, the inventory, and for each example without a
        tree file, line and reason.

    Raises:
        CorpusError: a meaning cannot be read, or an example has neither meaning, graph nor
            tree; the message names file and line.
    """
    found, reasons = source.read(enumerate(examples), _graph_or_tree)
    trees = {number: item for number, item in found.items() if isinstance(item, Derivation)}
    graphs = {number: item for number, item in found.items() if isinstance(item, SGraph)}
    numbers = list(graphs)
    analysis = analyse([(examples[i].tokens, graph) for i, graph in graphs.items()], inventory)
    reasons |= {numbers[i]: reason for i, reason in analysis.failures}
    for number, tree in zip(numbers, analysis.trees, strict=True):
        if tree is not None:
            trees[number] = tree
            if not source.strict:
                change = _change(examples[number], tree, graphs[number], source.notation)
                if change is not None:
                    reasons[number] = change
    for number, tree in trees.items():
        if number not in graphs and (problems := tree.problems(open_root=True)):
            reasons[number] = "; ".join(problems)
    kept = {number: trees[number] for number in sorted(trees.keys() - reasons.keys())}
    return kept, analysis.inventory, source.faults(examples, reasons)


def _graph_or_tree(example: Example, notation: Notation | None) -> SGraph | Derivation:
    if example.tree is not None:
        return example.tree
    graph = graph_of_example(example, notation)
    return graph if example.graph is None else checked(graph, len(example.tokens))


def _change(
    example: Example, tree: Derivation, graph: SGraph, notation: Notation | None
) -> str | None:
    """Return what of an example its tree does not give back, or None."""
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
