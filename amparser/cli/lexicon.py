"""`amparser lexicon`: what was induced, and the objective of the induction."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amparser.cli.options import ModelOption, OwnNotationOption
from amparser.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from amparser.induction.induce import SourceInventory
    from amparser.lexicon.lexicon import Lexicon
    from amparser.pieces.tables import InventoryTable

_NUMBER = re.compile(r"[0-9.,]*")


def lexicon(
    model: ModelOption = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="DIR", help="Induce from this folder's train split instead."
        ),
    ] = None,
    notation: OwnNotationOption = None,
) -> None:
    """Print what was induced.

    A parser shows the objective of the induction, and the induced sources and supertags. A parser
    over pieces shows these, their sorts, lexical labels, and what was joined and cut.
    """
    from rich.console import Console

    if data is None:
        from amparser.api import load
        from amparser.parser import Parser

        loaded = load(model, device="cpu")
        if hasattr(loaded, "inventory_tables"):
            _print_tables(loaded.inventory_tables())
            return
        if not isinstance(loaded, Parser):
            raise InputError(f"a {loaded.system} has no lexicon: name the model of a parser")
        inventory, table = loaded.inventory, loaded.lexicon
    else:
        if model is not None:
            raise InputError("give --model or --data, not both")
        from amparser.api import induce

        inventory, table = induce(data, notation=notation)
    console = Console(markup=False, highlight=False)
    for shown in (_objective(inventory), _frames(inventory), _supertags(table), _operations(table)):
        console.print(shown)
    console.print(_orders(table))


def _print_tables(tables: Sequence[InventoryTable]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(markup=False, highlight=False)
    for table in tables:
        drawn = Table(title=table.title)
        for i, column in enumerate(table.columns):
            numbers = all(_NUMBER.fullmatch(row[i]) for row in table.rows)
            drawn.add_column(
                column, justify="right" if numbers else "left", overflow="fold", no_wrap=numbers
            )
        for row in table.rows:
            drawn.add_row(*row)
        console.print(drawn)


def _objective(inventory: SourceInventory) -> Table:
    from rich.table import Table

    table = Table(
        title="markers tried, each round's best kept",
        caption="bits(roles | lemma, sources) + bits(frames, owners) + bits(markers)",
    )
    table.add_column("markers")
    for column in ("bits", "frames", "sources"):
        table.add_column(column, justify="right")
    table.add_column("")
    for step in inventory.steps:
        table.add_row(
            ", ".join(step.markers) or "none",
            f"{step.bits:,.0f}",
            str(step.frame_count),
            str(step.source_count),
            "kept" if step.accepted else "",
            style="bold" if step.accepted else None,
        )
    return table


def _frames(inventory: SourceInventory) -> Table:
    from rich.table import Table

    table = Table(title="frames: the source of each role")
    table.add_column("frame")
    table.add_column("occurrences", justify="right")
    table.add_column("lemmas", justify="right")
    totals: Counter[Any] = Counter()
    owners: Counter[Any] = Counter()
    for (_, frame), count in inventory.frames.items():
        totals[frame] += count
        owners[frame] += 1
    for frame, count in sorted(totals.items(), key=lambda item: (-item[1], item[0])):
        roles = ", ".join(f"{role}{n + 1 if n else ''} {source}" for (role, n), source in frame)
        table.add_row(roles or "(no roles)", f"{count:,}", f"{owners[frame]:,}")
    return table


def _supertags(lexicon: Lexicon) -> Table:
    from rich.table import Table

    from amparser.algebra.types import type_to_str

    table = Table(
        title="supertags, most frequent first",
        caption="those seen 0 times are built from parts of others",
    )
    table.add_column("", justify="right")
    for column in ("supertag", "type", "lexical label"):
        table.add_column(column, overflow="fold")
    table.add_column("seen", justify="right", no_wrap=True)
    for k, (supertag, template) in enumerate(
        zip(lexicon.supertags, lexicon.templates, strict=True)
    ):
        if supertag is not None:
            row = (supertag.penman, type_to_str(supertag.lexical_type), template or "")
            seen = sum(lexicon.observed.places.get(k, {}).values())
            table.add_row(str(k), *row, f"{seen:,}")
    return table


def _operations(lexicon: Lexicon) -> Table:
    from rich.table import Table

    table = Table(title="edge labels, by the side of the dependent")
    table.add_column("edge label")
    table.add_column("left of its head", justify="right")
    table.add_column("right of it", justify="right")
    counts: dict[int, Counter[str]] = {}
    for (o, _), (left, right) in lexicon.observed.sides.items():
        counts.setdefault(o, Counter()).update(left=left, right=right)
    for o, operation in enumerate(lexicon.operations):
        if o in counts:
            table.add_row(operation, f"{counts[o]['left']:,}", f"{counts[o]['right']:,}")
    return table


def _orders(lexicon: Lexicon) -> Table:
    from rich.table import Table

    table = Table(title="edge labels on the same side of a head")
    for column in ("side", "nearer", "farther"):
        table.add_column(column)
    table.add_column("seen", justify="right")
    names = lexicon.operations
    for (side, near, far), count in sorted(lexicon.observed.orders.items()):
        table.add_row(("left", "right")[side], names[near], names[far], f"{count:,}")
    return table
