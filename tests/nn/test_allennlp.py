"""AllenNLP's layers behind the package's interfaces, if they are installed."""

import importlib.util
from typing import get_args

import numpy as np
import pytest
import torch
from toy_language import build_network, toy_examples, train_toy

from amparser.errors import ConfigError
from amparser.learn.settings import with_overrides
from amparser.nn.scorer import Ensemble
from amparser.nn.scores import scores_of
from amparser.nn.settings import EncoderType
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.parser import Parser
from amparser.presets.settings import NodeSettings

INSTALLED = importlib.util.find_spec("allennlp_light") is not None
ENCODERS = [name for name in get_args(EncoderType) if name.startswith("allennlp-")]
SENTENCES = [example.tokens for example in toy_examples(6, seed=1)]

needs_allennlp = pytest.mark.skipif(
    not INSTALLED, reason="AllenNLP is not installed: pip install 'amparser[allennlp]'"
)


def config(*overrides: str) -> NodeSettings:
    sizes = ["encoder.word_size=16", "encoder.hidden_size=24", "edge.content_dropout=0.2"]
    training = ["train.learning_rate=1e-2", "train.batch_tokens=200", "train.device=cpu"]
    return with_overrides(NodeSettings(), [*sizes, *training, *overrides])


def network(*overrides: str) -> Ensemble:
    torch.manual_seed(1)
    words, chosen = vocabulary_from_sentences(SENTENCES), config(*overrides)
    return build_network(chosen, words)


@pytest.mark.skipif(INSTALLED, reason="AllenNLP is installed")
@pytest.mark.parametrize("override", ["encoder.type=allennlp-gru", "edge.type=allennlp-bilinear"])
def test_missing_extra_is_named_with_the_command_that_installs_it(override) -> None:
    with pytest.raises(ConfigError, match=r"pip install 'amparser\[allennlp\]'") as caught:
        network(override)
    assert override.split("=")[0] in str(caught.value)


@needs_allennlp
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("encoder", ENCODERS)
def test_score_does_not_depend_on_the_batch(encoder, layers) -> None:
    model = network(f"encoder.type={encoder}", f"encoder.layers={layers}").eval()
    for tokens, scores in zip(SENTENCES, scores_of(model, SENTENCES), strict=True):
        (alone,) = scores_of(model, [tokens])
        np.testing.assert_allclose(scores.supertag_logp, alone.supertag_logp, atol=1e-4)
        np.testing.assert_allclose(scores.edge_logp, alone.edge_logp, atol=1e-4)


@needs_allennlp
@pytest.mark.parametrize(
    "overrides",
    [
        ["encoder.type=allennlp-lstm", "edge.type=allennlp-bilinear", "train.epochs=12"],
        ["encoder.type=allennlp-gru", "train.epochs=5"],
    ],
)
def test_toy_language_is_learned_and_kept(tmp_path, overrides) -> None:
    examples, dev = toy_examples(600, seed=3), toy_examples(60, seed=2)
    model = train_toy(examples, dev, config(*overrides), tmp_path)
    assert model.metrics["epochs"][-1]["dev_accuracy"] >= 0.95
    (expected,) = scores_of(model.model.network, SENTENCES[:1])
    (found,) = scores_of(Parser.load(tmp_path, "cpu").model.network, SENTENCES[:1])
    assert np.array_equal(found.edge_logp, expected.edge_logp)
