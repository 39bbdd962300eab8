"""Systems side by side, as in a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Figure:
    """A percentage: mean and deviation over seeds; published ones may have no deviation."""

    mean: float
    deviation: float | None = None
    seeds: int | None = None

    def __str__(self) -> str:
        spread = self.deviation if self.deviation is not None and self.deviation >= 0.05 else None
        return f"{self.mean:.1f}" + (f" ± {spread:.1f}" if spread is not None else "")


@dataclass(frozen=True)
class Column:
    """A column of a report: one system.

    Attributes:
        title: the name of the system in the report.
        published: whether its figures are those of a paper.
        measure: the measure of its figures.
        tags: a figure for each tag.
        overall: the figure of all examples.
        malformed: the share of outputs that follow no notation, if it is counted.
        source: the description in its record.
    """

    title: str
    published: bool
    measure: str
    tags: Mapping[str, Figure]
    overall: Figure | None = None
    malformed: Figure | None = None
    source: str = ""


@dataclass(frozen=True)
class Report:
    """Columns side by side, over the tags of all of them."""

    benchmark: str
    columns: Sequence[Column]
    tags: Sequence[str] = field(default_factory=list)
