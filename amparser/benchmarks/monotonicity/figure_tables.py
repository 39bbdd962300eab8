"""Figures of pairs as tables for a terminal, and the pairs that are not right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table

from amparser.benchmarks.monotonicity.figures import (
    BOTH,
    DEPTH,
    JOINT,
    QUANTIFIERS,
    LabelCounts,
    PairFigures,
)
from amparser.benchmarks.monotonicity.pairs import DOWN, UP, pair_of
from amparser.corpora.example import Example
from amparser.results import Result

_NO_ANSWER = "-"
_ALONE = "alone"


def accuracy_table(title: str, figures: PairFigures) -> Table:
    """One row per part of each division, without quantifiers."""
    table = Table(title=title)
    table.add_column("pairs", overflow="fold")
    for column in ("count", "accuracy", "no answer"):
        table.add_column(column, justify="right", no_wrap=True)
    directions = {UP: "upward", DOWN: "downward"}
    for name, group in figures.groups.items():
        # With a single depth, these rows equal those of directions.
        if name == QUANTIFIERS or (name == BOTH and len(figures.groups[DEPTH]) == 1):
            continue
        for key, counts in group.items():
            table.add_row(directions.get(key, key), *_cells(counts))
        table.add_section()
    table.add_row("overall", *_cells(figures.overall), style="bold")
    return table


def quantifier_table(figures: PairFigures) -> Table:
    """One row per outermost quantifier, one column per innermost one."""
    group = figures.groups[QUANTIFIERS]
    places = {key: (key.partition(JOINT)[0], key.partition(JOINT)[2] or _ALONE) for key in group}
    table = Table(title="accuracy in %: outermost quantifier, innermost one")
    table.add_column("", overflow="fold")
    inner = sorted({column for _, column in places.values()}, key=lambda c: (c != _ALONE, c))
    for column in inner:
        table.add_column(column, justify="right")
    cells = {place: _percent(group[key]) for key, place in places.items()}
    for row in sorted({row for row, _ in places.values()}):
        table.add_row(row, *(cells.get((row, column), "") for column in inner))
    return table


def error_lines(examples: Sequence[Example], results: Sequence[Result]) -> Iterator[str]:
    """Line, genre, gold label, answer, premise and hypothesis of each pair that is not right."""
    for example, result in zip(examples, results, strict=True):
        pair = pair_of(example)
        if result.meaning != pair.label:
            columns = (str(pair.line), pair.genre, pair.label, result.meaning or _NO_ANSWER)
            yield "\t".join((*columns, pair.premise, pair.hypothesis)) + "\n"


def _percent(counts: LabelCounts) -> str:
    return f"{100 * counts.right / max(counts.count, 1):.1f}"


def _cells(counts: LabelCounts) -> tuple[str, str, str]:
    return str(counts.count), _percent(counts), str(counts.unanswered)
