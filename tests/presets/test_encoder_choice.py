"""`encoder.pretrained=auto`, the default, is resolved before training and stored."""

from pathlib import Path
from typing import NoReturn

import pytest
from small_settings import LETTERS
from toy_terms import examples

from amparser import parser_training
from amparser.corpora.corpus import Corpus
from amparser.learn.report import TrainingReport
from amparser.learn.settings import with_overrides
from amparser.nn.encoders.probe import Probe
from amparser.parser import Parser
from amparser.parser_system import AMPARSER
from amparser.presets.settings import TreeSettings

pytestmark = pytest.mark.slow  # trainings of one epoch
CORPUS = Corpus(examples(12), (), "term", places={"train": "train.jsonl"})
SENTENCE = CORPUS.train[0].tokens


def trained(folder: Path, probed: Probe | None, *overrides: str) -> list[str]:
    """Train with a given result of the probe; return the remarks about the encoder."""
    reports: list[TrainingReport] = []
    settings = with_overrides(TreeSettings(), [*LETTERS, "train.epochs=1", *overrides])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parser_training, "probe_of", lambda rows: probed)
        AMPARSER.train(CORPUS, settings, folder, on_report=reports.append)
    return [line for line in reports[0].remarks if line.startswith("encoder: ")]


def chosen(folder: Path) -> str:
    """Return the pretrained encoder of a model, which answers."""
    parser = Parser.load(folder, "cpu")
    [result] = parser.parse([SENTENCE])
    assert (result.meaning is None) == (result.failure is not None)
    return str(parser.model.settings.encoder.pretrained)


def test_the_probe_decides_and_the_report_says_why(tmp_path) -> None:
    helps, is_useless = Probe(200, 150, 45, 3), Probe(200, 150, 30, 10)
    assert trained(tmp_path / "with", helps) == [
        "encoder: multilingual; with states of multilingual the constants of 96.0% of held-out "
        "words are right, without them 75.0%"
    ]
    assert trained(tmp_path / "without", is_useless) == [
        "encoder: none; with states of multilingual the constants of 85.0% of held-out words are "
        "right, without them 75.0%"
    ]
    assert (chosen(tmp_path / "with"), chosen(tmp_path / "without")) == ("multilingual", "")


def test_rows_that_cannot_be_probed_have_no_encoder(tmp_path) -> None:
    assert trained(tmp_path, None) == []
    assert chosen(tmp_path) == ""


def test_more_rows_keep_the_encoder_and_a_model_never_probes(tmp_path, monkeypatch) -> None:
    trained(tmp_path / "older", Probe(200, 150, 45, 3))

    def fail(*_: object) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr("amparser.nn.encoders.probe.probe", fail)
    start = f"train.start={str(tmp_path / 'older')!r}"
    assert trained(tmp_path / "newer", Probe(200, 150, 0, 0), start) == []
    assert chosen(tmp_path / "newer") == "multilingual"
