"""Rows of the published SyGNS files."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FILES = (
    *(f"comp{neg}_{q}/{part}" for neg in ("", "neg") for q in ("one", "two", "every")
      for part in ("train", "test_sample")),
    "depth/train",
    *(f"depth/test_d{depth}_sample" for depth in (2, 3, 4)),
)  # fmt: skip


class Row(NamedTuple):
    sentence: str
    fol: str
    vf: str
    clf: str


def read_rows(data: Path, file: str, *, step: int = 1) -> Iterator[Row]:
    """Yield every `step`-th row of a file of `FILES`."""
    columns = []
    for form in ("fol", "vf", "clf"):
        with gzip.open(data / "sygns" / f"{file}.{form}.tsv.gz", "rt", encoding="utf-8") as lines:
            columns.append([line.split("\t")[:2] for line in lines])
    for (sentence, fol), (_, vf), (_, clf) in list(zip(*columns, strict=True))[::step]:
        yield Row(sentence, fol, vf, clf)
