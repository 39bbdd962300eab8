"""Metrics of graphs of boxes: groups, clauses, and the published tool."""

from pathlib import Path

import pytest
from command_line import ok

from amparser.benchmarks.sygns.counter import COUNTER, compare_clauses
from amparser.corpora.example import Example
from amparser.corpora.reading import read_examples
from amparser.evaluation.evaluate import score
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.smatch import SMATCH
from amparser.logic.clf import clauses_from_boxes, clauses_to_str
from amparser.logic.sbn import boxes_from_sbn
from amparser.notations.registry import NOTATIONS
from amparser.results import Result

GRAPH, SBN = NOTATIONS["drs-graph"], NOTATIONS["sbn"]
WORDS = ("Tom", "did", "not", "fry", "fish")
GOLD = 'male.n.02 Name "Tom" time.n.08 TPR now NEGATION -1 fry.v.01 Agent -2 Time -1 fish.n.01'


def test_missing_and_ill_formed_answers_match_nothing() -> None:
    gold = Example(WORDS, GOLD)
    for answer in (None, "male.n.02 Agent +1 NEGATION -3"):
        counts = SMATCH.compare(SBN, gold, Result(WORDS, answer))
        assert all(not count.numerator for count in counts.values())
        clauses = COUNTER.compare(SBN, gold, Result(WORDS, answer))
        assert (clauses["counter_f"].share, clauses["well_formed"].share) == (0, 0)


# Clauses


@pytest.mark.parametrize(
    ("answer", "matched", "size"),
    [
        (GOLD, 9, 9),
        (GOLD.replace("fry.v.01", "fry.v.02"), 8, 9),
        (GOLD.replace("NEGATION", "POSSIBILITY"), 8, 9),
        (GOLD.replace("Agent", "Theme"), 8, 9),
        ("male.n.02", 1, 1),
    ],
)
def test_clause_match_counts_equal_clauses(answer, matched, size) -> None:
    counts = COUNTER.compare(SBN, Example(WORDS, GOLD), Result(WORDS, answer))
    assert counts["counter_precision"] == Count(matched, size)
    assert counts["counter_recall"] == Count(matched, 9)
    assert (counts["well_formed"], counts["certified"]) == (Count(1, 1), Count(1, 1))


def test_clause_match_ignores_names_of_variables() -> None:
    boxes = boxes_from_sbn(GOLD.replace("Tom", "Tom Smith"))
    with_spaces = clauses_to_str(clauses_from_boxes(boxes))
    assert compare_clauses(with_spaces, with_spaces)["counter_f"].share == 1
    shorter = with_spaces.replace("Tom Smith", "Tom")
    assert compare_clauses(with_spaces, shorter)["counter_f"].share == 8 / 9
    other_names = with_spaces.replace("b2", "b7").replace("x3", "x9")
    assert compare_clauses(with_spaces, other_names)["counter_f"].share == 1


def test_gold_against_gold_is_perfect(data_dir) -> None:
    rows = read_examples(data_dir / "pmb" / "pmb4" / "dev.penman.gz")
    results = [Result(row.tokens, row.meaning) for row in rows]
    found = score(rows, results, GRAPH, metrics=("match", "smatch", "counter"))
    assert {count.share for count in found.table("predictions")[""].values()} == {1}


# The command line

BLOCKS = Path(__file__).with_name("boxes.penman").read_text(encoding="utf-8")


def test_predictions_file_is_scored_by_group(tmp_path) -> None:
    gold, answers = tmp_path / "gold.penman", tmp_path / "answers.penman"
    gold.write_text(BLOCKS)
    lines = [line for line in BLOCKS.splitlines() if not line.startswith("# ::tok")]
    answers.write_text("\n".join(lines).replace("ring.v.01", "ring.v.03") + "\n")
    arguments = ("--predictions", answers, "--data", gold, "--notation", "drs-graph")
    output = ok("evaluate", *arguments, "--metrics", "smatch")
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in output.splitlines()]
    smatch = {row[0]: row[1:] for row in rows if len(row) == 5}
    tags = ["length 1-4", "length 5-8", "boxes 1", "boxes 2", "not reentrant", "overall"]
    assert list(smatch) == tags
    assert smatch["boxes 2"] == ["1", *["100.0"] * 3]
    assert float(smatch["boxes 1"][1]) < float(smatch["overall"][1]) < 100
