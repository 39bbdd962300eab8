"""The published pairs of the monotonicity benchmark."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

DEPTHS = range(5)


class Pair(NamedTuple):
    """A row; `genre` is depthN.operation.direction, where depth0 is the paper's D1."""

    premise: str
    hypothesis: str
    label: str
    genre: str


def read_pairs(data_dir: Path, depth: int, *, step: int = 1) -> Iterator[Pair]:
    """Every `step`th pair of a depth."""
    path = data_dir / "monotonicity" / f"depth{depth}_sample.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            if number % step == 0:
                yield Pair(*line.rstrip("\n").split("\t"))
