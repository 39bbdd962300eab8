"""One law for parsers over nodes, trees and graphs: what a training says and refuses."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import toy_bank
import toy_terms
from toy_graphs import SMALL as SMALL_GRAPHS
from trainings import TEXTS

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import CorpusError, InputError
from amparser.learn.report import TrainingReport
from amparser.learn.settings import with_overrides
from amparser.parser_system import AMPARSER
from amparser.presets.settings import NodeSettings, TreeSettings


class Kind(NamedTuple):
    settings: Any
    notation: str
    rows: Callable[[], list[Example]]
    malformed: str
    fault: str


_SIZES = ("encoder.word_size=8", "encoder.hidden_size=8", "train.device=cpu")
KINDS = {
    "node": Kind(
        with_overrides(NodeSettings(), [*_SIZES, "supertag.hidden_size=8", "edge.hidden_size=8"]),
        "cogs",
        lambda: TEXTS,
        "cat ( x _",
        "column 10",
    ),
    "tree": Kind(
        with_overrides(TreeSettings(), [*_SIZES, "train.members=1", "encoder.buckets=64"]),
        "term",
        lambda: toy_terms.examples(20),
        "f(g",
        "column 4",
    ),
    "graph": Kind(SMALL_GRAPHS, "penman", lambda: toy_bank.examples(20), "(b / ", "column"),
}


@pytest.fixture(params=KINDS)
def kind(request) -> Kind:
    return KINDS[request.param]


def trained(kind: Kind, rows: list[Example], folder: Path, **options: Any) -> TrainingReport:
    reports: list[TrainingReport] = []
    corpus = Corpus(rows, kind.rows()[:6], kind.notation, places={"train": "some.file"})
    settings = with_overrides(kind.settings, ["train.epochs=1"])
    AMPARSER.train(replace(corpus, **options), settings, folder, on_report=reports.append)
    [report] = reports
    return report


def test_the_report_says_what_is_learned_from_and_nothing_is_printed(kind, tmp_path, capfd) -> None:
    rows = kind.rows()
    lost = Example(("A", "cat"), failure="nothing", line=98)
    broken = Example(("A", "cat"), kind.malformed, line=99)
    report = trained(kind, [*rows, lost, broken], tmp_path, strict=False)
    assert (report.train_count, report.dev_count) == (len(rows), 6)
    assert report.constant_count >= 5
    assert report.failures[0] == "some.file:98: nothing"
    assert report.failures[1].startswith("some.file:99: ")
    assert (len(report.failures), report.dev_failures) == (2, ())
    assert capfd.readouterr() == ("", "")


def test_bad_rows_are_refused_before_anything_is_written(kind, tmp_path) -> None:
    for row, error, message in (
        (Example(("A",), kind.malformed, line=7), CorpusError, rf"^some\.file:7: .*{kind.fault}"),
        (Example(("A",), line=3), CorpusError, r"^some\.file:3: expected a meaning"),
        (
            Example(("A",), line=4, failure="lost"),
            InputError,
            r"no examples to train on: some\.file:4: lost",
        ),
    ):
        with pytest.raises(error, match=message):
            trained(kind, [row], tmp_path / "new")
    with pytest.raises(InputError, match="no examples to train on"):
        trained(kind, [], tmp_path / "new")
    assert not (tmp_path / "new").exists()
