"""The audit names each record that nobody could make again, and each page that is out of date."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from amparser.benchmarks.registry import BENCHMARKS
from amparser.errors import InputError
from amparser.experiments.record import Interval, Record, Row
from amparser.experiments.tables import audit, renew
from amparser.provenance import DIRTY

ROOT = Path(__file__).parents[2]
COMMIT = "0123456789abcdef0123456789abcdef01234567"
GOOD = Record(
    "toy-a",
    "About it.",
    "toy",
    system="by-heart",
    evaluation_commit=COMMIT,
    runs=[{"seed": 1, "fraction": 1.0, "training_commit": COMMIT}],
    rows=[Row(1, 1.0, "gen", "", "greedy", "exact", 2, 3)],
    intervals=[Interval(1.0, "gen", "", "greedy", "exact", 66.67, 0.0, 60.0, 70.0)],
)
PAGE = "# Results\n\n<!-- table: types toy-a -->\n<!-- end -->\n"


def test_a_good_record_has_no_fault(tmp_path: Path) -> None:
    GOOD.write(tmp_path)
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    assert audit(tmp_path, [page]) == [f"{page}: tables differ from the records, see --renew"]
    renew(page, tmp_path)
    assert audit(tmp_path, [page]) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"dirty": True}, "a program that trained or evaluated differed from its commit"),
        ({"evaluation_commit": None}, "it is not known which commit evaluated"),
        ({"evaluation_commit": COMMIT + DIRTY}, "it is not known which commit evaluated"),
        (
            {"runs": [{"seed": 1, "fraction": 1.0}, {"seed": 3, "fraction": 1.0}]},
            "it is not known which commit trained the runs of seed 1, 3",
        ),
        (
            {"rows": [Row(1, 1.0, "gen", "", "greedy", "exact", 3, 3)]},
            "its rows do not give the mean of gen greedy exact, 66.67",
        ),
    ],
)
def test_each_fault_is_named(change: dict[str, Any], fault: str) -> None:
    record = replace(GOOD, **change)
    assert list(record.faults()) == [fault]


def test_a_paper_has_no_runs_and_no_commit() -> None:
    paper = replace(GOOD, runs=[], rows=[], evaluation_commit=None)
    assert list(paper.faults()) == []


def test_a_record_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "toy-b.json").write_text("{}")
    [fault] = audit(tmp_path, [])
    assert "toy-b.json: not a record" in fault


def test_the_records_and_pages_of_this_repository() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    assert audit(ROOT / "training/results", pages, BENCHMARKS) == []


def test_a_folder_without_records_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected records"):
        audit(tmp_path, [])
