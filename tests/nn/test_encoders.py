"""Encoders: vectors from words, letters and shapes, and encoders of plug-ins."""

import pytest
import torch
from toy_language import SENTENCES

from amparser.errors import ConfigError, ModelError
from amparser.nn.encoders.encoder import encoder_from_dict, encoder_of_train
from amparser.nn.encoders.words_letters import WordsLetters
from amparser.nn.settings import EncoderSettings
from amparser.nn.vocabulary import UNKNOWN, vocabulary_from_sentences

VOCABULARY = vocabulary_from_sentences(SENTENCES[:2])


class Lower(EncoderSettings):
    capitals = False
    affix_size = 3


class Spelled(EncoderSettings):
    affix_size = 3
    shape_size = 2
    letter_dropout = 0.5


class Silent(Lower):
    affix_size = 0
    letter_dropout = 0.5


PARTS = {
    "words": EncoderSettings(word_size=6, hidden_size=5),
    "letters": Lower(word_size=0, letter_size=4, hidden_size=5, buckets=64),
    "all": Spelled(
        word_size=6,
        letter_size=5,
        prefix_size=4,
        hidden_size=5,
        layers=2,
        buckets=64,
        rare_dropout=1.0,
        word_rate=0.3,
    ),
}


def test_vocabulary_joins_cases_and_keeps_the_capital() -> None:
    batch = VOCABULARY.batch([["The", "the", "THE"], ["dog"]])
    assert len(set(batch.words[0].tolist())) == 1
    assert batch.capitals.tolist() == [[1, 0, 1], [0, 0, 0]]
    assert batch.words[1].tolist() == [UNKNOWN, 0, 0]
    assert batch.mask.tolist() == [[True, True, True], [True, False, False]]


def test_vocabulary_does_not_depend_on_the_order_of_sentences() -> None:
    assert vocabulary_from_sentences(SENTENCES) == vocabulary_from_sentences(SENTENCES[::-1])


def test_rare_words_are_dropped_only_in_training() -> None:
    torch.manual_seed(1)
    vocabulary = vocabulary_from_sentences([["rare"], *[["often"]] * 1000])
    encoder = WordsLetters(EncoderSettings(word_size=3, dropout=0.0), vocabulary)
    ids = vocabulary.ids(["rare", "often"])
    assert encoder.unknown_rates[ids].tolist() == pytest.approx([1 / 2, 1 / 1001])
    batch = encoder.batch([["rare"]] * 400)
    unknown = encoder.batch([["other"]])
    dropped = encoder(batch).embedded == encoder(unknown).embedded
    assert 0.4 < dropped.all(-1).float().mean() < 0.6
    encoder.eval()
    assert not (encoder(batch).embedded == encoder(unknown).embedded).all(-1).any()


def test_words_go_at_any_frequency_and_rare_ones_with_their_letters() -> None:
    torch.manual_seed(1)
    vocabulary = vocabulary_from_sentences([["rare"], *[["often"]] * 1000])
    settings = Silent(
        word_size=3, letter_size=2, dropout=0.0, word_dropout=0.0, word_rate=0.25, rare_dropout=1.0
    )
    encoder = WordsLetters(settings, vocabulary)
    for word, gone, silent in (("often", 0.25, 0.125), ("rare", 0.625, 0.5625)):
        words, letters = encoder(encoder.batch([[word]] * 4000)).embedded.split([3, 2], dim=1)
        unknown = (words == encoder.words.weight[UNKNOWN]).all(-1).float().mean()
        assert float(unknown) == pytest.approx(gone, abs=0.03)
        assert float((letters == 0).all(-1).float().mean()) == pytest.approx(silent, abs=0.03)


@pytest.mark.parametrize("name", PARTS)
def test_vectors_do_not_depend_on_the_batch(name) -> None:
    torch.manual_seed(1)
    encoder = encoder_of_train(PARTS[name], VOCABULARY).eval()
    together = encoder(encoder.batch(SENTENCES))
    assert together.embedded.shape == (18, encoder.embedding_size)
    assert together.states.shape == (18, encoder.state_size)
    start = 0
    for tokens in SENTENCES:
        alone = encoder(encoder.batch([tokens]))
        rows = slice(start, start + len(tokens))
        torch.testing.assert_close(alone.embedded, together.embedded[rows])
        torch.testing.assert_close(alone.states, together.states[rows])
        start += len(tokens)
    assert together.mask.sum(1).tolist() == [len(tokens) for tokens in SENTENCES]


def test_unknown_words_differ_by_their_letters() -> None:
    torch.manual_seed(1)
    encoder = encoder_of_train(PARTS["all"], VOCABULARY).eval()
    one, other = encoder(encoder.batch([["walked", "talks"]])).embedded
    assert not torch.allclose(one, other)
    assert encoder.unknown(["Cat", "dog"]) == ("dog",)


@pytest.mark.parametrize("name", PARTS)
def test_an_encoder_is_kept_without_its_weights(name) -> None:
    encoder = encoder_of_train(PARTS[name], VOCABULARY)
    again = encoder_from_dict(PARTS[name], encoder.to_dict(), "model.json")
    again.load_state_dict(encoder.state_dict())
    batch = encoder.eval().batch(SENTENCES)
    assert torch.equal(again.eval()(again.batch(SENTENCES)).states, encoder(batch).states)


def test_an_encoder_without_parts_is_refused() -> None:
    with pytest.raises(ConfigError, match="all sizes of embeddings are 0"):
        encoder_of_train(EncoderSettings(word_size=0), VOCABULARY)
    with pytest.raises(ModelError, match=r"m\.json: content\.encoder = None: expected an object"):
        encoder_from_dict(EncoderSettings(), None, "m.json")
