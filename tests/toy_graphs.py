"""Graphs of boxes, their derivations, and a small parser of the toy bank."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from small_settings import LETTERS
from toy_bank import examples

from amparser.algebra.derivation import Derivation
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.graph.boxes import BoxScheme, Layered, split
from amparser.graph.sgraph import isomorphic
from amparser.induction.fragments import OrientationCounts, contract
from amparser.learn.settings import with_overrides
from amparser.notations.penman import PENMAN
from amparser.parser import Parser
from amparser.presets.settings import GraphSettings

BOXED = BoxScheme('/"box"', "member")
GRAPHS = [
    split(example.graph, BOXED, PENMAN.is_constant)
    for example in examples(60)
    if example.graph is not None
]


def some_derivation(
    graph: Layered, seed: int, orientations: OrientationCounts | None = None
) -> Derivation:
    """Return a derivation of a graph for a random alignment that keeps boxes whole."""
    random = Random(seed)
    # All nodes of a token must be in one box, or they would not survive the round trip.
    first = {box: 4 * box for box in range(len(graph.boxes))}
    box_of = list(graph.box)
    for parent, _, child in graph.edges:
        if box_of[child] < 0:
            box_of[child] = box_of[parent]
    tokens = [first[max(box, 0)] + random.randrange(4) for box in box_of]
    box_tokens = [first[box] for box in range(len(graph.boxes))]
    slotted = [random.random() < 0.5 for _ in graph.labels]
    return contract(graph, tokens, box_tokens, ["w"] * 8, slotted, orientations=orientations)


SMALL_GRAPHS = (*LETTERS, "encoder.layers=1", "encoder.dropout=0.1", "train.learning_rate=1e-2")
GRAPH_SETTINGS = (
    *(*SMALL_GRAPHS, "data.words=tok", "data.features=sem", "data.anchors=sense"),
    *("heads.arc_size=32", "heads.hidden_size=48"),
)
SMALL = with_overrides(
    GraphSettings(),
    [*GRAPH_SETTINGS, "heads.dropout=0.1", "encoder.word_dropout=5.0", "train.epochs=12"],
)


def corpus(count: int = 120, dev: int = 6, **changes: Any) -> Corpus:
    found = Corpus(examples(count), examples(192)[-dev:], "penman", places={"train": "t.penman"})
    return replace(found, **changes)


def right(parser: Parser, rows: Sequence[Example]) -> int:
    found = parser.answers([row.tokens for row in rows])["tree"]
    return sum(
        answer.graph is not None and row.graph is not None and isomorphic(answer.graph, row.graph)
        for answer, row in zip(found, rows, strict=True)
    )
