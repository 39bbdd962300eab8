"""Recorded experiments, as `amparser experiment` writes them to `training/results/`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from amparser.errors import InputError
from amparser.resources import package_data

Record = Mapping[str, Any]

_KEYS = {"name": str, "about": str, "benchmark": str, "fractions": dict, "runs": list}


def folder_of_records(folder: Path | None) -> Path:
    """The one that is named, else `training/results` here, else that of the package."""
    here = Path("training/results")
    if folder is not None or here.is_dir():
        return folder or here
    return package_data("training/results")


def record_of(name: str, folder: Path) -> Record:
    """A recorded experiment; raises InputError where there is none.

    Args:
        name: such as `slog-default`, or `slog-default:astar` with that decoder alone.
        folder: where it lies.
    """
    name, colon, decoder = name.partition(":")
    path = folder / f"{name}.json"
    try:
        record: Record = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot read the results: {error.strerror}") from None
    except ValueError:
        raise InputError(f"{path}: not JSON") from None
    if not isinstance(record, dict) or any(
        not isinstance(record.get(k), t) for k, t in _KEYS.items()
    ):
        expected = ", ".join(_KEYS)
        raise InputError(f"{path}: not the results of an experiment, expected {expected}")
    return _of_decoder(record, decoder, path) if colon else record


def _of_decoder(record: Record, decoder: str, path: Path) -> Record:
    """A record with what one decoder answered alone."""

    def alone(splits: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        for by_decoder in splits.values():
            if decoder not in by_decoder:
                raise InputError(f"{path}: no decoder {decoder}, it has {', '.join(by_decoder)}")
        return {split: {decoder: by_decoder[decoder]} for split, by_decoder in splits.items()}

    fractions = {fraction: alone(splits) for fraction, splits in record["fractions"].items()}
    kept = ("counts", "malformed")
    runs = [
        {key: alone(value) if key in kept else value for key, value in run.items()}
        for run in record["runs"]
    ]
    return {**record, "fractions": fractions, "runs": runs}


def short_name(record: Record) -> str:
    """A record's name without its benchmark; that of a paper's without `published`."""
    name = str(record["name"]).removeprefix(f"{record['benchmark']}-")
    return name.removesuffix("-published") if is_published(record) else name


def of_all(record: Record) -> Mapping[str, Any]:
    """The figures for the largest share of train, by split, decoder and measure."""
    found: Mapping[str, Any] = record["fractions"][max(record["fractions"], key=float)]
    return found


def runs_of_all(record: Record) -> list[Mapping[str, Any]]:
    """The runs on the largest share of train; of published records there are none."""
    largest = max((run["fraction"] for run in record["runs"]), default=None)
    return [run for run in record["runs"] if run["fraction"] == largest]


def is_published(record: Record) -> bool:
    """Whether figures are those of a paper: no run of ours is behind them."""
    return not record["runs"]


def protocol_of(record: Record) -> tuple[str, str]:
    """Settings and training file of a record of monotonicity: `lstm`, `productivity-2`, say.

    A published one has no settings.
    """
    name = short_name(record)
    if is_published(record):
        return "", name
    aspect = record["data"]["aspect"]
    settings, _, part = name.rpartition(f"-{aspect}-")
    return settings, f"{aspect}-{part}"
