"""`amparser evaluate`: figures by tag as a table and as JSON, and a page of wrong answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from amparser.cli import options
from amparser.cli.options import option
from amparser.cli.outputs import written_if
from amparser.cli.tables import parts_table, plain_console, rows_of, share_of_all_rows, table_of
from amparser.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from amparser.evaluation.answers import Answers
    from amparser.evaluation.evaluate import Evaluation


def evaluate(
    data: options.DataOption,
    model: options.ModelOption = None,
    predictions: Annotated[Path | None, option("--predictions FILE")] = None,
    decoder: options.DecoderOption = None,
    output: Annotated[Path | None, option("--output -o FILE.json")] = None,
    html: options.HtmlOption = None,
    limit: options.LimitOption = None,
    notation: options.NotationOption = None,
    metrics: options.MetricsOption = None,
    benchmark: options.BenchmarkOption = None,
    unordered: options.UnorderedOption = "",
    device: options.DeviceOption = options.Device.AUTO,
    jobs: options.JobsOption = 1,
) -> None:
    """Evaluate the answers of a model, or of another program, on a gold file.

    Malformed rows of the gold file are listed and left out; with --predictions, they are errors.

    Args:
        predictions: Evaluate these answers (one per line, or a corpus file) instead of a model.
        output: JSON file with the figures.
    """
    from amparser import api
    from amparser.files import checksum
    from amparser.learn.report import left_out
    from amparser.learn.settings import to_dict
    from amparser.provenance import program

    chosen = None if metrics is None else options.parts(metrics)
    sets = options.parts(unordered)
    loaded = None
    about: dict[str, object]
    with written_if(output) as output_file, written_if(html) as html_file:
        if predictions is not None:
            for option, value in (("--model", model), ("--decoder", decoder)):
                if value is not None:
                    raise InputError(f"give --predictions or {option}, not both")
            evaluation = api.score(
                predictions,
                data,
                notation=notation,
                metrics=chosen,
                benchmark=benchmark,
                unordered=sets,
                limit=limit,
            )
            about = {
                "predictions": str(predictions),
                "predictions_sha256": checksum(predictions),
                "notation": "" if evaluation.notation is None else evaluation.notation.name,
            }
        else:
            from amparser.cli.terminal import moving_bar

            loaded = api.load(model, device=device.value, notation=notation)
            with moving_bar("answering") as moved:
                evaluation = api.evaluate(
                    loaded,
                    data,
                    metrics=chosen,
                    decoders=() if decoder is None else (decoder,),
                    benchmark=benchmark,
                    unordered=sets,
                    limit=limit,
                    on_progress=lambda done, total: moved(completed=done, total=total),
                    processes=jobs,
                )
            about = {
                "model": str(model or "bundled"),
                "system": loaded.system,
                "notation": loaded.notation,
                "seed": loaded.settings.train.seed,
                "settings": to_dict(loaded.settings),
                "training_data": dict(loaded.data),
            }
        for line in left_out(evaluation.faults, data.name):
            print(line, file=sys.stderr)
        [(name, answers)] = evaluation.answers.items()
        if output_file is not None:
            known = {"data": str(data), "data_sha256": checksum(data), **program()}
            figures = {**evaluation.to_json(), **about, **known}
            output_file.write(json.dumps(figures, ensure_ascii=False, indent=2) + "\n")
        if html_file is not None:
            from amparser.evaluation.page import errors_page

            has_trees = getattr(loaded, "has_trees", False)
            tree_of = getattr(loaded, "tree_of", None) if has_trees else None
            title = f"{data.name}, {name}"
            html_file.write(errors_page(evaluation, name, tree_of, title=title))
    console = plain_console()
    for table in _tables(console.width, evaluation, name):
        console.print(table)
    if shares := share_of_all_rows(evaluation, name):
        console.print(shares, soft_wrap=True)
    if parts := evaluation.weakest_parts(name):
        console.print(parts_table(parts))
    for metric, reason in evaluation.unmeasured.items():
        console.print(f"{metric} is not measured: {reason}", soft_wrap=True)
    console.print(_speed(answers), soft_wrap=True)


def _tables(width: int, evaluation: Evaluation, decoder: str) -> list[Table]:
    from rich.console import Console

    from amparser.evaluation.metric_registry import METRICS

    title = f"figures in %, {decoder}"
    table = _table(title, evaluation, decoder, evaluation.measures)
    if Console(width=10_000).measure(table).maximum <= width:
        return [table]
    return [
        _table(f"{metric}: {title}", evaluation, decoder, METRICS[metric].measures)
        for metric in evaluation.metrics
    ]


def _table(title: str, evaluation: Evaluation, decoder: str, measures: Sequence[str]) -> Table:
    sums = evaluation.table(decoder)[""]
    counted = [m for m in measures if m in sums]
    # Spaces in a column header allow the table to break it into lines.
    headers = [measure.replace("_", " ") for measure in counted]
    rows = rows_of(evaluation, [(decoder, measure) for measure in counted])
    return table_of(title, ("tag", "count", *headers), rows)


def _speed(answers: Answers) -> str:
    failures = f"{answers.failure_count} without an answer"
    if not answers.seconds:
        return failures
    steps = ", ".join(f"{step} {answers.milliseconds(step):.2f}" for step in answers.seconds)
    speed = f"{answers.sentences_per_second:.0f} sentences/s ({steps} ms per sentence)"
    return f"{speed}, {failures}"
