"""A user's own data in the place of a benchmark, for experiments."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amparser import api
from amparser.benchmarks.registry import BENCHMARKS
from amparser.evaluation.benchmark import Benchmark
from amparser.learn.corpus_reading import read_splits
from amparser.learn.settings import DataSettings

if TYPE_CHECKING:
    from amparser.corpora.corpus import Corpus
    from amparser.experiments.dataset import DataSet


def own_data(folder: str | Path, settings: Any) -> tuple[Benchmark, Any]:
    """A user's own data in the place of a benchmark, for experiments, and settings for them.

    Args:
        folder: with `train`, and the files to test on.
        settings: of the system; `data.notation` is filled in if it is empty.
    """
    folder = Path(folder)
    notation = api.corpus_of(folder, settings).notation
    name = re.sub(r"[^\w.+]+", "_", folder.resolve().name).strip("_") or "own"
    if name in BENCHMARKS:
        name = f"own_{name}"
    settings = replace(settings, data=replace(settings.data, notation=notation))
    return Benchmark(
        name=name,
        about="your own data",
        notations=(notation,) if notation else (),
        measure="exact" if notation else "graph",
    ), settings


def read_own_data(dataset: DataSet, notation: str) -> Corpus:
    """Read the training data of an experiment on a user's own data, without faulty rows."""
    paths = dict(dataset.train)
    whole = read_splits(paths, DataSettings(), seed=1, notation=notation, strict=False)
    if "dev" in paths:
        return whole
    # Runs hold out their own share of train.
    merged = sorted((*whole.train, *whole.dev), key=lambda example: example.line)
    return replace(whole, train=merged, dev=[])
