"""Counts of labelled pairs by depth, direction, replacement and quantifiers, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from rich.table import Table

from amparser.benchmarks.monotonicity.pairs import (
    DOWN,
    LABEL,
    NO_QUANTIFIER,
    UP,
    outer_and_inner,
    pair_of,
    sides,
)
from amparser.corpora.example import Example
from amparser.evaluation.evaluate import OVERALL, by_tag
from amparser.evaluation.metric import Count
from amparser.results import Result

JOINT = " > "
"""The separator of the outermost and the innermost quantifier of a premise."""
DEPTH, BOTH, QUANTIFIERS = "depth", "depth and direction", "quantifiers"
DIVISIONS = (DEPTH, "direction", BOTH, "function", QUANTIFIERS)
_NO_ANSWER, _ALONE = "-", "alone"

Counts: TypeAlias = Mapping[str, Count]
"""The counts of right and of missing answers, as `LABEL` has them."""


class PairFigures(NamedTuple):
    """Counts of all pairs, and of the parts of each of the `DIVISIONS`, in order.

    The last one is by the outermost and innermost quantifier of the premise (`few > no`, or `few`).
    """

    overall: Counts
    groups: Mapping[str, Mapping[str, Counts]]

    def to_json(self) -> dict[str, Any]:
        """All counts as JSON values, with accuracies between 0 and 1."""
        parts = {
            name: {key: _json(counts) for key, counts in group.items()}
            for name, group in self.groups.items()
        }
        return {"overall": _json(self.overall), **parts}


def figures_of(examples: Sequence[Example], results: Sequence[Result]) -> PairFigures:
    """The counts of answers; raises InputError if an example is not a labelled pair."""
    pairs = zip(examples, results, strict=True)
    counts = [LABEL.compare(None, example, result) for example, result in pairs]
    keys = [_keys(example) for example in examples]
    groups = {}
    for number, name in enumerate(DIVISIONS):
        group = by_tag([(of_one[number],) for of_one in keys], counts)
        overall = group.pop(OVERALL)
        groups[name] = dict(sorted(group.items()))
    return PairFigures(overall, groups)


def _keys(example: Example) -> tuple[str, ...]:
    """The part of each division to which a pair belongs."""
    pair = pair_of(example)
    depth, direction = f"D{pair.depth}", pair.direction
    quantifiers = JOINT.join(outer_and_inner(sides(example.tokens)[0])) or NO_QUANTIFIER
    return depth, direction, f"{depth} {direction}", pair.function, quantifiers


def _json(counts: Counts) -> dict[str, float]:
    right, unanswered = counts["label"], counts["unanswered"]
    numbers = {"count": right.denominator, "right": right.numerator}
    return {**numbers, "unanswered": unanswered.numerator, "accuracy": right.share or 0.0}


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
    cells = {}
    for key, counts in figures.groups[QUANTIFIERS].items():
        outer, _, inner = key.partition(JOINT)
        _, cells[outer, inner or _ALONE], _ = _cells(counts)
    table = Table(title="accuracy in %: outermost quantifier, innermost one")
    table.add_column("", overflow="fold")
    columns = sorted({inner for _, inner in cells}, key=lambda one: (one != _ALONE, one))
    for column in columns:
        table.add_column(column, justify="right")
    for row in sorted({outer for outer, _ in cells}):
        table.add_row(row, *(cells.get((row, column), "") for column in columns))
    return table


def error_lines(examples: Sequence[Example], results: Sequence[Result]) -> Iterator[str]:
    """Line, genre, gold label, answer, premise and hypothesis of each pair that is not right."""
    for example, result in zip(examples, results, strict=True):
        pair = pair_of(example)
        if result.meaning != pair.label:
            columns = (str(pair.line), pair.genre, pair.label, result.meaning or _NO_ANSWER)
            yield "\t".join((*columns, pair.premise, pair.hypothesis)) + "\n"


def _cells(counts: Counts) -> tuple[str, str, str]:
    right = counts["label"]
    percent = f"{100 * right.numerator / max(right.denominator, 1):.1f}"
    return str(right.denominator), percent, str(counts["unanswered"].numerator)
