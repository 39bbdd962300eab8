"""`amparser lexicon`: what was induced, and what the induction minimised."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table

from amparser.algebra.types import type_to_str
from amparser.amtree.induce import Frame, SourceInventory
from amparser.amtree.lexicon import Lexicon
from amparser.commands.preparation import analysed_file
from amparser.corpus import split_files
from amparser.errors import CorpusError, InputError, located
from amparser.learn.config import LexiconSettings
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
        )
    console = Console(markup=False, highlight=False)
    console.print(_objective(inventory))
    console.print(_frames(inventory))
    console.print(_supertags(table))
    console.print(f"edge labels: {', '.join(table.operations)}")
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
    table = Table(title="supertags, the commonest first")
    table.add_column("", justify="right")
    for column in ("supertag", "type", "lexical label"):
        table.add_column(column, overflow="fold")
    for k, (supertag, template) in enumerate(
        zip(lexicon.supertags, lexicon.templates, strict=True)
    ):
        if supertag is not None:
            row = (supertag.penman, type_to_str(supertag.lexical_type), template or "")
            table.add_row(str(k), *row)
    return table
