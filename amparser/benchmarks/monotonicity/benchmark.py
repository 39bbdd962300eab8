"""Monotonicity inference (Yanaka et al. 2020): does a hypothesis follow from a premise?

A pair classifier labels pairs. The parser reads both sentences, and natural logic compares their
forms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amparser.evaluation.benchmark import Benchmark

if TYPE_CHECKING:
    from amparser.corpora.example import Example
    from amparser.experiments.dataset import DataSet
    from amparser.learn.system import Model
    from amparser.results import Result


CLASSIFIERS = ("pair-lstm", "pair-treelstm", "pair-bert")
"""The systems that label pairs themselves."""


def _tags(example: Example) -> tuple[str, ...]:
    from amparser.benchmarks.monotonicity.pairs import tags_of

    return tags_of(example)


def _read(path: Path, limit: int | None = None) -> list[Example]:
    """Pairs if the first row has four columns; else training data of the parser."""
    from amparser.benchmarks.monotonicity.pairs import example_of, holds_pairs, read_pairs
    from amparser.corpora import reading

    if holds_pairs(path):
        return [*map(example_of, read_pairs(path, limit))]
    return reading.read_examples(path, limit=limit)


def _answers(
    model: Model, examples: Sequence[Example], decoders: Sequence[str]
) -> Mapping[str, list[Result]]:
    from amparser.benchmarks.monotonicity.inference import model_labels

    return model_labels(model, examples, decoders)


def _generate(output: Path, **options: Any) -> dict[str, Any]:
    from amparser.benchmarks.monotonicity.corpus import generate

    return generate(output, **options)


def _generated(variant: str | None = None, **options: Any) -> Path:
    from amparser.benchmarks.monotonicity.corpus import generated_sentences

    return generated_sentences(variant, **options)


def _datasets(folder: Path, system: str) -> list[DataSet]:
    from amparser.benchmarks.monotonicity.corpus import datasets

    return datasets(folder, system)


MONOTONICITY = Benchmark(
    name="monotonicity",
    examples=("Few small dogs ran.", "No cat that every dog chased escaped."),
    about="premises and hypotheses with quantifiers, such as few dogs ran (Yanaka et al. 2020)",
    notations=("quantified",),
    systems=("amparser", *CLASSIFIERS),
    measure="label",
    read=_read,
    tags=_tags,
    answers=_answers,
    generate=_generate,
    generated=_generated,
    datasets=_datasets,
    tables={"inference": "amparser.benchmarks.tables:inference_table"},
)
