"""Experiments over the training files of an aspect: one record for each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from amparser.benchmarks.monotonicity.benchmark import MONOTONICITY
from amparser.benchmarks.monotonicity.corpus import PARSER, PairCorpus
from amparser.errors import InputError
from amparser.experiments.experiment import Experiment, about_of
from amparser.learn.systems import read_settings
from amparser.resources import package_data

OWN = "own-sentences"


def planned(
    corpus: PairCorpus,
    config: Path | None,
    *,
    system: str | None = None,
    settings: Sequence[str] = (),
    name: str | None = None,
    seeds: Sequence[int] = (1, 2, 3, 4, 5),
    own: bool = False,
    **options: Any,
) -> list[Experiment]:
    """The experiments of an aspect, one for each training file that has tests.

    Records are named by the settings' file, with `-own-sentences` if the parser learns from these.

    Raises:
        AMParserError: bad settings, aspect or system.
    """
    known = ", ".join(MONOTONICITY.systems)
    if system is not None and system not in MONOTONICITY.systems:
        raise InputError(f"no system {system!r} of monotonicity, expected one of {known}")
    if config is None:
        config = default_settings(system or PARSER)
    chosen, values = read_settings(config, settings, system=system)
    if chosen.name not in MONOTONICITY.systems:
        raise InputError(f"{config}: settings of {chosen.name}, expected those of {known}")
    name = name or (f"{config.stem}-{OWN}" if own else config.stem)
    return [
        Experiment(name, MONOTONICITY, chosen, values, dataset, about=about_of(config), seeds=seeds)
        for dataset in corpus.datasets(system=chosen.name, own=own, **options)
    ]


def default_settings(system: str) -> Path:
    """The file of settings of a system."""
    return package_data(
        "training/default.toml" if system == PARSER else f"training/monotonicity/{system}.toml"
    )
