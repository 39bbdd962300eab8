"""Options shared by several commands. Choices come from the registries."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from amparser.benchmarks.registry import BENCHMARKS
from amparser.decode.decoders import DECODERS
from amparser.learn.system_registry import SYSTEMS


class Device(StrEnum):
    """Devices of the network."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


def choices(names: Iterable[str]) -> str:
    """Join names for help texts.

    >>> choices(["a", "b"])
    'a, b'
    """
    return ", ".join(names)


def parts(text: str) -> list[str]:
    """Split a list at its commas.

    >>> parts("astar, fixed-tree")
    ['astar', 'fixed-tree']
    """
    return [part.strip() for part in text.split(",") if part.strip()]


def beside(path: Path, data: Path) -> str:
    """Return a path relative to a data folder, or to the folder of a data file."""
    return os.path.relpath(path, data if data.is_dir() else data.parent)


def schema_override(schema: Path | None, data: Path) -> list[str]:
    """Return the override of `data.schema`, if there is a schema."""
    return [] if schema is None else [f"data.schema={json.dumps(beside(schema, data))}"]


READ, PRINTED = "Sentences", "Answers"
"""Groups of options in `--help`."""

ModelOption = Annotated[
    Path | None,
    typer.Option(
        "--model",
        "-m",
        metavar="DIR",
        help="Model folder, packaged model, or USER/NAME@REVISION on the hub (default: the model "
        "marked by `amparser models`).",
    ),
]
DataOption = Annotated[
    Path, typer.Option("--data", metavar="FILE", help="Corpus file with gold examples.")
]
DecoderOption = Annotated[
    str | None,
    typer.Option(
        "--decoder",
        "-d",
        metavar="NAME",
        help=f"Decoder: {choices(DECODERS)} for the parser, greedy or beam-N for "
        "sequence-to-sequence systems (default: the model's).",
    ),
]
NotationOption = Annotated[
    str | None,
    typer.Option(
        "--notation",
        metavar="NAME",
        help="Notation of meanings, such as penman, json or term (default: the model's; "
        "`amparser convert --help` lists all).",
    ),
]
OwnNotationOption = Annotated[
    str | None,
    typer.Option(
        "--notation",
        metavar="NAME",
        help="Notation of meanings, such as penman, json or term (default: recognised from the "
        "data, or the benchmark's; `amparser convert --help` lists all).",
    ),
]
BestOption = Annotated[
    int,
    typer.Option(
        "--k-best",
        min=1,
        metavar="N",
        help="Print the N best meanings of each sentence with their log probabilities.",
        rich_help_panel=PRINTED,
    ),
]
ConfidenceOption = Annotated[
    float,
    typer.Option(
        "--min-confidence",
        min=0.0,
        max=1.0,
        metavar="P",
        help="Withhold answers whose confidence is below P.",
        rich_help_panel=PRINTED,
    ),
]
UnknownOption = Annotated[
    bool,
    typer.Option(
        "--allow-unknown",
        help="Also answer sentences without a known word or in another language.",
        rich_help_panel=PRINTED,
    ),
]
LogOption = Annotated[
    Path | None,
    typer.Option(
        "--log",
        metavar="FILE",
        help="Append sentences with refused or doubtful answers to this file, for `amparser ask`.",
    ),
]
DeviceOption = Annotated[Device, typer.Option("--device", help="Device of the network.")]
JobsOption = Annotated[
    int,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        metavar="N",
        help="Parallel processes, each with one thread; more than cores do not help.",
    ),
]
LimitOption = Annotated[
    int | None, typer.Option("--limit", "-l", min=1, metavar="N", help="Only the first N rows.")
]
CountOption = Annotated[
    int | None,
    typer.Option("--count", "-n", min=1, metavar="N", help="Number of train rows."),
]
SettingsOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Override a setting; repeatable."),
]
SchemaOption = Annotated[
    Path | None,
    typer.Option(
        "--schema",
        metavar="FILE",
        help="JSON Schema of meanings in JSON: rows that contradict it are faults, and answers "
        "may have its keys and values.",
    ),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", metavar="FILE.toml", help="Settings (default: see docs)."),
]
SystemOption = Annotated[
    str | None,
    typer.Option(
        "--system",
        metavar="NAME",
        help=f"System to train: {choices(SYSTEMS)} (default: as in the settings).",
    ),
]
BenchmarkOption = Annotated[
    str | None, typer.Option("--benchmark", metavar="NAME", help=f"One of {choices(BENCHMARKS)}.")
]
VariantOption = Annotated[
    str | None,
    typer.Option(
        "--variant",
        metavar="NAME",
        help="Variant of the benchmark's corpus, such as comp_one.",
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Random seed.")]
MetricsOption = Annotated[
    str | None, typer.Option("--metrics", metavar="A,B", help="Metrics (default: the notation's).")
]
UnorderedOption = Annotated[
    str,
    typer.Option(
        "--unordered",
        metavar="F,G",
        help="Functions whose arguments have no order, in addition to those that train or gold "
        "has in both orders.",
    ),
]
HtmlOption = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE.html",
        help="HTML page with the figures and the trees of wrong answers.",
    ),
]
