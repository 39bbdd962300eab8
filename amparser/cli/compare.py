"""`amparser compare`: the effect of the decoder, with everything else equal."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amparser.cli.evaluate import percent
from amparser.cli.options import (
    BenchmarkOption,
    Device,
    DeviceOption,
    HtmlOption,
    LimitOption,
    ModelOption,
    parts,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from amparser.evaluation.evaluate import Evaluation

MEASURES = ("exact", "graph")
"""What is shown: the first that is measured. Graphs and trees have no exact match."""


def compare(
    data: Annotated[
        Path, typer.Option("--data", metavar="FILE", help="Gold examples: a corpus file.")
    ],
    model: ModelOption = None,
    decoders: Annotated[
        str,
        typer.Option(
            "--decoders", metavar="A,B", help="Decoders to compare (default: the model's)."
        ),
    ] = "",
    html: HtmlOption = None,
    limit: LimitOption = None,
    benchmark: BenchmarkOption = None,
    device: DeviceOption = Device.AUTO,
) -> None:
    """Compare several decoders on a gold file.

    Below the table are the sentences that only one of two decoders gets right.
    """
    from rich.console import Console

    from amparser import api
    from amparser.files import replacing

    with ExitStack() as stack:
        html_file = None if html is None else stack.enter_context(replacing(html))
        loaded = api.load(model, device=device.value)
        names = list(dict.fromkeys(parts(decoders) or loaded.decoders))
        evaluation = api.evaluate(loaded, data, decoders=names, limit=limit, benchmark=benchmark)
        rows = [row for answers in evaluation.answers.values() for row in answers.counts]
        counted = {measure for row in rows for measure in row}
        measure = next((m for m in MEASURES if m in counted), MEASURES[0])
        if html_file is not None:
            from amparser.evaluation.page import flips_page

            title = f"{data.name}: {', '.join(names)}"
            html_file.write(flips_page(evaluation, measure, title=title))
    console = Console(markup=False, highlight=False)
    console.print(_table(evaluation, measure))
    for left, right in combinations(names, 2):
        _print_flips(console, evaluation, left, right, measure)


def _table(evaluation: Evaluation, measure: str) -> Table:
    from rich.table import Table

    from amparser.evaluation.evaluate import OVERALL

    drawn = Table(title=f"{measure} match in %")
    drawn.add_column("tag", overflow="fold")
    drawn.add_column("count", justify="right", no_wrap=True)
    tables = {name: evaluation.table(name) for name in evaluation.answers}
    for name in tables:
        drawn.add_column(name, justify="right", no_wrap=True)
    counts = evaluation.counts_of_examples()
    for tag in next(iter(tables.values())):
        if tag != OVERALL:
            cells = (percent(table[tag].get(measure)) for table in tables.values())
            drawn.add_row(tag or "-", str(counts[tag]), *cells)
    drawn.add_section()
    sums = [table[OVERALL] for table in tables.values()]
    drawn.add_row(
        "overall", str(counts[OVERALL]), *(percent(s.get(measure)) for s in sums), style="bold"
    )
    drawn.add_row("graph match", "", *(percent(s.get("graph")) for s in sums))
    drawn.add_section()
    columns = list(evaluation.answers.values())
    size = max(len(evaluation.examples), 1)
    rows = {"no parse": [f"{100 * a.failure_count / size:.1f}" for a in columns]}
    if any(a.tree_count for a in columns):
        crossing = [a.share_of_trees(projective=False) for a in columns]
        rows["non-projective trees"] = [f"{100 * share:.1f}" for share in crossing]
        rows["well-typed trees"] = [f"{100 * a.share_of_trees():.1f}" for a in columns]
    for step in dict.fromkeys(step for a in columns for step in a.seconds):
        rows[f"{step}, ms a sentence"] = [
            f"{a.milliseconds(step):.2f}" if step in a.seconds else "" for a in columns
        ]
    for label, figures in rows.items():
        drawn.add_row(label, "", *figures)
    return drawn


def _print_flips(
    console: Console, evaluation: Evaluation, left: str, right: str, measure: str
) -> None:
    """List the sentences that one of two decoders gets right and the other does not."""
    from amparser.evaluation.evaluate import flips

    only_left, only_right = flips(evaluation, left, right, measure)
    for winner, loser, examples in ((left, right, only_left), (right, left, only_right)):
        console.print(f"\nright with {winner}, wrong with {loser}: {len(examples)}")
        for example in examples:
            tags = " ".join(example.tags)
            console.print(f"  line {example.line}  {tags}  {example.sentence}", soft_wrap=True)
