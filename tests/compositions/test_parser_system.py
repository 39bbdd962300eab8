"""The parser as a system: from meanings, graphs or trees, the same parser."""

from dataclasses import replace
from pathlib import Path

import pytest
from tiny_model import corpus

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import CorpusError, InputError
from amparser.learn.report import TrainingReport
from amparser.learn.settings import with_overrides
from amparser.notations.registry import NOTATIONS
from amparser.parser_system import AMPARSER

SETTINGS = with_overrides(
    AMPARSER.settings,
    [
        "word_size=8", "encoder.hidden_size=8", "supertag.hidden_size=8", "edge.hidden_size=8",
        "operation_size=8", "train.epochs=2", "epoch_sentences=0", "batch_tokens=64",
        "learning_rate=0.02", "device=cpu",
    ],
)  # fmt: skip


@pytest.fixture(scope="module")
def meanings(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return corpus(tmp_path_factory.mktemp("data"))


def with_graphs(example: Example) -> Example:
    graph = NOTATIONS["cogs"].graph(example.tokens, example.meaning or "")
    return replace(example, meaning=None, graph=graph)


def test_report_says_what_is_learned_from(meanings: Corpus, tmp_path: Path) -> None:
    reports: list[TrainingReport] = []
    example = with_graphs(meanings.train[0])
    assert example.graph is not None
    nodes = {i: node._replace(token=None) for i, node in example.graph.nodes.items()}
    bad = replace(example, graph=replace(example.graph, nodes=nodes), line=99)
    train = [*meanings.train, replace(bad, failure="no analysis"), replace(bad, line=100)]
    model = AMPARSER.train(
        replace(meanings, train=train, benchmark="mine"),
        with_overrides(SETTINGS, ["train.epochs=1"]),
        tmp_path,
        on_report=reports.append,
    )
    [report] = reports
    assert (report.train_count, report.dev_count) == (36, 9)
    assert (report.constant_count, report.edge_label_count) == (6, 6)
    place = meanings.places["train"]
    assert report.failures[0] == f"{place}:99: no analysis"
    assert report.failures[1].startswith(f"{place}:100: ")
    assert report.dev_failures == ()
    assert (model.benchmark, model.settings.data.notation) == ("mine", "cogs")
    assert model.data["train"]["file"] == "train.tsv"


def test_training_prints_nothing(
    meanings: Corpus, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    AMPARSER.train(meanings, with_overrides(SETTINGS, ["train.epochs=1"]), tmp_path)
    assert capfd.readouterr() == ("", "")


def test_bad_corpora_are_refused_before_anything_is_written(
    meanings: Corpus, tmp_path: Path
) -> None:
    wrong = Example(("A", "cat"), "cat ( x _", line=7)
    places = {"train": "some.tsv"}
    for train, message in (
        ([wrong], r"^some\.tsv:7: "),
        (
            [Example(("A",), graph=with_graphs(meanings.train[0]).graph, line=5)],
            r"^some\.tsv:5: the node .* is aligned to 2: expected a token from 1 to 1",
        ),
        ([Example(("A", "cat"), line=3)], r"^some\.tsv:3: expected a meaning, a graph or a tree"),
    ):
        with pytest.raises(CorpusError, match=message):
            AMPARSER.train(Corpus(train, [], "cogs", places=places), SETTINGS, tmp_path / "new")
    with pytest.raises(CorpusError, match=r"notation of the meaning is not known"):
        AMPARSER.train(Corpus([wrong], []), SETTINGS, tmp_path / "new")
    with pytest.raises(InputError, match="no examples to train on"):
        AMPARSER.train(replace(meanings, train=[]), SETTINGS, tmp_path / "new")
    failed = Example(("A", "cat"), line=4, failure="no parse")
    with pytest.raises(InputError, match=r"no examples to train on: some\.tsv:4: no parse"):
        AMPARSER.train(Corpus([failed], [], "cogs", places=places), SETTINGS, tmp_path / "new")
    assert not (tmp_path / "new").exists()
