"""Precision, recall and F of upward and downward words (Yanaka et al. 2021, section 3.3).

Occurrences are compared as multisets: each gold occurrence matches at most one predicted one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from amparser.benchmarks.sygns.entailment import formula_or_none, formula_problem, gold_formula
from amparser.corpora.example import Example
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.graphs import overlap
from amparser.logic.polarity import Polarity, fol_polarities
from amparser.notations.notation import Notation
from amparser.results import Result

Occurrences: TypeAlias = Sequence[tuple[str, Polarity]]

_DIRECTIONS = {"upward": Polarity.UPWARD, "downward": Polarity.DOWNWARD}
_FIGURES = ("f", "precision", "recall")
MEASURES = tuple(f"{direction}_{figure}" for figure in _FIGURES for direction in _DIRECTIONS)


def compare_polarities(gold: Occurrences, predicted: Occurrences) -> dict[str, Count]:
    """Return the counts of one answer by `MEASURES`."""
    by_direction = []
    for polarity in _DIRECTIONS.values():
        sides = ([word for word, of in side if of is polarity] for side in (gold, predicted))
        by_direction.append(overlap(*sides).counts())
    counts = chain.from_iterable(zip(*by_direction, strict=True))
    return dict(zip(MEASURES, counts, strict=True))


class PolarityMetric:
    """Polarities of words in the formulas of meanings; a malformed answer has no words."""

    name = "polarity"
    measures = MEASURES

    def problem(self, notation: Notation | None) -> str | None:
        """Return why meanings have no formulas, or None."""
        return formula_problem(notation)

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """Return the counts of `compare_polarities`."""
        wanted = gold_formula(notation, gold.meaning)
        predicted = formula_or_none(notation, result.meaning, closed=False)
        return compare_polarities(
            fol_polarities(wanted), () if predicted is None else fol_polarities(predicted)
        )


POLARITY = PolarityMetric()
