"""GeoQuery (Zelle & Mooney 1996): questions about the geography of the United States.

Meanings are FunQL terms without variables, as in Herzig & Berant (2021). Each split is a folder
with `train.jsonl` and `test.jsonl`: `standard`, `template` (Finegan-Dollak et al. 2018), `length`
and `tmcd` (Shaw et al. 2021). The data is under the GPL and is not part of this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amparser.benchmarks.sizes import size_tag
from amparser.evaluation.benchmark import Benchmark

if TYPE_CHECKING:
    from amparser.corpora.example import Example

_SIZES = (4, 6, 8, 11)
"""Upper bounds of the size tags, in nodes of the meaning."""


def _tags(example: Example) -> tuple[str, ...]:
    from amparser.notations.term import TERM

    if example.meaning is None:
        return example.tags
    size = len(TERM.graph(example.tokens, example.meaning).nodes)
    return (size_tag(size, _SIZES, "symbols"),)


GEOQUERY = Benchmark(
    name="geoquery",
    about="questions about the geography of the United States (Zelle & Mooney 1996)",
    notations=("term",),
    settings={
        "preset": "tree",
        # Results with and without external vectors are reported separately; default: without.
        "encoder": {"vectors": "", "pretrained": ""},
        # No invented names: the context does not tell whether a name is a city or a river.
        "train": {"invented": 0.0},
    },
    measure="exact",
    tags=_tags,
)
