"""`amparser train`: from a folder of data files to a model folder."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amparser.benchmarks.registry import BENCHMARKS
from amparser.cli.options import (
    Device,
    NotationOption,
    SettingsOption,
    SystemOption,
    VariantOption,
    choices,
)
from amparser.errors import InputError

if TYPE_CHECKING:
    from amparser.learn.report import TrainingReport

_SHOWN_FAILURES = 5


def train(
    benchmark: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help=f"Benchmark to start from: {choices(BENCHMARKS)}."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="Folder with train and dev, or a file (default: what the benchmark generates).",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="DIR", help="Model folder (default: runs/NAME[-SYSTEM])."
        ),
    ] = None,
    system: SystemOption = None,
    notation: NotationOption = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config", "-c", metavar="FILE.toml", help="Settings (default: the benchmark's)."
        ),
    ] = None,
    settings: SettingsOption = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Random seed.")] = None,
    device: Annotated[
        Device | None, typer.Option("--device", help="Where the network computes.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in the output folder.")
    ] = False,
    variant: VariantOption = None,
) -> None:
    """Train a parser (induce the lexicon, then train the network), or another system."""
    from amparser import api
    from amparser.cli.terminal import training_bar

    if benchmark is not None:
        BENCHMARKS.check(benchmark)
    overrides = list(settings or [])
    overrides += [] if seed is None else [f"train.seed={seed}"]
    overrides += [] if device is None else [f"train.device={device.value}"]
    # Check settings before data is generated.
    api.choose_settings(system, config, benchmark=benchmark, overrides=overrides)
    data = generated_or_given(benchmark, data, variant)
    if output is None:
        output = Path("runs") / "-".join(filter(None, (benchmark or data.stem, system)))
    started = time.perf_counter()
    with training_bar() as on_progress:
        model = api.train(
            data,
            output,
            benchmark=benchmark,
            system=system,
            settings=config,
            overrides=overrides,
            notation=notation,
            resume=resume,
            on_progress=on_progress,
            on_report=_print_report,
        )
    epochs = model.metrics["epochs"]
    best = epochs[model.metrics["best_epoch"] - 1]
    accuracy = best.get("dev_accuracy")
    dev = "" if accuracy is None else f"dev exact match {100 * accuracy:.2f} % (greedy), "
    print(
        f"{output}: {model.system}, {dev}loss {best['loss']:.4f}, "
        f"epoch {model.metrics['best_epoch']} of {len(epochs)}, "
        f"{(time.perf_counter() - started) / 60:.1f} minutes"
    )


def generated_or_given(benchmark: str | None, data: Path | None, variant: str | None) -> Path:
    """The folder of training data; generated if none is named."""
    if data is not None:
        if variant is not None:
            raise InputError("give --data or --variant, not both")
        return data
    if benchmark is None:
        raise InputError("nothing to learn from: name a benchmark, or --data DIR")
    generated = BENCHMARKS[benchmark].generated
    if generated is None:
        raise InputError(f"{benchmark} generates no corpus: name one with --data DIR")
    from amparser.cli.terminal import counting_bar

    with counting_bar("generating") as advance:
        return generated(
            variant,
            notice=lambda line: print(line, file=sys.stderr),
            on_progress=advance,
        )


def _print_report(report: TrainingReport) -> None:
    """Print on stderr the amount of training data, and list the examples that are left out."""
    parts = [f"{report.train_count} examples to learn from, {report.dev_count} of dev to watch"]
    if report.supertag_count:
        markers = ", ".join(report.markers) or "none"
        parts.append(
            f"markers {markers}; {report.supertag_count} supertags, "
            f"{report.edge_label_count} edge labels"
        )
    if report.piece_count:
        parts.append(f"{report.piece_count} pieces, {report.sort_count} sorts")
    if report.cuts:
        count = f"{report.cut_count} edges left out of {len(report.cuts)} examples of train:"
        parts += [count, *_first(report.cuts)]
    for name, failures in (("train", report.failures), ("dev", report.dev_failures)):
        if failures:
            parts.append(f"{len(failures)} examples of {name} without a tree:")
            parts += _first(failures)
    for part in parts:
        print(part, file=sys.stderr)


def _first(lines: Sequence[str]) -> list[str]:
    """The first of several lines, and how many more there are."""
    more = len(lines) - _SHOWN_FAILURES
    return [
        *(f"  {line}" for line in lines[:_SHOWN_FAILURES]),
        *([f"  and {more} more"] if more > 0 else []),
    ]
