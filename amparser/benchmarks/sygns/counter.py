"""Counter: precision, recall and F of clauses under the best mapping of variables.

Boxes and referents of the predicted DRS are mapped one to one to boxes and referents of the gold
DRS; clauses that become equal match (van Noord et al. 2018, section 4). The published tool
approximates the best mapping by hill climbing with restarts; this implementation is exact
(`amparser.evaluation.metrics.matching`).

As in the published tool, equal clauses count once, and `b1 REF x1` is ignored if another clause of
`b1` contains `x1`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress

from amparser.corpora.example import Example
from amparser.errors import LogicError
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.graphs import Overlap
from amparser.evaluation.metrics.matching import match_clauses
from amparser.logic.clf import (
    SEPARATOR,
    Clause,
    clauses_from_str,
    clauses_to_str,
    drs_from_clauses,
)
from amparser.logic.drs import Box, drs_equivalent
from amparser.notations.notation import Notation
from amparser.notations.scoped import ScopedNotation
from amparser.results import Result

CLAUSES = "clf"
"""Name of the notation whose texts are clauses."""

MEASURES = ("counter_f", "counter_precision", "counter_recall", "well_formed", "certified")


def without_redundant_refs(clauses: Iterable[Clause]) -> list[Clause]:
    """Return distinct clauses without redundant REF clauses.

    A REF clause is redundant if another clause of its box uses the referent.
    """
    different = list(dict.fromkeys(clauses))
    used = {(c[0], argument) for c in different if c[1:2] != ("REF",) for argument in c[2:]}
    return [c for c in different if c[1:2] != ("REF",) or (c[0], c[-1]) not in used]


def compare_clauses(gold: str, predicted: str | None) -> dict[str, Count]:
    """Return the counts of one answer by `MEASURES`.

    `well_formed` is 1 if the predicted clauses form a DRS, and `certified` is 1 if the mapping is
    proven optimal. The prediction may be any text; a malformed clause counts as wrong. Raises
    LogicError if the gold clauses are malformed.
    """
    wanted = clauses_from_str(gold)
    box = drs_from_clauses(wanted)
    parts = (predicted or "").split(SEPARATOR)
    predicted_clauses = without_redundant_refs(
        tuple(part.split()) for part in parts if part.strip()
    )
    wanted = without_redundant_refs(wanted)
    other = _box(predicted)
    if other is not None and drs_equivalent(box, other):
        size = len(set(wanted))
        overlap, certified = Overlap(size, size, size), True
    else:
        matching = match_clauses(predicted_clauses, wanted)
        overlap = Overlap(len(set(predicted_clauses)), len(set(wanted)), matching.matched)
        certified = matching.certified
    values = (*overlap.counts(), Count(int(other is not None), 1), Count(int(certified), 1))
    return dict(zip(MEASURES, values, strict=True))


def _box(text: str | None) -> Box | None:
    try:
        return drs_from_clauses(clauses_from_str(text or ""))
    except LogicError:
        return None


class CounterMetric:
    """Metric Counter; meanings in other notations are first converted to clauses."""

    name = "counter"
    measures = MEASURES

    def problem(self, notation: Notation | None) -> str | None:
        """Return why meanings cannot be converted to clauses, or None."""
        if isinstance(notation, ScopedNotation):
            return None
        name = "labels" if notation is None else f"{notation.name} meanings"
        return f"{name} have no clauses"

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """Return the counts of `compare_clauses`. Raises LogicError if gold is malformed."""
        if notation is not None and notation.name == CLAUSES:
            return compare_clauses(gold.meaning or "", result.meaning)
        assert isinstance(notation, ScopedNotation)
        predicted: str | None = None
        if result.meaning is not None:
            with suppress(LogicError):
                predicted = clauses_to_str(notation.clauses(result.meaning))
        return compare_clauses(clauses_to_str(notation.clauses(gold.meaning or "")), predicted)


COUNTER = CounterMetric()
