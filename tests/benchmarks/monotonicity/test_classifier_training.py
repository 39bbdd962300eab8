"""Training of classifiers of pairs: it learns, resumes, and is kept whole."""

from __future__ import annotations

import importlib.util
import json
import math
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_checkpoints import write_bert
from toy_pairs import toy_examples

from amparser.benchmarks.monotonicity.classifiers.classifier import PairModel
from amparser.benchmarks.monotonicity.pairs import LabelledPair, example_of
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.tokens import tokenize
from amparser.errors import ConfigError, CorpusError, InputError, ModelError
from amparser.learn.model_folder import trained_parameters
from amparser.learn.progress import TrainingProgress
from amparser.learn.settings import with_overrides
from amparser.learn.system_registry import SYSTEMS as REGISTRY
from amparser.learn.systems import load, system_of
from amparser.parser import Parser
from amparser.results import Result

torch.set_num_threads(1)

PAIRS = toy_examples()
DEV = PAIRS[::5]
WORDS = {word for pair in PAIRS for word in pair.tokens if word != "\t"}
INSTALLED = importlib.util.find_spec("transformers") is not None
SYSTEMS = [
    "pair-lstm",
    "pair-treelstm",
    pytest.param("pair-bert", marks=pytest.mark.skipif(not INSTALLED, reason="no transformers")),
]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not INSTALLED:
        return Path("nowhere")
    return write_bert(tmp_path_factory.mktemp("bert"), WORDS)


def config(system: str, checkpoint: Path, *overrides: str) -> Any:
    base = ["train.device=cpu", "train.batch_size=8", "train.epochs=3"]
    if system == "pair-bert":
        own = [f"pretrained.path={str(checkpoint)!r}", "learning_rate=0.003"]
    else:
        own = [
            "hidden_size=24", "embedding_size=16", "classifier_size=32", "learning_rate=0.005",
            "layers=2",
        ]  # fmt: skip
    return with_overrides(REGISTRY[system].settings, [*base, *own, *overrides])


def train(
    system: str,
    settings: Any,
    folder: Path,
    pairs: Sequence[Example] = PAIRS,
    dev: Sequence[Example] = DEV,
    **options: Any,
) -> PairModel:
    corpus = Corpus(pairs, dev, "quantified", "mine", {"a": 1}, {"train": "train.tsv"})
    model = REGISTRY[system].train(corpus, settings, folder, **options)
    assert isinstance(model, PairModel)
    return model


def loaded(folder: Path) -> PairModel:
    model = load(folder, "cpu")
    assert isinstance(model, PairModel)
    return model


def weights(model: PairModel) -> dict[str, torch.Tensor]:
    return {n: p.detach().clone() for n, p in trained_parameters(model.predictor.network).items()}


def same(left: PairModel, right: PairModel) -> bool:
    one, other = weights(left), weights(right)
    return one.keys() == other.keys() and all(torch.equal(one[k], other[k]) for k in one)


def judged(model: PairModel, pairs: Sequence[Example] = PAIRS) -> list[Result]:
    return model.answers([pair.tokens for pair in pairs])["argmax"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_all_pairs_are_learned(system: str, checkpoint: Path, tmp_path: Path) -> None:
    settings = config(system, checkpoint, "train.epochs=40", "patience=40")
    model = train(system, settings, tmp_path, dev=PAIRS)
    answers = judged(model)
    assert [answer.meaning for answer in answers] == [pair.meaning for pair in PAIRS]
    epochs = model.metrics["epochs"]
    assert epochs[model.metrics["best_epoch"] - 1]["dev_accuracy"] == 1.0
    assert all(math.log(0.5) <= (answer.logp or 0.0) <= 0 for answer in answers)


class CutError(Exception):
    """The training is killed."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_killed_and_resumed_ends_with_the_same_weights(
    system: str, checkpoint: Path, tmp_path: Path
) -> None:
    extra = [] if system == "pair-bert" else ["unknown=0.1", "network.dropout=0.2"]
    settings = config(system, checkpoint, *extra)
    whole = train(system, settings, tmp_path / "whole")

    def kill(progress: TrainingProgress) -> None:
        if (progress.epoch, progress.batch) == (3, 2):
            raise CutError

    with pytest.raises(CutError):
        train(system, settings, tmp_path / "cut", on_progress=kill)
    resumed = train(system, settings, tmp_path / "cut", resume=True)
    assert same(whole, resumed)
    assert whole.metrics == resumed.metrics
    assert same(whole, train(system, settings, tmp_path / "cut", resume=True))
    with pytest.raises(InputError, match=r"cannot resume .*train\.seed was 1 and is 2"):
        train(system, with_overrides(settings, ["seed=2"]), tmp_path / "cut", resume=True)
    with pytest.raises(InputError, match="training data"):
        train(system, settings, tmp_path / "cut", PAIRS[1:], resume=True)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_model_comes_back_as_it_was(system: str, checkpoint: Path, tmp_path: Path) -> None:
    model = train(system, config(system, checkpoint), tmp_path)
    again = loaded(tmp_path)
    assert same(model, again)
    assert (again.settings, again.metrics) == (model.settings, model.metrics)
    assert (again.data, again.benchmark, again.notation) == ({"a": 1}, "mine", "")
    assert judged(again) == judged(model)
    assert system_of(tmp_path).name == again.system == system


@pytest.mark.skipif(not INSTALLED, reason="no transformers")
def test_a_fine_tuned_checkpoint_is_kept_whole_and_has_no_dropout(
    checkpoint: Path, tmp_path: Path
) -> None:
    base = Path(shutil.copytree(checkpoint, tmp_path / "base"))
    model = train("pair-bert", config("pair-bert", base), tmp_path / "model")
    before = judged(model)
    shutil.rmtree(base)
    again = loaded(tmp_path / "model")
    assert judged(again) == before
    rates = [m.p for m in again.predictor.network.modules() if isinstance(m, torch.nn.Dropout)]
    assert set(rates) == {0.0}
    assert (tmp_path / "model" / "model.safetensors").stat().st_size > 4 * sum(
        parameter.numel() for parameter in again.predictor.network.parameters()
    )


@pytest.mark.skipif(not INSTALLED, reason="no transformers")
def test_unusable_checkpoints_are_named(checkpoint: Path, tmp_path: Path) -> None:
    for path, message in (
        ("", r"pretrained\.path is empty"),
        ("./nowhere", r"'\./nowhere': no such folder"),
        (str(tmp_path), "no config.json there"),
    ):
        with pytest.raises(ConfigError, match=message):
            train("pair-bert", config("pair-bert", Path(), f"path={path!r}"), tmp_path / "m")
    base = Path(shutil.copytree(checkpoint, tmp_path / "base"))
    (base / "tokenizer.json").unlink()
    with pytest.raises(ConfigError, match="no tokenizer there"):
        train("pair-bert", config("pair-bert", base), tmp_path / "m")
    base = Path(shutil.copytree(checkpoint, tmp_path / "cut"))
    (base / "model.safetensors").write_bytes(b"")
    with pytest.raises(ConfigError, match="cannot be read as a classifier"):
        train("pair-bert", config("pair-bert", base), tmp_path / "m")


@pytest.mark.skipif(not INSTALLED, reason="no transformers")
def test_a_pair_too_long_for_the_checkpoint_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    long = example_of(LabelledPair("dogs " * 60, "dogs ran", "neutral", "depth0.adj.up", 7))
    with pytest.raises(CorpusError, match=r"^train\.tsv:7: .*expected at most 40"):
        train("pair-bert", config("pair-bert", checkpoint), tmp_path, [*PAIRS, long])


def test_vectors_are_what_training_begins_with(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    numbers = " 7.5" * 16
    path.write_text(f"dogs{numbers}\nrabbits{numbers}\nzebras{numbers}\n")
    settings = config(
        "pair-lstm", Path(), f"vectors={str(path)!r}", "learning_rate=0", "train.epochs=1"
    )
    model = train("pair-lstm", settings, tmp_path / "model")
    path.write_text("dogs 1\n")
    table = loaded(tmp_path / "model").predictor.network.encoder.embedding.table.weight  # type: ignore[union-attr,operator]
    assert (table == 7.5).all(1).sum() == 2  # type: ignore[union-attr]
    assert model.predictor.unknown(["Rabbits", "zebras"]) == ["zebras"]
    with pytest.raises(InputError, match=r"vectors\.txt:1: expected a word and 16 numbers"):
        train("pair-lstm", settings, tmp_path / "model")
    assert model.system == "pair-lstm"


def test_words_never_seen_are_read_as_unknown_by_the_lstm(tmp_path: Path) -> None:
    model = train("pair-lstm", config("pair-lstm", Path()), tmp_path)
    tokens = ("Some", "Purple", "dogs", "ran", ".")
    other = ("Some", "old", "dogs", "ran")
    seconds: dict[str, float] = {}
    [one, two] = model.answers(
        [(*tokens, "\t", *tokens), (*other, "\t", *tokens)], seconds=seconds
    )["argmax"]
    assert one.meaning == two.meaning
    assert seconds.keys() == {"classifying"}
    assert model.unknown(tokens) == model.unknown((*tokens, "\t", *tokens)) == ["purple"]
    assert "premise: expected a sentence" in str(model.problem((".", "\t", *tokens)))
    assert "expected a premise, a tab and a hypothesis" in str(model.problem(tokens))
    with pytest.raises(InputError, match="unknown decoder 'astar', expected argmax"):
        model.answers([], ["astar"])


def test_a_sentence_without_a_tree_is_a_problem(tmp_path: Path) -> None:
    model = train("pair-treelstm", config("pair-treelstm", Path()), tmp_path)
    good = tokenize("Some dogs ran.")
    purple = tokenize("Purple dogs ran.")
    assert model.problem((*good, "\t", *good)) is None
    assert "hypothesis: unknown word 'Purple'" in str(model.problem((*good, "\t", *purple)))
    assert "premise: no sentence" in str(model.problem(("No", "\t", *good)))
    assert model.answers([]) == {"argmax": []}
    bad = example_of(LabelledPair("Some dogs ran.", "Dogs.", "neutral", "depth0.adj.up", 9))
    with pytest.raises(CorpusError, match=r"^train\.tsv:9: hypothesis: no sentence"):
        train("pair-treelstm", config("pair-treelstm", Path()), tmp_path, [*PAIRS, bad])


def test_nothing_to_train_on_is_told(tmp_path: Path) -> None:
    settings = config("pair-lstm", Path())
    with pytest.raises(InputError, match="no examples"):
        train("pair-lstm", settings, tmp_path, [])
    with pytest.raises(InputError, match=r"train\.select = 'accuracy' needs dev"):
        train("pair-lstm", settings, tmp_path, dev=[])
    wrong = Example(PAIRS[0].tokens, "maybe", line=3)
    with pytest.raises(CorpusError, match=r"^train\.tsv:3: label 'maybe', expected entailment or"):
        train("pair-lstm", settings, tmp_path, [wrong])


def test_damaged_folders_are_refused(tmp_path: Path) -> None:
    train("pair-lstm", config("pair-lstm", Path(), "train.epochs=1"), tmp_path)
    with pytest.raises(ModelError, match="a model of 'pair-lstm', expected amparser"):
        Parser.load(tmp_path, "cpu")
    path = tmp_path / "model.json"
    head = json.loads(path.read_text())
    del head["checksums"]
    vocabulary = head["content"]["vocabulary"]
    for changes, message in (
        ({"content": {"vocabulary": vocabulary[1:]}}, "has shape"),
        ({"content": {}}, "vocabulary"),
        ({"system": "gru"}, "notation = .*: expected one of cogs"),
        (
            {"system": "pair-bert", "settings": {}},
            "configuration of the pretrained model is missing",
        ),
        ({"metrics": None}, "metrics = None: expected an object"),
        ({"format": "amparser-checkpoint"}, "not an amparser-model file"),
    ):
        path.write_text(json.dumps({**head, **changes}))
        with pytest.raises(ModelError, match=message):
            load(tmp_path, "cpu")
