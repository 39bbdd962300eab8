"""Laws of sequence-to-sequence networks: steps equal the whole, padding has no effect."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from amparser.baselines.networks import Seq2SeqNetwork, sinusoids
from amparser.baselines.settings import NetworkSettings
from amparser.baselines.vocabulary import (
    BEGIN,
    PADDING,
    UNKNOWN,
    TokenVocabulary,
    padded,
    vocabulary_of,
    words_of,
)
from amparser.errors import ConfigError
from amparser.learn.system_registry import SYSTEMS as REGISTRY

SMALL = NetworkSettings(hidden_size=16, embedding_size=12, heads=4, feedforward_size=20)
SOURCE_SIZE, TARGET_SIZE = 11, 9
SYSTEMS = ("transformer", "lstm", "bilstm", "gru")


def network(system: str, settings: NetworkSettings = SMALL, seed: int = 0) -> Seq2SeqNetwork:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return REGISTRY[system].build(settings, SOURCE_SIZE, TARGET_SIZE).eval()


def sentences() -> Tensor:
    return padded([[4, 5, 6, 7, 8], [9], [10, 4, 4]])


TARGET = torch.tensor([[BEGIN, 4, 5, 6, 7], [BEGIN, 8, 8, 4, 5], [BEGIN, 5, 4, 8, 7]])


@pytest.mark.parametrize(
    ("system", "other"),
    [
        *((system, {}) for system in SYSTEMS),
        *((system, {"input_feeding": False}) for system in SYSTEMS[1:]),
        ("transformer", {"tied_embedding": True, "scaling": "up"}),
    ],
)
@torch.no_grad()
def test_word_by_word_has_the_logits_of_all_at_once(system, other) -> None:
    found = network(system, replace(SMALL, **other))
    source = sentences()
    together = found(source, TARGET)
    state = found.start(source)
    for position in range(TARGET.shape[1]):
        logits, state = found.step(TARGET[:, position], state)
        torch.testing.assert_close(logits, together[:, position], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("system", SYSTEMS)
@torch.no_grad()
def test_padding_and_neighbours_change_nothing(system) -> None:
    found = network(system)
    source = sentences()
    together = found(source, TARGET)
    for row in range(len(source)):
        alone = found(source[[row]][:, source[row] != PADDING], TARGET[[row]])
        torch.testing.assert_close(alone[0], together[row], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("system", SYSTEMS)
@torch.no_grad()
def test_later_words_change_no_earlier_logits(system) -> None:
    found = network(system)
    source = sentences()
    other = TARGET.clone()
    other[:, 3:] = 4
    left, right = found(source, TARGET), found(source, other)
    torch.testing.assert_close(left[:, :3], right[:, :3])
    assert not torch.allclose(left[:, 3:], right[:, 3:])


@pytest.mark.parametrize("system", SYSTEMS)
def test_order_of_the_sentence_matters_and_every_weight_learns(system) -> None:
    found = network(system)
    source = sentences()
    with torch.no_grad():
        turned = source.clone()
        turned[0] = source[0].flip(0)
        assert not torch.allclose(found(source, TARGET), found(turned, TARGET))
    found(source, TARGET).square().sum().backward()
    assert not [name for name, p in found.named_parameters() if p.grad is None]


def test_scaling_brings_words_and_positions_to_one_scale() -> None:
    """`down` divides positions by the root of the width, `up` multiplies words by it."""
    word, position = torch.tensor([[4, 4]]), sinusoids(2, 16)
    up, down = replace(SMALL, scaling="up"), replace(SMALL, scaling="down")
    for settings, word_scale, position_scale in ((down, 1.0, 0.25), (up, 4.0, 1.0)):
        found = network("transformer", settings)
        embedding = found.target_embedding
        torch.testing.assert_close(
            found._embedded(embedding, word),
            embedding(word) * word_scale + position * position_scale,
        )


@torch.no_grad()
def test_tied_output_has_the_weights_of_the_target_embedding() -> None:
    tied = network("transformer", replace(SMALL, tied_embedding=True))
    source = sentences()
    before = tied(source, TARGET)
    tied.target_embedding.weight[UNKNOWN, 0] += 1.0  # of a word that no target has
    changed = (tied(source, TARGET) - before).abs().amax((0, 1))
    assert changed[UNKNOWN] > 0.1
    assert changed.sum() == pytest.approx(float(changed[UNKNOWN]), abs=1e-4)


def test_sinusoids_are_those_of_the_definition() -> None:
    table = sinusoids(3, 8)
    for position in range(3):
        for i in range(4):
            angle = torch.tensor(position / 10_000 ** (2 * i / 8))
            assert table[position, 2 * i] == pytest.approx(float(angle.sin()), abs=1e-6)
            assert table[position, 2 * i + 1] == pytest.approx(float(angle.cos()), abs=1e-6)


def test_sizes_that_do_not_go_together_are_named() -> None:
    with pytest.raises(ConfigError, match=r"network\.heads = 5"):
        network("transformer", replace(SMALL, heads=5))
    with pytest.raises(ConfigError, match="bilstm needs an even"):
        network("bilstm", replace(SMALL, hidden_size=15))


def test_vocabulary_gives_words_back_and_marks_others() -> None:
    words = TokenVocabulary(words_of([("b", "a"), ("a", "c")]))
    assert words.words == ["a", "b", "c"]
    assert words.tokens(words.ids(["c", "x", "a"])) == ("c", "<unk>", "a")
    assert words.ids(["x"]) == [UNKNOWN]
    assert vocabulary_of({"words": list(words.words)}, "words") == words


def test_vocabulary_has_no_addresses_and_long_numbers() -> None:
    assert words_of([("call", "97165510"), ("ann@post.no", "www.tt.no", "1945")]) == [
        "1945",
        "call",
    ]
