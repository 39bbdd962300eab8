"""Training of classifiers of pairs: it learns, resumes, and is kept whole."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import pytest
import torch
from amparser.learn.config import with_overrides
from amparser.learn.fit import trained_parameters
from tiny_checkpoints import write_bert
from toy_pairs import toy_pairs

from amparser.baselines.from_scratch import load_pairs_model
from amparser.benchmarks.monotonicity.classifiers.model import (
    Judgement,
    NLIConfig,
    NLIModel,
    PairError,
    load_nli,
    train_nli,
)
from amparser.benchmarks.monotonicity.classifiers.settings import BertConfig, ScratchConfig
from amparser.benchmarks.monotonicity.pairs import LabelledPair
from amparser.corpora.tokens import tokenize
from amparser.errors import ConfigError, InputError, ModelError
from amparser.learn.progress import TrainingProgress
from amparser.learn.systems import classifies, load_seq2seq, system_of_model

torch.set_num_threads(1)

PAIRS = toy_pairs()
DEV = PAIRS[::5]
WORDS = {word for pair in PAIRS for text in pair[:2] for word in tokenize(text)}
INSTALLED = importlib.util.find_spec("transformers") is not None
SYSTEMS = [
    "lstm",
    "treelstm",
    pytest.param("bert", marks=pytest.mark.skipif(not INSTALLED, reason="no transformers")),
]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not INSTALLED:
        return Path("nowhere")
    return write_bert(tmp_path_factory.mktemp("bert"), WORDS)


def config(system: str, checkpoint: Path, *overrides: str) -> NLIConfig:
    train = ["train.device=cpu", "batch_size=8", "max_epochs=3"]
    if system == "bert":
        own = [f"pretrained.path={str(checkpoint)!r}", "learning_rate=0.003"]
        return with_overrides(BertConfig(), [*train, *own, *overrides])
    own = [
        f"system={system}", "hidden_size=24", "embedding_size=16", "classifier_size=32",
        "learning_rate=0.005", "layers=2",
    ]  # fmt: skip
    return with_overrides(ScratchConfig(), [*train, *own, *overrides])


def weights(model: NLIModel) -> dict[str, torch.Tensor]:
    return {n: p.detach().clone() for n, p in trained_parameters(model.classifier.network).items()}


def same(left: NLIModel, right: NLIModel) -> bool:
    one, other = weights(left), weights(right)
    return one.keys() == other.keys() and all(torch.equal(one[k], other[k]) for k in one)


def judged(model: NLIModel, pairs: list[LabelledPair] = PAIRS) -> list[Judgement | InputError]:
    return model.judgements([(tokenize(p.premise), tokenize(p.hypothesis)) for p in pairs])


@pytest.mark.parametrize("system", SYSTEMS)
def test_all_pairs_are_learned(system: str, checkpoint: Path, tmp_path: Path) -> None:
    settings = config(system, checkpoint, "max_epochs=40", "patience=40")
    model = train_nli(PAIRS, PAIRS, settings, tmp_path)
    answers = judged(model)
    assert [answer.label for answer in answers] == [pair.label for pair in PAIRS]  # type: ignore[union-attr]
    epochs = model.metrics["epochs"]
    assert epochs[model.metrics["best_epoch"] - 1]["dev_accuracy"] == 1.0
    assert all(0.5 <= answer.probability <= 1 for answer in answers)  # type: ignore[union-attr]


class CutError(Exception):
    """The training is killed."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_killed_and_resumed_ends_with_the_same_weights(
    system: str, checkpoint: Path, tmp_path: Path
) -> None:
    extra = [] if system == "bert" else ["unknown=0.1", "network.dropout=0.2"]
    settings = config(system, checkpoint, *extra)
    whole = train_nli(PAIRS, DEV, settings, tmp_path / "whole")

    def kill(progress: TrainingProgress) -> None:
        if (progress.epoch, progress.batch) == (3, 2):
            raise CutError

    with pytest.raises(CutError):
        train_nli(PAIRS, DEV, settings, tmp_path / "cut", on_progress=kill)
    resumed = train_nli(PAIRS, DEV, settings, tmp_path / "cut", resume=True)
    assert same(whole, resumed)
    assert whole.metrics == resumed.metrics
    assert same(whole, train_nli(PAIRS, DEV, settings, tmp_path / "cut", resume=True))
    with pytest.raises(InputError, match=r"cannot resume .*train\.seed was 1 and is 2"):
        train_nli(PAIRS, DEV, with_overrides(settings, ["seed=2"]), tmp_path / "cut", resume=True)
    with pytest.raises(InputError, match="training data"):
        train_nli(PAIRS[1:], DEV, settings, tmp_path / "cut", resume=True)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_model_comes_back_as_it_was(system: str, checkpoint: Path, tmp_path: Path) -> None:
    model = train_nli(PAIRS, DEV, config(system, checkpoint), tmp_path, data={"a": 1})
    again = load_nli(tmp_path, "cpu")
    assert same(model, again)
    assert (again.config, again.data, again.metrics) == (model.config, {"a": 1}, model.metrics)
    assert judged(again) == judged(model)
    assert system_of_model(tmp_path) == system
    assert classifies(tmp_path)


@pytest.mark.skipif(not INSTALLED, reason="no transformers")
def test_a_fine_tuned_checkpoint_is_kept_whole_and_has_no_dropout(
    checkpoint: Path, tmp_path: Path
) -> None:
    base = Path(shutil.copytree(checkpoint, tmp_path / "base"))
    model = train_nli(PAIRS, DEV, config("bert", base), tmp_path / "model")
    before = judged(model)
    shutil.rmtree(base)
    again = load_nli(tmp_path / "model", "cpu")
    assert judged(again) == before
    rates = [m.p for m in again.classifier.network.modules() if isinstance(m, torch.nn.Dropout)]
    assert set(rates) == {0.0}
    assert (tmp_path / "model" / "model.safetensors").stat().st_size > 4 * sum(
        parameter.numel() for parameter in again.classifier.network.parameters()
    )


@pytest.mark.skipif(not INSTALLED, reason="no transformers")
def test_unusable_checkpoints_are_named(checkpoint: Path, tmp_path: Path) -> None:
    for path, message in (
        ("", r"pretrained\.path is empty"),
        ("./nowhere", r"'\./nowhere': no such folder"),
        (str(tmp_path), "no config.json there"),
    ):
        with pytest.raises(ConfigError, match=message):
            train_nli(PAIRS, DEV, config("bert", Path(), f"path={path!r}"), tmp_path / "m")
    base = Path(shutil.copytree(checkpoint, tmp_path / "base"))
    (base / "tokenizer.json").unlink()
    with pytest.raises(ConfigError, match="no tokenizer there"):
        train_nli(PAIRS, DEV, config("bert", base), tmp_path / "m")
    base = Path(shutil.copytree(checkpoint, tmp_path / "cut"))
    (base / "model.safetensors").write_bytes(b"")
    with pytest.raises(ConfigError, match="cannot be read as a classifier"):
        train_nli(PAIRS, DEV, config("bert", base), tmp_path / "m")


@pytest.mark.skipif(not INSTALLED, reason="no transformers")
def test_a_pair_too_long_for_the_checkpoint_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    long = LabelledPair("dogs " * 60, "dogs ran", "neutral", "depth0.adj.up", 7)
    with pytest.raises(PairError, match="expected at most 40") as caught:
        train_nli([*PAIRS, long], DEV, config("bert", checkpoint), tmp_path)
    assert caught.value.line == 7


def test_vectors_are_what_training_begins_with(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    numbers = " 7.5" * 16
    path.write_text(f"dogs{numbers}\nrabbits{numbers}\nzebras{numbers}\n")
    settings = config("lstm", Path(), f"vectors={str(path)!r}", "learning_rate=0", "max_epochs=1")
    model = train_nli(PAIRS, DEV, settings, tmp_path / "model")
    path.write_text("dogs 1\n")
    table = load_nli(tmp_path / "model").classifier.network.encoder.embedding.table.weight  # type: ignore[union-attr,operator]
    assert (table == 7.5).all(1).sum() == 2  # type: ignore[union-attr]
    assert model.classifier.unknown(["Rabbits", "zebras"]) == ["zebras"]
    with pytest.raises(InputError, match=r"vectors\.txt:1: expected a word and 16 numbers"):
        train_nli(PAIRS, DEV, settings, tmp_path / "model")
    assert model.system == "lstm"


def test_words_never_seen_are_read_as_unknown_by_the_lstm(tmp_path: Path) -> None:
    model = train_nli(PAIRS, DEV, config("lstm", Path()), tmp_path)
    tokens = ("Some", "Purple", "dogs", "ran", ".")
    [one, other] = model.judgements([(tokens, tokens), (("Some", "old", "dogs", "ran"), tokens)])
    assert isinstance(one, Judgement)
    assert one.label == other.label  # type: ignore[union-attr]
    assert model.classifier.unknown(tokens) == ["purple"]
    [empty] = model.judgements([((".",), tokens)])
    assert "premise: expected a sentence" in str(empty)


def test_a_sentence_without_a_tree_has_no_judgement(tmp_path: Path) -> None:
    model = train_nli(PAIRS, DEV, config("treelstm", Path()), tmp_path)
    good = tokenize("Some dogs ran.")
    found = model.judgements([(good, tokenize("Purple dogs ran.")), (good, good), (("No",), good)])
    assert isinstance(found[1], Judgement)
    assert "hypothesis: unknown word 'Purple'" in str(found[0])
    assert "premise: no sentence" in str(found[2])
    assert model.judgements([]) == []
    bad = LabelledPair("Some dogs ran.", "Dogs.", "neutral", "depth0.adj.up", 9)
    with pytest.raises(PairError, match="hypothesis: no sentence") as caught:
        train_nli([*PAIRS, bad], DEV, config("treelstm", Path()), tmp_path)
    assert caught.value.line == 9


def test_nothing_to_train_on_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no examples"):
        train_nli([], DEV, config("lstm", Path()), tmp_path)
    with pytest.raises(InputError, match=r"train\.select = 'accuracy' needs dev"):
        train_nli(PAIRS, [], config("lstm", Path()), tmp_path)


def test_damaged_folders_are_refused(tmp_path: Path) -> None:
    train_nli(PAIRS, DEV, config("lstm", Path(), "max_epochs=1"), tmp_path)
    with pytest.raises(ModelError, match="not an amparser-seq2seq-model file"):
        load_pairs_model(tmp_path, "cpu")
    with pytest.raises(InputError, match="lstm classifies pairs of sentences"):
        load_seq2seq(tmp_path, "cpu")
    path = tmp_path / "model.json"
    content = json.loads(path.read_text())
    for key, value, message in (
        ("vocabulary", content["vocabulary"][1:], "has shape"),
        ("vocabulary", None, "vocabulary"),
        ("config", {**content["config"], "system": "gru"}, "system = 'gru': expected one of"),
        ("config", {"system": "bert"}, "configuration of the pretrained model is missing"),
        ("metrics", None, "'metrics' is missing"),
        ("format", "amparser-model", "not an amparser-nli-model file"),
    ):
        path.write_text(json.dumps({**content, key: value}))
        with pytest.raises(ModelError, match=message):
            load_nli(tmp_path, "cpu")
    path.write_text(json.dumps({**content, "system": "transformer"}))
    with pytest.raises(ModelError, match="no model of amparser"):
        system_of_model(tmp_path)
