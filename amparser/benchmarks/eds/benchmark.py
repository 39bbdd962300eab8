"""English texts with gold graphs from the treebank of the English Resource Grammar.

A data folder has `train.penman.gz` and `dev.penman.gz` with Elementary Dependency Structures (Oepen
& Lønning 2006) from the treebank Redwoods (Oepen et al. 2002). The data has a separate licence and
is not part of this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amparser.benchmarks.sizes import size_tag
from amparser.evaluation.benchmark import Benchmark, late

if TYPE_CHECKING:
    from amparser.corpora.example import Example

_LENGTHS = (10, 20, 30)


def _tags(example: Example) -> tuple[str, ...]:
    return (*example.tags, size_tag(len(example.tokens), _LENGTHS, "tokens"))


EDS = Benchmark(
    name="eds",
    examples=(
        "The mayor of Berlin promised to build a new bridge.",
        "She told the police that her car was stolen.",
        "Two thirds of the votes were counted before midnight.",
    ),
    about="written English: encyclopedia, fiction, travel, questions "
    "(Elementary Dependency Structures, Oepen et al. 2002)",
    notations=("penman", "eds"),
    settings={
        "preset": "graph",
        # Only training uses the treebank's words and their alignment with nodes.
        "data": {"words": "tok", "alignment": "alignments"},
        "encoder": {"vectors": "english", "pretrained": "multilingual", "word_size": 64},
        "heads": {"arc_size": 320, "distance_clip": 12},
        "train": {"epochs": 22, "label_weight": 1.0, "members": 2},
    },
    measure="smatch",
    read=late("amparser.benchmarks.eds.reading:read_treebank"),
    tags=_tags,
)
