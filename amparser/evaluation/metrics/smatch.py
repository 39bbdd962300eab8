"""Smatch: F score, precision and recall of triples under the best mapping of nodes.

The triples are defined as by Cai & Knight (2013) in version 1.0.4 of the package `smatch`:
`instance(node, concept)`, `ROLE(node, constant)`, `ROLE(node, node)` and `TOP(root, top)`.
Names and values are in lower case without quotes, and `mod(x, y)` is written as `domain(y, x)`. The
notation decides which nodes are constants.

The metric `smatch` finds the best mapping by an integer program
(`amparser.evaluation.metrics.matching`). The metric `smatch-tool` calls the package, whose hill
climbing with random restarts may miss the best mapping, so that its figures are too low.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import lru_cache
from io import StringIO
from typing import Any, NamedTuple

from amparser.corpora.example import Example
from amparser.errors import ConfigError
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.graphs import GraphMetric, Overlap, found_graph, gold_graph
from amparser.evaluation.metrics.matching import Item, Matching, match_items
from amparser.graph.sgraph import SGraph
from amparser.notations.notation import Notation
from amparser.notations.penman import PENMAN
from amparser.resources import library
from amparser.results import Result

SEED = 0
"""Seed of the random mappings of the package `smatch`."""


class Triples(NamedTuple):
    """Triples of a graph; nodes are numbered from 0.

    Attributes:
        size: number of nodes.
        unary: triples (node, role, value) of instances, constants and TOP.
        binary: triples (parent, role, child).
    """

    size: int
    unary: tuple[tuple[int, str, str], ...]
    binary: tuple[tuple[int, str, int], ...]

    @property
    def total(self) -> int:
        """Number of triples."""
        return len(self.unary) + len(self.binary)


def triples(graph: SGraph, notation: Notation | None = None) -> Triples:
    """Return the triples of a graph.

    >>> from amparser.graph.penman_codec import sgraph_from_penman
    >>> triples(sgraph_from_penman("(a / see :agent (b / Boy))")).unary
    ((0, 'instance', 'see'), (1, 'instance', 'boy'), (0, 'TOP', 'top'))
    """
    constants = {
        node: value.label or ""
        for node, value in graph.nodes.items()
        if notation is not None and node != graph.root and notation.is_constant(value.label)
    }
    number = {node: i for i, node in enumerate(n for n in graph.nodes if n not in constants)}
    unary = [
        (number[n], "instance", _normal(v.label or ""))
        for n, v in graph.nodes.items()
        if n in number
    ]
    binary: list[tuple[int, str, int]] = []
    for edge in graph.edges:
        role = edge.label.lower()
        if edge.parent in number and edge.child in number:
            ends = (number[edge.parent], number[edge.child])
            binary.append(
                (ends[1], "domain", ends[0]) if role == "mod" else (ends[0], role, ends[1])
            )
        elif edge.parent in number:
            unary.append((number[edge.parent], role, _normal(constants[edge.child])))
        elif edge.child in number:
            unary.append((number[edge.child], f"{role}-of", _normal(constants[edge.parent])))
    unary.append((number[graph.root], "TOP", "top"))
    return Triples(len(number), tuple(unary), tuple(binary))


def _normal(label: str) -> str:
    # A leading apostrophe or slash is not part of the name; it only marks the kind of node.
    text = label[1:] if label[:1] in ("'", "/") and len(label) > 1 else label
    return text.strip('"').lower().rstrip("_")


def smatch_overlap(gold: Triples, predicted: Triples) -> Overlap:
    """Count the triples that match under the best mapping of nodes."""
    return Overlap(predicted.total, gold.total, best_mapping(gold, predicted).matched)


@lru_cache(maxsize=64)
def best_mapping(gold: Triples, predicted: Triples) -> Matching:
    """Return the best mapping of predicted nodes to gold nodes; see `match_items`."""
    if gold == predicted:
        return Matching(gold.total, gold.total, {node: node for node in range(gold.size)})
    return match_items(_items(predicted), _items(gold))


def _items(graph: Triples) -> list[Item]:
    items: list[Item] = [((role, value), (node,)) for node, role, value in graph.unary]
    items += [(role, (parent, child)) for parent, role, child in graph.binary]
    seen: Counter[Item] = Counter()
    numbered: list[Item] = []
    for item in items:
        seen[item] += 1
        # A loop has a different key, because its item has one vertex instead of two.
        numbered.append(((item[0], seen[item], len(set(item[1]))), item[1]))
    return numbered


class SmatchMetric(GraphMetric):
    """F score, precision and recall of triples."""

    name = "smatch"
    measures = ("smatch", "smatch_precision", "smatch_recall")

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """Return the counts of one answer; a missing answer predicts no triples."""
        wanted = gold_graph(notation, gold)
        if wanted is None:
            return {}
        predicted = found_graph(notation, gold, result)
        if predicted is None:
            overlap = Overlap(0, triples(wanted, notation).total, 0)
        else:
            overlap = self.overlap(wanted, predicted, notation)
        return dict(zip(self.measures, overlap.counts(), strict=True))

    def overlap(self, gold: SGraph, predicted: SGraph, notation: Notation | None) -> Overlap:
        """Compare two graphs."""
        return smatch_overlap(triples(gold, notation), triples(predicted, notation))


class SmatchToolMetric(SmatchMetric):
    """Smatch by the package `smatch`, on graphs in PENMAN notation."""

    name = "smatch-tool"
    measures = ("smatch_tool", "smatch_tool_precision", "smatch_tool_recall")

    def problem(self, notation: Notation | None) -> str | None:
        """Return a problem if answers are labels, or if the package is not installed."""
        try:
            _tool()
        except ConfigError as error:
            return super().problem(notation) or str(error)
        return super().problem(notation)

    def overlap(self, gold: SGraph, predicted: SGraph, notation: Notation | None) -> Overlap:
        """Compare two graphs; each call has the same random restarts."""
        return tool_overlap(_tool(), PENMAN.write(gold), PENMAN.write(predicted))


def _tool() -> Any:
    return library("smatch", "smatch-tool", "logic")


def tool_overlap(tool: Any, gold: str, predicted: str) -> Overlap:
    """Count matching triples with the package, with fixed random restarts and without output."""
    state = random.getstate()
    random.seed(SEED)
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            lines = (" ".join(text.split()) for text in (predicted, gold))
            matched, predicted_count, gold_count = tool.get_amr_match(*lines)
    finally:
        random.setstate(state)
        tool.match_triple_dict.clear()
    return Overlap(predicted_count, gold_count, matched)


SMATCH = SmatchMetric()
SMATCH_TOOL = SmatchToolMetric()
