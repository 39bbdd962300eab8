"""Decomposing examples: each gets a tree, or the reason why it has none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from amparser.compositions.example_graphs import graph_of_example, notation_of
from amparser.constants.evaluate import evaluate, problems
from amparser.constants.tree import AMTree
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError, CorpusError, DecomposeError, InputError, located
from amparser.graph.sgraph import SGraph, aligned_alike, isomorphic
from amparser.induction.analysis import analyse
from amparser.induction.induce import Occurrence, SourceInventory, induce, occurrence_of
from amparser.induction.skeleton import skeleton_of
from amparser.notations.notation import Notation


class Source(NamedTuple):
    """Where examples come from.

    Attributes:
        notation: of their meanings, as it aligns the words of train; None if there are none.
        place: the path of their file, for messages.
        strict: see `Corpus`.
    """

    notation: Notation | None
    place: str | None
    strict: bool

    @classmethod
    def of(cls, corpus: Corpus, split: str) -> Source:
        """That of a part of a corpus; looks through the meanings of train."""
        return cls(notation_of(corpus), corpus.places.get(split), corpus.strict)

    def located(self, reason: str, example: Example) -> str:
        """A reason with the place of the example."""
        return located(reason, path=example.file or self.place, line=example.line)

    def graph(self, example: Example) -> SGraph:
        """The graph of an example.

        Raises:
            CorpusError: it has none, where that is an error.
            AMParserError: it has none.
        """
        try:
            return _graph_of(example, self.notation)
        except AMParserError as error:
            if self.strict:
                raise CorpusError(self.located(str(error), example)) from None
            raise


def occurrences(examples: Iterable[Example], source: Source) -> Iterator[Occurrence]:
    """The occurrences of predicates that `decomposed` would see, in the same order.

    Raises:
        CorpusError: see `decomposed`.
    """
    for example in examples:
        if example.failure is not None or example.tree is not None:
            continue
        try:
            graph = source.graph(example)
        except CorpusError:
            raise
        except AMParserError:
            continue
        try:
            skeleton = skeleton_of(example.tokens, graph)
        except DecomposeError:
            continue
        for node in skeleton.order:
            yield occurrence_of(skeleton, node)


def decomposed(
    examples: Sequence[Example],
    source: Source,
    inventory: SourceInventory | None = None,
    *,
    induced: Callable[[Iterable[Occurrence]], SourceInventory] = induce,
) -> tuple[list[AMTree | None], SourceInventory, list[str]]:
    """The tree of each example, or None.

    Args:
        examples: examples with meanings, graphs or trees.
        source: where they come from.
        inventory: how sources are named; induced from the examples if there is none.
        induced: makes the inventory, of the occurrences in the order of the examples.

    Returns:
        The trees, the inventory, and for each example without a tree file, line and reason.

    Raises:
        CorpusError: a meaning cannot be read, or an example has neither meaning, graph nor
            tree; the message names file and line.
    """
    trees: list[AMTree | None] = [example.tree for example in examples]
    numbers: list[int] = []
    graphs: list[tuple[tuple[str, ...], SGraph]] = []
    reasons: dict[int, str] = {}
    for number, example in enumerate(examples):
        if example.failure is not None:
            trees[number], reasons[number] = None, example.failure
        elif example.tree is not None:
            if not source.strict and (found := problems(example.tree, open_root=True)):
                trees[number], reasons[number] = None, "; ".join(found)
        else:
            try:
                graph = source.graph(example)
            except CorpusError:
                raise
            except AMParserError as error:
                reasons[number] = str(error)
            else:
                numbers.append(number)
                graphs.append((example.tokens, graph))
    analysis = analyse(graphs, inventory, induced)
    reasons |= {numbers[i]: reason for i, reason in analysis.failures}
    for number, tree, (_, graph) in zip(numbers, analysis.trees, graphs, strict=True):
        trees[number] = tree
        if tree is not None and not source.strict:
            reason = _change(examples[number], tree, graph, source.notation)
            if reason is not None:
                trees[number], reasons[number] = None, reason
    failures = [source.located(reasons[i], examples[i]) for i in sorted(reasons)]
    return trees, analysis.inventory, failures


def _graph_of(example: Example, notation: Notation | None) -> SGraph:
    graph = graph_of_example(example, notation)
    return graph if example.graph is None else _checked(graph, len(example.tokens))


def _change(example: Example, tree: AMTree, graph: SGraph, notation: Notation | None) -> str | None:
    """What of an example its tree does not give back, or None."""
    try:
        found = evaluate(tree, open_root=len(tree) == 1)
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


def _checked(graph: SGraph, token_count: int) -> SGraph:
    """The graph itself; raises InputError if a node is aligned to a token that does not exist."""
    for node in graph.nodes.values():
        if node.token is not None and not 1 <= node.token <= token_count:
            expected = f"expected a token from 1 to {token_count}"
            raise InputError(f"the node {node.label!r} is aligned to {node.token}: {expected}")
    return graph
