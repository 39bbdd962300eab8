"""The Parallel Meaning Bank 4.0.0, English gold data, as graphs (Yang et al. 2024).

A data folder has `train.penman.gz` and `dev.penman.gz`. The data has a separate licence and is not
part of this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amparser.benchmarks.sizes import size_tag
from amparser.evaluation.benchmark import Benchmark, late

if TYPE_CHECKING:
    from amparser.corpora.example import Example

_LENGTHS = (5, 8, 12)
_BOXES = 3
"""Minimum number of boxes in a graph with the tag `3 boxes or more`."""


def _tags(example: Example) -> tuple[str, ...]:
    tokens = size_tag(len(example.tokens), _LENGTHS, "tokens")
    if example.graph is None:
        return (tokens,)
    root = example.graph.nodes[example.graph.root].label
    boxes = sum(node.label == root for node in example.graph.nodes.values())
    if boxes >= _BOXES:
        return (tokens, f"{_BOXES} boxes or more")
    return (tokens, "1 box" if boxes == 1 else f"{boxes} boxes")


PMB = Benchmark(
    name="pmb",
    examples=(
        "The old man chased two small dogs.",
        "I have never been to Paris.",
        "Every child who sings is happy.",
    ),
    about="short everyday sentences (Parallel Meaning Bank, Abzianidze et al. 2017)",
    notations=("penman",),
    settings={
        "preset": "graph",
        # Only training uses these layers. Parsing uses the raw sentence.
        "data": {
            "words": "tok",
            "features": "lemma sem",
            "anchors": "sense",
            "auxiliary": "sem cat roles",
        },
        "encoder": {"vectors": "auto", "pretrained": "multilingual"},
        # An epoch repeats the few rows of German, Dutch and Italian.
        "train": {"epochs": 12, "epoch_sentences": 2500, "members": 3, "label_weight": 1.0},
    },
    measure="smatch",
    read=late("amparser.benchmarks.pmb.reading:read_bank"),
    tags=_tags,
)
