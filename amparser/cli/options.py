"""Options of the commands. This docstring has the help texts of options that commands share.

Args:
    model: Model folder, packaged model, or USER/NAME@REVISION on the hub (default: the model marked
        by `amparser models`).
    data: Corpus file with gold examples.
    decoder: Decoder: {decoders} for the parser, greedy or beam-N for sequence-to-sequence systems
        (default: the model's).
    notation: Notation of meanings, such as penman, json or term (default: the model's; `amparser
        convert --help` lists all).
    k_best: Print the N best meanings of each sentence with their log probabilities.
    min_confidence: Withhold answers whose confidence is below P.
    allow_unknown: Also answer sentences without a known word or in another language.
    log: Append sentences with refused or doubtful answers to this file, for `amparser ask`.
    device: Device of the network.
    jobs: Parallel processes, each with one thread; more processes than cores do not help.
    limit: Only the first N rows.
    count: Number of train rows.
    settings: Override a setting; repeatable.
    schema: JSON Schema of meanings in JSON: rows that contradict it are faults, and answers may
        use all of its keys and values.
    config: Settings file (default: see docs).
    system: System to train: {systems} (default: as in the settings).
    benchmark: One of {benchmarks}.
    variant: Variant of the benchmark's corpus, such as comp_one.
    seed: Random seed.
    metrics: Metrics (default: the notation's).
    tokenized: The sentences are tokenized: split at spaces only.
    unordered: Functions whose arguments have no order, in addition to functions whose arguments
        occur in both orders in train or gold.
    html: HTML page with the figures and the trees of wrong answers.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from amparser.benchmarks.registry import BENCHMARKS
from amparser.corpora.formats import FORMATS
from amparser.decode.decoders import DECODERS
from amparser.draw.formats import LISTINGS, PICTURES
from amparser.learn.system_registry import SYSTEMS
from amparser.notations.registry import NOTATIONS


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
    """Return a path relative to the data folder, or to the folder that contains the data file."""
    return os.path.relpath(path, data if data.is_dir() else data.parent)


def schema_override(schema: Path | None, data: Path) -> list[str]:
    """Return the settings override for `data.schema`; empty without a schema."""
    return [] if schema is None else [f"data.schema={json.dumps(beside(schema, data))}"]


NAMES = {
    "benchmarks": choices(BENCHMARKS),
    "decoders": choices(DECODERS),
    "formats": choices(FORMATS),
    "listings": choices(LISTINGS),
    "notations": choices(dict.fromkeys((*NOTATIONS, *(f for f in FORMATS if f != "tsv")))),
    "pictures": choices(PICTURES),
    "systems": choices(SYSTEMS),
}
"""Texts that replace the placeholders in help texts."""


def documented(docstring: str) -> tuple[str, dict[str, str]]:
    """Return the text of a docstring before `Args`, and the help text of each argument."""
    text, _, section = docstring.partition("\n\nArgs:\n")
    entries = re.findall(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", section, re.MULTILINE)
    return text, {name: " ".join(about.split()).format(**NAMES) for name, about in entries}


SHARED = documented(__doc__ or "")[1]
"""Help texts of shared options by name."""


def option(usage: str, panel: str | None = None, **details: Any) -> Any:
    """Declare an option.

    Args:
        usage: names and metavar of the option, such as `--model -m DIR`.
        panel: group of the option in `--help`.
        details: other arguments of `typer.Option`.
    """
    words = usage.split()
    names = [word for word in words if word.startswith("-")]
    metavar = words[-1] if len(names) < len(words) else None
    return typer.Option(*names, metavar=metavar, rich_help_panel=panel, **details)


READ, PRINTED = "Sentences", "Answers"
"""Names of groups of options in `--help`."""

# A Path would turn the folder `./NAME` into `NAME`, which may be the name of a packaged model.
ModelOption = Annotated[str | None, option("--model -m DIR")]
DataOption = Annotated[Path, option("--data FILE")]
DecoderOption = Annotated[str | None, option("--decoder -d NAME")]
NotationOption = Annotated[str | None, option("--notation NAME")]
OwnNotationOption = Annotated[
    str | None,
    option(
        "--notation NAME",
        help="Notation of meanings, such as penman, json or term (default: recognised from the "
        "data, or the benchmark's; `amparser convert --help` lists all).",
    ),
]
BestOption = Annotated[int, option("--k-best N", PRINTED, min=1)]
ConfidenceOption = Annotated[float, option("--min-confidence P", PRINTED, min=0.0, max=1.0)]
UnknownOption = Annotated[bool, option("--allow-unknown", PRINTED)]
LogOption = Annotated[Path | None, option("--log FILE")]
DeviceOption = Annotated[Device, option("--device")]
JobsOption = Annotated[int, option("--jobs -j N", min=1)]
LimitOption = Annotated[int | None, option("--limit -l N", min=1)]
CountOption = Annotated[int | None, option("--count -n N", min=1)]
SettingsOption = Annotated[list[str] | None, option("--set KEY=VALUE")]
SchemaOption = Annotated[Path | None, option("--schema FILE")]
ConfigOption = Annotated[Path | None, option("--config -c FILE.toml")]
SystemOption = Annotated[str | None, option("--system NAME")]
BenchmarkOption = Annotated[str | None, option("--benchmark NAME")]
VariantOption = Annotated[str | None, option("--variant NAME")]
SeedOption = Annotated[int, option("--seed", min=0)]
MetricsOption = Annotated[str | None, option("--metrics A,B")]
UnorderedOption = Annotated[str, option("--unordered F,G")]
HtmlOption = Annotated[Path | None, option("--html FILE.html")]
