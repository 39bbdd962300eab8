"""Measures: invariant under equivalent spellings, sensitive to changes of meaning."""

import pytest
from hypothesis import given, strategies as st

from amparser.corpora.example import Example
from amparser.errors import LogicError
from amparser.evaluation.evaluate import by_tag
from amparser.evaluation.metric import OVERALL, Count
from amparser.evaluation.metric_registry import METRICS
from amparser.evaluation.metrics.graphs import Overlap, overlap
from amparser.evaluation.metrics.match import MALFORMED, MATCH
from amparser.graph.sgraph import Node, SGraph
from amparser.notations.registry import NOTATIONS
from amparser.results import Result

GOLD = "* cat ( x _ 1 ) ; see . agent ( x _ 2 , x _ 1 ) AND see . theme ( x _ 2 , Emma )"
TOKENS = ("The", "cat", "saw", "Emma")
COGS = NOTATIONS["cogs"]
counts = st.builds(Count, st.integers(0, 9), st.integers(0, 9))


def compare(gold: str, predicted: str | None) -> list[float]:
    found = MATCH.compare(COGS, Example(TOKENS, gold), Result(TOKENS, predicted))
    assert tuple(found) == MATCH.measures[:3]
    assert {count.denominator for count in found.values()} == {1}
    return [count.numerator for count in found.values()]


def test_match_by_strictness() -> None:
    """`notations/equality.toml` has more pairs."""
    for predicted, expected in (
        (GOLD, [1, 1, 1]),
        (GOLD.replace("_ 2", "_ 7"), [0, 1, 1]),
        (GOLD.replace("agent", "theme"), [0, 0, 0]),
        (None, [0, 0, 0]),
    ):
        assert compare(GOLD, predicted) == expected


def test_graph_match_ignores_an_order_that_sorting_keeps() -> None:
    """Sorting depends on variable numbers: two conjuncts of one predicate are swapped."""
    gold = "r . s ( x _ 1 , x _ 2 ) AND r . s ( x _ 2 , x _ 3 ) AND r . t ( x _ 3 , Emma )"
    other = "r . s ( x _ 5 , x _ 2 ) AND r . s ( x _ 2 , x _ 3 ) AND r . t ( x _ 3 , Emma )"
    assert compare(gold, other) == [0, 0, 1]


def test_malformed_gold_meaning_is_an_error() -> None:
    with pytest.raises(LogicError):
        compare("cake (", "cake ( x _ 1 )")


def test_graphs_are_compared_if_gold_has_no_text() -> None:
    graph = SGraph({0: Node("cat", 2)}, (), 0)
    other = SGraph({0: Node("dog", 2)}, (), 0)
    gold = Example(TOKENS, graph=graph)
    for found, right in ((graph, 1), (other, 0), (None, 0)):
        assert MATCH.compare(None, gold, Result(TOKENS, graph=found)) == {"graph": Count(right, 1)}


@pytest.mark.parametrize(
    ("result", "counted"),
    [
        (Result(TOKENS, GOLD), None),
        (Result(TOKENS, failure="no parse"), None),
        (Result(TOKENS, GOLD, output=GOLD), 0),
        (Result(TOKENS, output="cake ( x", failure="ill-formed"), 1),
    ],
)
def test_only_generated_outputs_can_be_malformed(result, counted) -> None:
    expected = {} if counted is None else {"malformed": Count(counted, 1)}
    assert MALFORMED.compare(COGS, Example(TOKENS, GOLD), result) == expected


def test_names_of_measures_are_unique() -> None:
    names = [measure for metric in METRICS.values() for measure in metric.measures]
    assert len(names) == len(set(names))
    assert all(metric.name == name for name, metric in zip(METRICS, METRICS.values(), strict=True))


@given(st.lists(st.tuples(st.sampled_from([(), ("a",), ("a", "b"), ("b", "c")]), counts)))
def test_counts_add_up(rows) -> None:
    tags = [of_one for of_one, _ in rows]
    table = by_tag(tags, [{"exact": count} for _, count in rows])
    assert next(iter(table)) == OVERALL
    for tag, found in table.items():
        members = [count for of_one, count in rows if tag == OVERALL or tag in of_one]
        assert found.get("exact", Count()) == sum(members, Count())


def test_overlap_counts_multisets() -> None:
    found = overlap("aab", "abb")
    assert found == Overlap(predicted=3, gold=3, matched=2)
    assert [count.share for count in found.counts()] == [2 / 3, 2 / 3, 2 / 3]
    assert [count.share for count in Overlap(0, 3).counts()] == [0, None, 0]
    assert Overlap().counts()[0].share is None
