"""`amparser compare`: compare decoders of one model on the same data."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Annotated

from amparser.cli import options
from amparser.cli.options import option
from amparser.cli.tables import LINE, Row, plain_console, rows_of, table_of

if TYPE_CHECKING:
    from amparser.evaluation.evaluate import Evaluation

MEASURES = ("exact", "graph")
"""Measures in order of preference; answers that are graphs have no exact match."""


def compare(
    data: options.DataOption,
    model: options.ModelOption = None,
    decoders: Annotated[str, option("--decoders A,B")] = "",
    limit: options.LimitOption = None,
    benchmark: options.BenchmarkOption = None,
    device: options.DeviceOption = options.Device.AUTO,
) -> None:
    """Compare several decoders on a gold file.

    After the table, the sentences that only one of two decoders gets right are listed.

    Args:
        decoders: Decoders to compare (default: all that the model has).
    """
    from amparser import api
    from amparser.evaluation.evaluate import flips

    loaded = api.load(model, device=device.value)
    names = list(dict.fromkeys(options.parts(decoders) or loaded.decoders))
    evaluation = api.evaluate(loaded, data, decoders=names, limit=limit, benchmark=benchmark)
    rows = [row for answers in evaluation.answers.values() for row in answers.counts]
    counted = {measure for row in rows for measure in row}
    measure = next((m for m in MEASURES if m in counted), MEASURES[0])
    console = plain_console()
    columns = ("tag", "count", *evaluation.answers)
    console.print(table_of(f"{measure} match in %", columns, _rows(evaluation, measure)))
    for left, right in combinations(names, 2):
        only_left, only_right = flips(evaluation, left, right, measure)
        for winner, loser, examples in ((left, right, only_left), (right, left, only_right)):
            console.print(f"\nright with {winner}, wrong with {loser}: {len(examples)}")
            for example in examples:
                tags = " ".join(example.tags)
                console.print(f"  line {example.line}  {tags}  {example.sentence}", soft_wrap=True)


def _rows(evaluation: Evaluation, measure: str) -> Iterator[Row]:
    names = list(evaluation.answers)
    yield from rows_of(evaluation, [(name, measure) for name in names])
    *_, (_, _, graphs) = evaluation.rows([(name, "graph") for name in names])
    yield ("graph match", "", *graphs)
    yield LINE
    answers = list(evaluation.answers.values())
    size = max(len(evaluation.examples), 1)
    yield ("no parse", "", *(f"{100 * answer.failure_count / size:.1f}" for answer in answers))
    shares = [answer.shares_of_trees() for answer in answers]
    for name in dict.fromkeys(name for of_one in shares for name in of_one):
        percents = (f"{100 * of_one.get(name, 0.0):.1f}" for of_one in shares)
        yield (f"{name.replace('_', '-')} trees", "", *percents)
    for step in dict.fromkeys(step for answer in answers for step in answer.seconds):
        times = (
            f"{answer.milliseconds(step):.2f}" if step in answer.seconds else ""
            for answer in answers
        )
        yield (f"{step}, ms per sentence", "", *times)
