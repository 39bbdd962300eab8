"""Recombined sentences reuse the frozen states of train."""

from collections.abc import Sequence

import pytest
import torch
from hypothesis import given, strategies as st
from toml_tables import tables
from torch import Tensor

from amparser.learn.settings import with_overrides
from amparser.nn.encoders.words_letters import WordsLetters
from amparser.nn.pretrained import SharedEncoder, states_of
from amparser.nn.seen_states import SeenStates
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.presets.settings import TreeSettings

TABLES = tables(__file__)

TRAIN = [text.split() for text in ("the dog sees a cat", "a dog ran home", "Ann likes the cat")]


def numbered(sentences: Sequence[Sequence[str]]) -> list[Tensor]:
    """Return different states of all tokens, which count from 1."""
    counts = iter(range(1, 1000))
    return [torch.tensor([[float(next(counts))] for _ in tokens]) for tokens in sentences]


def borrowed(text: str) -> list[int]:
    """Return the tokens of train, from 1, whose states a sentence has; 0 for none."""
    seen = SeenStates(TRAIN, numbered(TRAIN))
    return [int(number) for number in seen.table[seen.rows(text.split())]]


def test_sentences_of_train_have_their_own_states() -> None:
    assert [borrowed(" ".join(tokens)) for tokens in TRAIN] == [
        [1, 2, 3, 4, 5],
        [6, 7, 8, 9],
        [10, 11, 12, 13],
    ]


@pytest.mark.parametrize(("sentence", "states"), TABLES["states"])
def test_a_token_has_the_state_of_the_most_similar_context(sentence, states) -> None:
    assert borrowed(sentence) == states


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=4), min_size=1, max_size=4))
def test_a_word_of_train_has_a_state_of_this_word(train) -> None:
    seen = SeenStates(train, numbered(train))
    words = ["", *(word for tokens in train for word in tokens)]
    sentence = [word for tokens in reversed(train) for word in tokens]
    assert [words[int(number)] for number in seen.table[seen.rows(sentence)]] == sentence


def test_training_reads_the_states_that_parsing_computes() -> None:
    overrides = ["encoder.pretrained=multilingual", "encoder.word_rate=0", "encoder.rare_dropout=0"]
    settings = with_overrides(TreeSettings(), [*overrides, "encoder.dropout=0"]).encoder
    encoder = WordsLetters.of_train(settings, vocabulary_from_sentences(TRAIN))
    encoder.prepare(TRAIN)
    with torch.no_grad():
        parsed = encoder.eval()(encoder.batch(TRAIN))
        learned = encoder.train()(encoder.batch(TRAIN))
        recombined = encoder(encoder.batch([["the", "dog", "ran", "xyzzy"]]))
    torch.testing.assert_close(parsed.states, learned.states, rtol=0.0, atol=2e-3)
    assert torch.isfinite(recombined.states).all()


def test_states_do_not_depend_on_the_other_sentences() -> None:
    encoder = SharedEncoder("multilingual")
    [alone] = states_of(encoder, TRAIN[1:2])
    assert torch.equal(states_of(encoder, TRAIN)[1], alone)
