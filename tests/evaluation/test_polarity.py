"""Figures of polarity: occurrences are counted, each once."""

from collections.abc import Callable

import pytest

from amparser.errors import LogicError
from amparser.evaluation.metrics.overlap import Overlap
from amparser.evaluation.metrics.polarity import (
    Occurrences,
    PolarityCounts,
    compare_polarities,
    polarities_of_fol,
    polarities_of_vf,
)

GOLD_FOL = "all x.((dog(x) & exists y.(cat(y) & see(x,y))) -> exists z.(dog(z) & -see(x,z)))"
GOLD_VF = "ALL AND DOG EXIST CAT SEE EXIST DOG NOT SEE"
READERS: list[tuple[str, Callable[[str], Occurrences]]] = [
    (GOLD_FOL, polarities_of_fol),
    (GOLD_VF, polarities_of_vf),
]


@pytest.mark.parametrize(("gold", "reader"), READERS)
def test_figures(gold: str, reader: Callable[[str], Occurrences]) -> None:
    """Gold has the upward dog and the downward dog, cat, see, see."""
    assert compare_polarities(gold, gold, reader) == PolarityCounts(
        Overlap(1, 1, 1), Overlap(4, 4, 4)
    )
    changed = gold.replace("-see", "see").replace("NOT ", "")
    assert compare_polarities(gold, changed, reader) == PolarityCounts(
        Overlap(2, 1, 1), Overlap(3, 4, 3)
    )
    for nothing in (None, "", gold[:-4]):
        assert compare_polarities(gold, nothing, reader) == PolarityCounts(
            Overlap(0, 1, 0), Overlap(0, 4, 0)
        )
    with pytest.raises(LogicError):
        compare_polarities("(", gold, reader)


def test_counts_add_up() -> None:
    total = PolarityCounts(Overlap(1, 2, 1), Overlap(1, 1, 0)) + PolarityCounts(Overlap(1, 0, 0))
    assert total == PolarityCounts(Overlap(2, 2, 1), Overlap(1, 1, 0))
    assert total.to_json()["upward"]["f_score"] == 0.5
