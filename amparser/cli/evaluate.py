"""`amparser evaluate`: figures by tag, as a table and as JSON, and the wrong answers."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amparser.cli.options import (
    BenchmarkOption,
    DecoderOption,
    Device,
    DeviceOption,
    HtmlOption,
    JobsOption,
    LimitOption,
    MetricsOption,
    ModelOption,
    NotationOption,
    parts,
)
from amparser.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

    from amparser.evaluation.answers import Answers, Keep
    from amparser.evaluation.benchmark import Benchmark
    from amparser.evaluation.evaluate import Evaluation
    from amparser.evaluation.metric import Count
    from amparser.learn.system import Model


def evaluate(
    data: Annotated[
        Path, typer.Option("--data", metavar="FILE", help="Gold examples: a corpus file.")
    ],
    model: ModelOption = None,
    predictions: Annotated[
        Path | None,
        typer.Option(
            "--predictions",
            metavar="FILE",
            help="Score these answers, one per line or a corpus file, instead of a model's.",
        ),
    ] = None,
    decoder: DecoderOption = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.json", help="Figures as JSON.")
    ] = None,
    errors: Annotated[
        Path | None,
        typer.Option(
            "--errors",
            metavar="FILE",
            help="Wrong answers: gold and predicted trees in AM-CoNLL, or lines.",
        ),
    ] = None,
    html: HtmlOption = None,
    limit: LimitOption = None,
    notation: NotationOption = None,
    metrics: MetricsOption = None,
    benchmark: BenchmarkOption = None,
    device: DeviceOption = Device.AUTO,
    jobs: JobsOption = 1,
) -> None:
    """Print how many answers to a gold file are right."""
    from rich.console import Console

    from amparser.files import checksum, replacing
    from amparser.provenance import program

    chosen = None if metrics is None else parts(metrics)
    with ExitStack() as stack:
        output_file = None if output is None else stack.enter_context(replacing(output))
        errors_file = None if errors is None else stack.enter_context(replacing(errors))
        html_file = None if html is None else stack.enter_context(replacing(html))
        if predictions is not None:
            for option, value in (("--model", model), ("--decoder", decoder)):
                if value is not None:
                    raise InputError(f"give --predictions or {option}, not both")
            evaluation, about = _scored(data, predictions, notation, chosen, benchmark, limit)
            loaded = None
        else:
            loaded, evaluation, about = _answered(
                data,
                (model, device.value, notation),
                chosen,
                () if decoder is None else (decoder,),
                benchmark,
                limit,
                keep="none" if errors_file is html_file is None else "wrong",
                check_trees=output_file is not None,
                jobs=jobs,
            )
        [(name, answers)] = evaluation.answers.items()
        if output_file is not None:
            known = {"data": str(data), "data_sha256": checksum(data), **program()}
            figures = {**evaluation.to_json(), **about, **known}
            output_file.write(json.dumps(figures, ensure_ascii=False, indent=2) + "\n")
        tree_of = getattr(loaded, "tree_of", None) if getattr(loaded, "has_trees", False) else None
        if errors_file is not None:
            from amparser.evaluation.errors import error_texts

            errors_file.writelines(error_texts(evaluation, name, tree_of))
        if html_file is not None:
            from amparser.evaluation.page import errors_page

            title = f"{data.name}, {name}"
            html_file.write(errors_page(evaluation, name, tree_of, title=title))
    console = Console(markup=False, highlight=False)
    for table in figures_tables(console, f"figures in %, {name}", evaluation, name):
        console.print(table)
    for metric, reason in evaluation.unmeasured.items():
        console.print(f"{metric} is not measured: {reason}", soft_wrap=True)
    console.print(_speed(answers), soft_wrap=True)


def _answered(
    data: Path,
    source: tuple[Path | None, str, str | None],
    metrics: Sequence[str] | None,
    decoders: Sequence[str],
    benchmark: str | None,
    limit: int | None,
    *,
    keep: Keep,
    check_trees: bool,
    jobs: int,
) -> tuple[Model, Evaluation, dict[str, object]]:
    from amparser import api
    from amparser.cli.terminal import counting_bar
    from amparser.learn.settings import to_dict

    folder, device, notation = source
    model = api.load(folder, device=device, notation=notation)
    with counting_bar("answering") as advance:
        done = [0]

        def moved(count: int, _: int) -> None:
            advance(count - done[0])
            done[0] = count

        evaluation = api.evaluate(
            model,
            data,
            metrics=metrics,
            decoders=decoders,
            benchmark=benchmark,
            limit=limit,
            on_progress=moved,
            keep=keep,
            check_trees=check_trees,
            processes=jobs,
        )
    about = {
        "model": str(folder or "bundled"),
        "system": model.system,
        "notation": model.notation,
        "seed": model.settings.train.seed,
        "settings": to_dict(model.settings),
        "training_data": dict(model.data),
    }
    return model, evaluation, about


def _scored(
    data: Path,
    predictions: Path,
    notation: str | None,
    metrics: Sequence[str] | None,
    benchmark: str | None,
    limit: int | None,
) -> tuple[Evaluation, dict[str, object]]:
    from amparser.benchmarks.registry import BENCHMARKS
    from amparser.evaluation.evaluate import score
    from amparser.evaluation.gold import read_gold, read_predictions
    from amparser.files import checksum
    from amparser.notations.registry import NOTATIONS

    chosen: Benchmark | None = None if benchmark is None else BENCHMARKS[benchmark]
    if notation is None and chosen is not None:
        notation = next(iter(chosen.notations), None)
    written = None if notation is None else NOTATIONS[notation]
    examples = read_gold(data, written, chosen, limit)
    results = read_predictions(predictions, examples)
    evaluation = score(examples, results, written, metrics=metrics, name=predictions.name)
    about: dict[str, object] = {
        "predictions": str(predictions),
        "predictions_sha256": checksum(predictions),
        "notation": notation or "",
    }
    return evaluation, about


def figures_tables(
    console: Console, title: str, evaluation: Evaluation, decoder: str
) -> list[Table]:
    """The figures of a decoder: one table, or one per metric if one is too wide."""
    from amparser.evaluation.metric_registry import METRICS

    figures = evaluation.table(decoder)
    table = figures_table(title, evaluation, figures, evaluation.measures)
    unlimited = console.options.update_width(10_000)
    if console.measure(table, options=unlimited).maximum <= console.width:
        return [table]
    return [
        figures_table(f"{metric}: {title}", evaluation, figures, METRICS[metric].measures)
        for metric in evaluation.metrics
    ]


def figures_table(
    title: str,
    evaluation: Evaluation,
    table: Mapping[str, Mapping[str, Count]],
    measures: Sequence[str],
) -> Table:
    """One row per tag, one column per measure, in percent."""
    from rich.table import Table

    from amparser.evaluation.evaluate import OVERALL

    counted = [m for m in measures if any(m in row for row in table.values())]
    shown = [m for m in counted if ":" not in m or table[OVERALL][m].numerator]
    counts = evaluation.counts_of_examples()
    drawn = Table(title=title)
    drawn.add_column("tag", overflow="fold")
    drawn.add_column("count", justify="right", no_wrap=True)
    for column in shown:
        # Spaces, so that headers break between words.
        header = column.replace("_", " ")
        drawn.add_column(header, justify="right", overflow="fold", min_width=len("100.0"))
    for tag, row in table.items():
        if tag != OVERALL:
            drawn.add_row(tag or "-", str(counts[tag]), *(percent(row.get(m)) for m in shown))
    drawn.add_section()
    cells = (percent(table[OVERALL].get(m)) for m in shown)
    drawn.add_row("overall", str(counts[OVERALL]), *cells, style="bold")
    return drawn


def percent(count: Count | None) -> str:
    """A share in percent with one digit after the point; empty if nothing was counted."""
    return "" if count is None or count.share is None else f"{100 * count.share:.1f}"


def _speed(answers: Answers) -> str:
    failures = f"{answers.failure_count} without an answer"
    if not answers.seconds:
        return failures
    steps = ", ".join(f"{step} {answers.milliseconds(step):.2f}" for step in answers.seconds)
    speed = f"{answers.sentences_per_second:.0f} sentences/s ({steps} ms a sentence)"
    return f"{speed}, {failures}"
