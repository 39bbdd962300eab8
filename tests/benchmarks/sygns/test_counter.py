"""The metric Counter: overlap of clauses up to names of variables."""

import pytest

from amparser.benchmarks.sygns.counter import (
    COUNTER,
    MEASURES,
    compare_clauses,
    without_redundant_refs,
)
from amparser.corpora.example import Example
from amparser.errors import LogicError
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.graphs import Overlap
from amparser.logic.clf import clauses_from_str
from amparser.notations.registry import NOTATIONS
from amparser.results import Result

# Yanaka et al. 2021, table 18.
GOLD = """b1 IMP b2 b4, b2 REF x1, b2 lion x1, b2 NOT b3, b3 REF x2, b3 REF x3, b3 two x2,
b3 bear x2, b3 three x3, b3 monkey x3, b3 chase x3 x2, b3 follow x2 x1, b4 NOT b5, b5 cry x1"""
GRU = """b1 IMP b2 b3, b2 REF x1, b2 lion x1, b2 NOT b3, b3 REF x2, b3 two x2, b3 bear x2,
b3 follow x2 x2, b3 REF x3, b3 three x3, b4 monkey x3, b4 like x3 x2, b4 like x1 x2"""
TRANSFORMER = """b1 IMP b2 b3, b2 REF x1, b2 lion x1, b2 NOT b3, b3 REF x2, b3 two x2,
b3 monkey x2, b3 follow x2 x1, b3 REF x3, b3 john x3, b3 chase x1 x3"""


def figures(well_formed: int, certified: int, clauses: Overlap) -> dict[str, Count]:
    shares = (Count(well_formed, 1), Count(certified, 1))
    return dict(zip(MEASURES, (*clauses.counts(), *shares), strict=True))


def separated(text: str) -> str:
    return " [SEP] ".join(part.strip() for part in text.split(","))


def test_example_of_the_paper() -> None:
    """The paper reports F of .42 (Transformer) and .45 (GRU); the GRU's clauses map even better."""
    transformer = compare_clauses(separated(GOLD), separated(TRANSFORMER))
    assert transformer == figures(0, 1, Overlap(8, 11, 4))
    assert round(transformer["counter_f"].share or 0, 2) == 0.42
    gru = compare_clauses(separated(GOLD), separated(GRU))
    assert gru == figures(0, 1, Overlap(10, 11, 5))
    assert (gru["counter_f"].share or 0) > 0.45


def test_a_swapped_argument_costs_a_clause() -> None:
    swapped = GOLD.replace("follow x2 x1", "follow x1 x2")
    counts = compare_clauses(separated(GOLD), separated(swapped))
    assert counts == figures(1, 1, Overlap(11, 11, 10))


def test_an_equal_box_is_exact() -> None:
    disguised = separated(GOLD).replace("x1", "x9").replace("b3", "b7").split(" [SEP] ")
    counts = compare_clauses(separated(GOLD), " [SEP] ".join(reversed(disguised)))
    assert counts == figures(1, 1, Overlap(11, 11, 11))


@pytest.mark.parametrize(
    "predicted", [None, "", " [SEP] ", "b1", "b1 lion", "no such thing at all"]
)
def test_ill_formed_answers_are_compared(predicted) -> None:
    counts = compare_clauses(separated(GOLD), predicted)
    size = len([part for part in (predicted or "").split("[SEP]") if part.strip()])
    assert counts == figures(0, 1, Overlap(size, 11, 0))


def test_a_malformed_gold_is_an_error() -> None:
    with pytest.raises(LogicError):
        compare_clauses("b1 dog x1", separated(GOLD))


def test_redundant_refs_are_removed() -> None:
    clauses = clauses_from_str("b1 REF x1 [SEP] b1 REF x2 [SEP] b1 dog x1 [SEP] b1 dog x1")
    assert without_redundant_refs(clauses) == [("b1", "REF", "x2"), ("b1", "dog", "x1")]


@pytest.mark.parametrize(("name", "text"), [
    ("clf", "b1 REF x1 [SEP] b1 dog x1 [SEP] b1 run x1"),
    ("fol", "exists x1.(dog(x1) & run(x1))"),
    ("vf", "EXIST DOG RUN"),
])  # fmt: skip
def test_meanings_of_other_notations_are_written_as_clauses(name, text) -> None:
    notation = NOTATIONS[name]
    gold = Example(("a", "dog", "ran"), text)
    assert COUNTER.problem(notation) is None
    assert COUNTER.compare(notation, gold, Result(gold.tokens, text))["counter_f"].share == 1
    nothing = COUNTER.compare(notation, gold, Result(gold.tokens))
    assert (nothing["counter_f"].share, nothing["well_formed"].share) == (0, 0)


def test_notations_without_clauses_are_refused() -> None:
    assert COUNTER.problem(NOTATIONS["cogs"]) == "cogs meanings have no clauses"
    assert COUNTER.problem(None) == "labels have no clauses"
