"""`amparser lexicon`: what was induced, and what the induction minimised."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table

from amparser.algebra.types import type_to_str
from amparser.corpora.examples import split_files
from amparser.errors import CorpusError, InputError, located
from amparser.induction.induce import Frame, SourceInventory
from amparser.learn.config import LexiconSettings
from amparser.learn.preparation import analysed_file
from amparser.lexicon.lexicon import Lexicon
from amparser.nn.settings import SupertagSettings
from amparser.parser import Parser


def lexicon(
    *, model: Path | None = None, data: Path | None = None
) -> tuple[SourceInventory, Lexicon]:
    """Print the search for markers, the frames and the supertags; returns what was printed.

    Args:
        model: the model folder that keeps them; the one in the package by default.
        data: a folder with a train split to induce them from, instead.

    Raises:
        InputError: both are given.
        CorpusError, ModelError: one of them cannot be read.
    """
    if data is None:
        parser = Parser.load(model, "cpu")
        inventory, table = parser.inventory, parser.lexicon
    else:
        if model is not None:
            raise InputError("give --model or --data, not both")
        files = split_files(data)
        if "train" not in files:
            raise CorpusError(located("expected train.tsv or train.tsv.gz", path=data))
        analysis = analysed_file(files["train"]).analysis
        inventory = analysis.inventory
        table = Lexicon.from_trees(
            [tree for tree in analysis.trees if tree is not None],
            polymorphic=LexiconSettings().polymorphic,
            composed=SupertagSettings().composed,
        )
    console = Console(markup=False, highlight=False)
    console.print(_objective(inventory))
    console.print(_frames(inventory))
    console.print(_supertags(table))
    console.print(_operations(table))
    console.print(_orders(table))
    return inventory, table


def _objective(inventory: SourceInventory) -> Table:
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
    table = Table(title="frames: the source of each role")
    table.add_column("frame")
    table.add_column("occurrences", justify="right")
    table.add_column("lemmas", justify="right")
    totals: Counter[Frame] = Counter()
    owners: Counter[Frame] = Counter()
    for (_, frame), count in inventory.frames.items():
        totals[frame] += count
        owners[frame] += 1
    for frame, count in sorted(totals.items(), key=lambda item: (-item[1], item[0])):
        roles = ", ".join(f"{role}{n + 1 if n else ''} {source}" for (role, n), source in frame)
        table.add_row(roles or "(no roles)", f"{count:,}", f"{owners[frame]:,}")
    return table


def _supertags(lexicon: Lexicon) -> Table:
    table = Table(
        title="supertags, the commonest first",
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
    table = Table(title="edge labels on the same side of a head")
    for column in ("side", "nearer", "farther"):
        table.add_column(column)
    table.add_column("seen", justify="right")
    names = lexicon.operations
    for (side, near, far), count in sorted(lexicon.observed.orders.items()):
        table.add_row(("left", "right")[side], names[near], names[far], f"{count:,}")
    return table
