"""The network: probabilities that add up, whatever the batch a sentence comes in."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
from torch import nn

from amparser.errors import ModelError
from amparser.nn import network as network_module
from amparser.nn.edges import AdditiveScorer, BiaffineScorer, distance_indices
from amparser.nn.encoder import BiLSTMEncoder, WordEmbedding
from amparser.nn.network import Network
from amparser.nn.settings import EdgeSettings, EncoderSettings, SupertagSettings
from amparser.nn.vocabulary import (
    UNKNOWN,
    vocabulary_from_dict,
    vocabulary_from_sentences,
)

SENTENCES = [
    ["The", "cat", "saw", "Emma", "."],
    ["Emma"],
    ["Who", "did", "the", "cat", "in", "the", "unheard-of", "box", "see", "?"],
    ["cat", "the"],
]
VOCABULARY = vocabulary_from_sentences(SENTENCES[:2])


def small_network(
    edge_type: str = "additive", operation_count: int = 5, layers: int = 1
) -> Network:
    torch.manual_seed(7)
    return Network(
        VOCABULARY,
        supertag_count=4,
        operation_count=operation_count,
        encoder=EncoderSettings(word_size=6, hidden_size=5, layers=layers),
        supertag=SupertagSettings(hidden_size=7),
        edge=EdgeSettings(
            type=edge_type,  # type: ignore[arg-type]
            hidden_size=8,
            operation_size=9,
            distance_clip=3,
        ),
    ).eval()


def test_a_composed_supertag_scores_the_sum_of_its_parts() -> None:
    torch.manual_seed(7)
    network = Network(
        VOCABULARY,
        supertag_count=4,
        operation_count=3,
        supertag_parts=[[0], [1], [2], [1, 2]],
        encoder=EncoderSettings(word_size=6, hidden_size=5),
        supertag=SupertagSettings(hidden_size=7),
        edge=EdgeSettings(hidden_size=8, operation_size=9),
    ).eval()
    batch = VOCABULARY.batch([SENTENCES[0]])
    logits = network(batch, torch.zeros(1, 5, dtype=torch.long)).supertags
    torch.testing.assert_close(logits[..., 3], logits[..., 1] + logits[..., 2])
    assert logits.shape == (1, 5, 4)


def test_vocabulary_joins_cases_and_keeps_the_capital() -> None:
    batch = VOCABULARY.batch([["The", "the", "THE"], ["dog"]])
    assert len(set(batch.words[0].tolist())) == 1
    assert batch.capitals.tolist() == [[1, 0, 1], [0, 0, 0]]
    assert batch.words[1].tolist() == [UNKNOWN, 0, 0]
    assert batch.mask.tolist() == [[True, True, True], [True, False, False]]


def test_vocabulary_does_not_depend_on_the_order_of_sentences() -> None:
    assert vocabulary_from_sentences(SENTENCES) == vocabulary_from_sentences(SENTENCES[::-1])


def test_vocabulary_round_trips() -> None:
    assert vocabulary_from_dict(VOCABULARY.to_dict()) == VOCABULARY


@pytest.mark.parametrize(
    "value",
    [
        None,
        {"words": ["a"]},
        {"words": ["a"], "counts": []},
        {"words": ["a", "a"], "counts": [1, 1]},
        {"words": [1], "counts": [1]},
        {"words": ["a"], "counts": ["1"]},
    ],
)
def test_foreign_vocabulary_is_refused(value: object) -> None:
    with pytest.raises(ModelError, match="vocabulary"):
        vocabulary_from_dict(value)


def test_rare_words_are_dropped_in_training_alone() -> None:
    torch.manual_seed(1)
    vocabulary = vocabulary_from_sentences([["rare"], *[["often"]] * 1000])
    embedding = WordEmbedding(vocabulary, 3, word_dropout=1.0)
    assert embedding.drop_probability[vocabulary.ids(["rare", "often"])].tolist() == pytest.approx(
        [1 / 2, 1 / 1001]
    )
    batch = vocabulary.batch([["rare"]] * 400)
    unknown = vocabulary.batch([["other"]])
    dropped = (embedding(batch) == embedding(unknown)).all(-1).float().mean()
    assert 0.4 < dropped < 0.6
    embedding.eval()
    assert not (embedding(batch) == embedding(unknown)).all(-1).any()


def test_bilstm_equals_packed_sequences() -> None:
    torch.manual_seed(3)
    encoder = BiLSTMEncoder(4, 5, layers=1, dropout=0.0)
    reference = nn.LSTM(4, 5, batch_first=True, bidirectional=True)
    for ours, suffix in ((encoder.forwards[0], ""), (encoder.backwards[0], "_reverse")):
        for name, parameter in ours.named_parameters():
            getattr(reference, name + suffix).data.copy_(parameter.data)
    vectors, lengths = torch.randn(3, 6, 4), torch.tensor([4, 6, 1])
    packed = nn.utils.rnn.pack_padded_sequence(
        vectors, lengths, batch_first=True, enforce_sorted=False
    )
    expected, _ = nn.utils.rnn.pad_packed_sequence(reference(packed)[0], batch_first=True)
    found = encoder(vectors, lengths)
    for row, length in enumerate(lengths):
        torch.testing.assert_close(found[row, :length], expected[row, :length])


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("edge_type", ["additive", "biaffine"])
def test_score_does_not_depend_on_the_batch(edge_type: str, layers: int) -> None:
    network = small_network(edge_type, layers=layers)
    together = network.score(SENTENCES)
    for tokens, scores in zip(SENTENCES, together, strict=True):
        (alone,) = network.score([tokens])
        np.testing.assert_allclose(scores.supertag_logp, alone.supertag_logp, atol=1e-5)
        np.testing.assert_allclose(scores.edge_logp, alone.edge_logp, atol=1e-5)
        assert scores.edge_logp.flags.c_contiguous


@pytest.mark.parametrize("chunk_size", [1, 100, 400])
def test_score_does_not_depend_on_the_chunks(
    monkeypatch: pytest.MonkeyPatch, chunk_size: int
) -> None:
    network = small_network()
    expected = network.score(SENTENCES)
    monkeypatch.setattr(network_module, "CHUNK_SIZE", chunk_size)
    for found, scores in zip(network.score(SENTENCES), expected, strict=True):
        np.testing.assert_allclose(found.edge_logp, scores.edge_logp, atol=1e-5)


@pytest.mark.parametrize("edge_type", ["additive", "biaffine"])
def test_scores_are_distributions_over_what_is_allowed(edge_type: str) -> None:
    for tokens, scores in zip(SENTENCES, small_network(edge_type).score(SENTENCES), strict=True):
        n = len(tokens)
        assert scores.supertag_logp.shape == (n, 4)
        assert scores.edge_logp.shape == (n, n + 1, 5)
        assert scores.supertag_logp.dtype == scores.edge_logp.dtype == np.float32
        np.testing.assert_allclose(np.exp(scores.supertag_logp).sum(1), 1, atol=1e-5)
        np.testing.assert_allclose(np.exp(scores.edge_logp).sum((1, 2)), 1, atol=1e-5)
        for token, head, operation in itertools.product(range(n), range(n + 1), range(5)):
            allowed = head != token + 1 and (head == 0) == (operation < 2)
            assert np.isfinite(scores.edge_logp[token, head, operation]) == allowed


def test_score_agrees_with_the_logits_of_training() -> None:
    network = small_network()
    heads = torch.tensor([[2, 3, 0, 3, 0]])
    logits = network(VOCABULARY.batch(SENTENCES[:1]), heads)
    (scores,) = network.score(SENTENCES[:1])
    head_logp = logits.heads.log_softmax(-1)[0]
    operation_logp = logits.operations.log_softmax(-1)[0]
    from_root = logits.from_root.log_softmax(-1)[0]
    for token, head in enumerate(heads[0].tolist()):
        expected = (head_logp[token, head] + operation_logp[token]).detach().numpy()
        np.testing.assert_allclose(scores.edge_logp[token, head], expected, atol=1e-5)
        expected = (head_logp[token, 0] + from_root[token]).detach().numpy()
        np.testing.assert_allclose(scores.edge_logp[token, 0, :2], expected, atol=1e-5)


def test_score_leaves_the_mode_as_it_was() -> None:
    network = small_network().train()
    first, second = network.score(SENTENCES), network.score(SENTENCES)
    assert network.training
    assert all(np.array_equal(a.edge_logp, b.edge_logp) for a, b in zip(first, second, strict=True))


def test_a_lexicon_without_edges_can_be_scored() -> None:
    (scores,) = small_network(operation_count=2).score([["a", "b"]])
    assert np.isneginf(scores.edge_logp[:, 1:]).all()


def test_an_empty_sentence_has_empty_scores() -> None:
    empty, full = small_network().score([[], ["a"]])
    assert empty.supertag_logp.shape == (0, 4)
    assert empty.edge_logp.shape == (0, 1, 5)
    assert len(full) == 1
    assert small_network().score([]) == []


def test_additive_scorer_is_its_formula() -> None:
    torch.manual_seed(1)
    scorer = AdditiveScorer(3, 4, 2, clip=2, dropout=0.5).eval()
    states = torch.randn(1, 4, 3)
    distances = distance_indices(torch.arange(4), torch.arange(1, 4)[:, None], 2)
    found = scorer.pairs(scorer.heads(states), scorer.dependents(states[:, 1:]), distances).detach()
    for d, h in itertools.product(range(3), range(4)):
        hidden = scorer.head(states[0, h]) + scorer.dependent(states[0, d + 1])
        # Head 0 stands at no distance; others at h - d, cut to -2..2 and counted from 0.
        index = 5 if h == 0 else min(max(h - (d + 1), -2), 2) + 2
        expected = scorer.output(torch.relu(hidden + scorer.distance.weight[index]))
        torch.testing.assert_close(found[0, d, h], expected.detach())


def test_dropout_never_touches_the_distance() -> None:
    scorer = AdditiveScorer(3, 400, 1, clip=2, dropout=0.5)
    heads = scorer.heads(torch.randn(1, 1, 3))
    assert 0.3 < (heads == 0).float().mean() < 0.7
    dependents = scorer.dependents(torch.randn(1, 1, 3))
    first, second = (scorer.pairs(heads, dependents, torch.tensor([[1]])) for _ in range(2))
    assert torch.equal(first, second)


def test_biaffine_scorer_is_its_formula() -> None:
    torch.manual_seed(1)
    scorer = BiaffineScorer(3, 4, dropout=0.5).eval()
    nn.init.normal_(scorer.bias)
    heads, dependents = scorer.heads(torch.randn(1, 4, 3)), scorer.dependents(torch.randn(1, 3, 3))
    found = scorer.pairs(heads, dependents, torch.zeros(3, 4, dtype=torch.long))
    for d, h in itertools.product(range(3), range(4)):
        expected = dependents[0, d] @ scorer.weight @ heads[0, h] + scorer.bias @ heads[0, h]
        torch.testing.assert_close(found[0, d, h], expected)
