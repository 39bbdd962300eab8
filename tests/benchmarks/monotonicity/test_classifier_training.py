"""Training of the pair classifiers."""

import gzip
import math
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from command_line import ok
from toy_pairs import toy_pairs, write_pairs
from trainings import LABELS, SCRATCH_PAIRS, loaded, needs_pretrained, settings_of, train

from amparser.baselines.system import PredictorModel
from amparser.benchmarks.monotonicity.pairs import LabelledPair, example_of
from amparser.corpora.example import Example
from amparser.corpora.tokens import tokenize
from amparser.errors import ConfigError, CorpusError, InputError
from amparser.results import Result

PAIRS = LABELS
SYSTEMS = [*SCRATCH_PAIRS, pytest.param("pair-bert", marks=needs_pretrained)]


def judged(model: PredictorModel, pairs: Sequence[Example] = PAIRS) -> list[Result]:
    return model.answers([pair.tokens for pair in pairs])["greedy"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_training_pairs_are_learned(system, request, tmp_path) -> None:
    bert = system == "pair-bert"
    checkpoint = request.getfixturevalue("checkpoints")[system] if bert else None
    settings = settings_of(system, checkpoint, "train.epochs=40", "patience=40")
    model = train(system, settings, tmp_path, dev=PAIRS)
    answers = judged(model)
    assert [answer.meaning for answer in answers] == [pair.meaning for pair in PAIRS]
    epochs = model.metrics["epochs"]
    assert epochs[model.metrics["best_epoch"] - 1]["dev_accuracy"] == 1.0
    assert all(math.log(0.5) <= (answer.logp or 0.0) <= 0 for answer in answers)


@needs_pretrained
def test_a_fine_tuned_model_needs_no_checkpoint_and_has_no_dropout(checkpoints, tmp_path) -> None:
    base = Path(shutil.copytree(checkpoints["pair-bert"], tmp_path / "base"))
    model = train("pair-bert", settings_of("pair-bert", base), tmp_path / "model")
    before = judged(model)
    shutil.rmtree(base)
    again = loaded(tmp_path / "model")
    assert judged(again) == before
    rates = [m.p for m in again.predictor.network.modules() if isinstance(m, torch.nn.Dropout)]
    assert set(rates) == {0.0}
    assert (tmp_path / "model" / "model.safetensors").stat().st_size > 4 * sum(
        parameter.numel() for parameter in again.predictor.network.parameters()
    )


@needs_pretrained
def test_an_unreadable_checkpoint_is_an_error(checkpoints, tmp_path) -> None:
    base = Path(shutil.copytree(checkpoints["pair-bert"], tmp_path / "cut"))
    (base / "model.safetensors").write_bytes(b"")
    with pytest.raises(ConfigError, match="cannot be read as a classifier"):
        train("pair-bert", settings_of("pair-bert", base), tmp_path / "m")


@needs_pretrained
def test_a_pair_too_long_for_the_checkpoint_is_refused(checkpoints, tmp_path) -> None:
    long = example_of(LabelledPair("dogs " * 60, "dogs ran", "neutral", "depth0.adj.up", 7))
    settings = settings_of("pair-bert", checkpoints["pair-bert"])
    with pytest.raises(CorpusError, match=r"^train\.tsv:7: .*expected at most 40"):
        train("pair-bert", settings, tmp_path, [*PAIRS, long])


def test_the_lstm_reads_unseen_words_as_unknown(tmp_path) -> None:
    model = train("pair-lstm", settings_of("pair-lstm", None), tmp_path)
    tokens = ("Some", "Purple", "dogs", "ran", ".")
    other = ("Some", "old", "dogs", "ran")
    seconds: dict[str, float] = {}
    [one, two] = model.answers(
        [(*tokens, "\t", *tokens), (*other, "\t", *tokens)], seconds=seconds
    )["greedy"]
    assert one.meaning == two.meaning
    assert seconds.keys() == {"classifying greedy"}
    assert "premise: expected a sentence" in str(model.problem((".", "\t", *tokens)))
    assert "expected a premise, a tab and a hypothesis" in str(model.problem(tokens))
    with pytest.raises(InputError, match="unknown decoder 'astar', expected greedy"):
        model.answers([], ["astar"])


def test_training_reads_a_compressed_file_of_pairs(tmp_path) -> None:
    packed = tmp_path / "some.tsv.gz"
    packed.write_bytes(gzip.compress(write_pairs(tmp_path / "a.tsv", toy_pairs()).read_bytes()))
    small = "hidden_size=24 embedding_size=16 classifier_size=16 train.epochs=2 train.device=cpu"
    sets = [part for each in small.split() for part in ("--set", each)]
    system = ("--system", "pair-lstm")
    printed = ok("train", "monotonicity", *system, "--data", packed, "-o", tmp_path / "m", *sets)
    assert "pair-lstm, loss " in printed
    assert printed.splitlines()[-1].startswith("there is no dev file")
    model = loaded(tmp_path / "m")
    assert (model.benchmark, model.data["train"]["file"]) == ("monotonicity", packed.name)


def test_a_sentence_without_a_tree_is_refused(tmp_path) -> None:
    model = train("pair-treelstm", settings_of("pair-treelstm", None), tmp_path)
    good = tokenize("Some dogs ran.")
    purple = tokenize("Purple dogs ran.")
    assert model.problem((*good, "\t", *good)) is None
    assert "hypothesis: unknown word 'Purple'" in str(model.problem((*good, "\t", *purple)))
    assert "premise: not a sentence" in str(model.problem(("No", "\t", *good)))
    assert model.answers([]) == {"greedy": []}
    bad = example_of(LabelledPair("Some dogs ran.", "Dogs.", "neutral", "depth0.adj.up", 9))
    with pytest.raises(CorpusError, match=r"^train\.tsv:9: hypothesis: not a sentence"):
        train("pair-treelstm", settings_of("pair-treelstm", None), tmp_path, [*PAIRS, bad])
