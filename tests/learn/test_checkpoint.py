"""Model folders round-trip, and damaged ones are refused."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from toy_language import LEARNED, LEXICON, toy_examples

from amparser.corpora.corpus import Corpus
from amparser.errors import InputError, ModelError
from amparser.learn.checkpoint import Checkpoints, TrainingIdentity
from amparser.learn.model_folder import head_of, read_head, write_model
from amparser.learn.settings import to_dict, with_overrides
from amparser.learn.system import PARSER
from amparser.nn.encoders.encoder import encoder_of_train
from amparser.nn.scorer import Ensemble
from amparser.nn.scores import scores_of
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.parser import Parser
from amparser.presets.nodes.model import NODE, NodeLearned, NodeModel
from amparser.presets.settings import NodeSettings
from amparser.schema import to_json
from amparser.working_folder import WORKING

CONFIG = with_overrides(
    NodeSettings(), ["encoder.word_size=4", "encoder.hidden_size=4", "supertag.composed=false"]
)
COMPOSED = with_overrides(CONFIG, ["supertag.composed=true"])
SENTENCES = [example.tokens for example in toy_examples(5, seed=1)]
CONTENT = to_json(LEARNED, NodeLearned)
LEXICON_JSON = CONTENT["lexicon"]


def network_of(settings: NodeSettings) -> Ensemble:
    torch.manual_seed(1)
    words = vocabulary_from_sentences(SENTENCES)
    return NODE.network(settings, LEARNED, lambda: encoder_of_train(settings.encoder, words)).eval()


def save(folder: Path, settings: NodeSettings = CONFIG) -> Parser:
    network = network_of(settings)
    content = {**CONTENT, "encoder": network.encoder.to_dict()}
    metrics = {"best_epoch": 1}
    head = head_of(PARSER, settings, Corpus([], []), metrics, content)
    write_model(folder, head, network.state_dict())
    return Parser(head, NodeModel(settings, LEARNED, network))


def network_in(folder: Path) -> Ensemble:
    network: Ensemble = Parser.load(folder, "cpu").model.network  # type: ignore[attr-defined]
    return network


@pytest.fixture
def folder(tmp_path) -> Path:
    save(tmp_path)
    return tmp_path


def change_json(folder: Path, **changes: Any) -> None:
    path = folder / "model.json"
    content = json.loads(path.read_text())
    del content["checksums"]
    inner = {key: value for key, value in changes.items() if key in content["content"]}
    outer = {key: value for key, value in changes.items() if key not in inner}
    path.write_text(json.dumps({**content, "content": {**content["content"], **inner}, **outer}))


def check_same_scores(expected: Ensemble, found: Ensemble) -> None:
    assert not found.training
    for a, b in zip(*(scores_of(n, SENTENCES) for n in (expected, found)), strict=True):
        assert np.array_equal(a.supertag_logp, b.supertag_logp)
        assert np.array_equal(a.edge_logp, b.edge_logp)


def test_model_round_trips(tmp_path) -> None:
    expected, found = save(tmp_path), Parser.load(tmp_path, "cpu")
    assert (found.settings, found.metrics) == (expected.settings, expected.metrics)
    assert found.model.learned == LEARNED
    check_same_scores(network_of(CONFIG), found.model.network)


def test_a_network_over_parts_round_trips(tmp_path) -> None:
    save(tmp_path, COMPOSED)
    found = network_in(tmp_path)
    assert found.needs.tags.parts == LEXICON.supertag_parts
    check_same_scores(network_of(COMPOSED), found)


def test_equal_models_are_written_as_equal_bytes(folder, tmp_path) -> None:
    again = tmp_path / "again"
    again.mkdir()
    loaded = Parser.load(folder, "cpu")
    content = to_json(loaded.model.learned, NodeLearned)
    kept = {**content, "encoder": loaded.model.network.encoder.to_dict()}
    write_model(again, replace(loaded.head, content=kept), loaded.model.network.state_dict())
    for name in ("model.json", "model.safetensors"):
        assert (again / name).read_bytes() == (folder / name).read_bytes()


def test_loading_keeps_the_state_of_the_generator(folder) -> None:
    state = torch.random.get_rng_state()
    Parser.load(folder, "cpu")
    assert torch.equal(torch.random.get_rng_state(), state)


def truncate(name: str, keep: float) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: int(keep * len(content))])

    return damage


def without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def other_weights(folder: Path) -> None:
    path = folder / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def json_of(**changes: Any) -> Callable[[Path], None]:
    return lambda folder: change_json(folder, **changes)


def lexicon_of(**changes: Any) -> Callable[[Path], None]:
    return json_of(lexicon={**LEXICON_JSON, **changes})


def another_shape(folder: Path) -> None:
    smaller = network_of(CONFIG).state_dict()
    smaller["0.root"] = smaller["0.root"][:-1]
    write_model(folder, read_head(folder), smaller)


def huge_weights(folder: Path) -> None:
    huge = {name: tensor.fill_(1e38) for name, tensor in network_of(CONFIG).state_dict().items()}
    write_model(folder, read_head(folder), huge)


BROKEN_CONFIG = {**to_dict(CONFIG), "encoder": {"layers": 0}}


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (without("model.json"), r"not a model folder: model\.json is missing"),
        (without("model.safetensors"), r"model\.safetensors: cannot read the weights: No such"),
        (truncate("model.json", 0.5), r"model\.json: truncated or not JSON"),
        (truncate("model.safetensors", 0.9), r"model\.safetensors: truncated, damaged"),
        (other_weights, r"model\.safetensors: truncated, damaged or of another training"),
        (
            json_of(format_version=99),
            r"model\.json: format_version = 99: amparser .* reads 7; train the model again: amp",
        ),
        (json_of(settings=BROKEN_CONFIG), r"model\.json: encoder\.layers = 0: expected"),
        (
            lexicon_of(operations=["ROOT", "IGNORE"]),
            r"lexicon\.operations = \['ROOT', 'IGNORE'\]: ",
        ),
        (lexicon_of(templates=[None]), r"lexicon\.templates: length 1, expected 5, one for each"),
        (lexicon_of(supertags=[None, *4 * ["(i) (s"]]), r"content\.lexicon\.supertags\[1\]: type "),
        (
            another_shape,
            r"model\.safetensors: the tensor '0\.root' has shape \[7\], expected \[8\]",
        ),
        (huge_weights, r"the tensor '0\.encoder\..*' has values that are too large"),
        (
            json_of(settings=to_dict(with_overrides(CONFIG, ["encoder.layers=2"]))),
            r"the tensor '0\.encoder\.context\..*_l1.*' is missing",
        ),
    ],
)
def test_damaged_folder_is_refused_in_one_line(folder, damage, message) -> None:
    damage(folder)
    with pytest.raises(ModelError, match=message) as caught:
        Parser.load(folder, "cpu")
    assert str(caught.value).startswith(str(folder))
    assert "\n" not in str(caught.value)


def test_unknown_device_is_named(folder) -> None:
    with pytest.raises(InputError, match="device 'gpu': expected one of auto, cpu, cuda"):
        Parser.load(folder, "gpu")


def test_the_latest_checkpoint_has_the_highest_number(tmp_path) -> None:
    checkpoints = Checkpoints(tmp_path, TrainingIdentity("amparser", {}, ""))
    assert checkpoints.latest() is None
    (tmp_path / WORKING).mkdir()
    for number in (2, 9999, 10000, 11):
        (tmp_path / WORKING / f"checkpoint-{number:04d}.json").touch()
    assert checkpoints.latest() == "checkpoint-10000"
