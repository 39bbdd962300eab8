"""Measures: what a disguise leaves right, and what a change makes wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amparser.errors import LogicError
from amparser.evaluation.metrics import Counts, by_type, compare, overall, table_to_json

GOLD = "* cat ( x _ 1 ) ; see . agent ( x _ 2 , x _ 1 ) AND see . theme ( x _ 2 , Emma )"
counts = st.builds(Counts, *[st.integers(0, 9)] * 4)


@pytest.mark.parametrize(
    ("predicted", "expected"),
    [
        (GOLD, Counts(1, 1, 1, 1)),
        (GOLD.replace("_ 2", "_ 7"), Counts(1, 0, 1, 1)),
        (GOLD.replace("AND", " AND"), Counts(1, 0, 1, 1)),
        (
            "* cat ( x _ 1 ) ; see . theme ( x _ 2 , Emma ) AND see . agent ( x _ 2 , x _ 1 )",
            Counts(1, 0, 1, 1),
        ),
        (GOLD.replace("agent", "theme"), Counts(1)),
        (GOLD.replace("x _ 2 , x _ 1", "x _ 1 , x _ 2"), Counts(1)),
        (GOLD.replace(" AND see . theme ( x _ 2 , Emma )", ""), Counts(1)),
        (GOLD.replace("* cat", "cat"), Counts(1)),
        (GOLD + " )", Counts(1)),
        (GOLD.replace("x _ ", ""), Counts(1)),
        ("", Counts(1)),
        (None, Counts(1)),
    ],
)
def test_compare(predicted: str | None, expected: Counts) -> None:
    assert compare(GOLD, predicted) == expected


def test_meaning_is_finer_than_sorting() -> None:
    """Sorting sees the numbers: two conjuncts of one predicate change places."""
    gold = "r . s ( x _ 1 , x _ 2 ) AND r . s ( x _ 2 , x _ 3 ) AND r . t ( x _ 3 , Emma )"
    other = "r . s ( x _ 5 , x _ 2 ) AND r . s ( x _ 2 , x _ 3 ) AND r . t ( x _ 3 , Emma )"
    assert compare(gold, other) == Counts(1, 0, 0, 1)


def test_a_malformed_gold_form_is_an_error() -> None:
    with pytest.raises(LogicError):
        compare("cake (", "cake ( x _ 1 )")


@given(st.lists(st.tuples(st.sampled_from("abc"), counts)))
def test_counts_add_up(compared: list[tuple[str, Counts]]) -> None:
    table = by_type(compared)
    assert list(table) == list(dict.fromkeys(kind for kind, _ in compared))
    assert overall(table) == sum((c for _, c in compared), Counts())


def test_figures_are_shares_of_one() -> None:
    table = by_type([("PP", Counts(2, 1, 1, 2)), ("CP", Counts(2, 0, 1, 1))])
    assert table_to_json(table) == {
        "overall": {
            "count": 4,
            "exact_match": 0.25,
            "reformatted_exact_match": 0.5,
            "graph_match": 0.75,
        },
        "types": {
            "PP": {
                "count": 2,
                "exact_match": 0.5,
                "reformatted_exact_match": 0.5,
                "graph_match": 1.0,
            },
            "CP": {
                "count": 2,
                "exact_match": 0.0,
                "reformatted_exact_match": 0.5,
                "graph_match": 0.5,
            },
        },
    }
    assert Counts().to_json()["exact_match"] == 0
