"""Scorer: its probabilities sum to one and do not depend on the batch."""

import itertools

import numpy as np
import pytest
import torch
from torch import nn
from toy_language import SENTENCES, build_network

from amparser.learn.settings import with_overrides
from amparser.nn.heads import arcs as arcs_module
from amparser.nn.heads.arcs import ArcHead
from amparser.nn.heads.pairs import AdditiveScorer, BiaffineScorer, distance_indices
from amparser.nn.scorer import Ensemble
from amparser.nn.scores import scores_of
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.presets.settings import NodeSettings

VOCABULARY = vocabulary_from_sentences(SENTENCES[:2])


def small_network(
    edge_type: str = "additive",
    operation_count: int = 5,
    layers: int = 1,
    parts: list[list[int]] | None = None,
    members: int = 1,
) -> Ensemble:
    torch.manual_seed(7)
    settings = with_overrides(
        NodeSettings(),
        [
            *("encoder.word_size=6", "encoder.hidden_size=5", f"encoder.layers={layers}"),
            *("supertag.hidden_size=7", "edge.hidden_size=8", "edge.operation_size=9"),
            *(f"edge.type={edge_type}", "edge.distance_clip=3", f"train.members={members}"),
        ],
    )
    return build_network(settings, VOCABULARY, 4, operation_count, parts).eval()


def test_a_composed_supertag_scores_the_sum_of_its_parts() -> None:
    network = small_network(operation_count=3, parts=[[0], [1], [2], [1, 2]])
    scores = network.scorer(0).read([SENTENCES[0]]).tags
    torch.testing.assert_close(scores[..., 3], scores[..., 1] + scores[..., 2])
    assert scores.shape == (5, 4)


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("edge_type", ["additive", "biaffine"])
def test_score_does_not_depend_on_the_batch(edge_type, layers) -> None:
    network = small_network(edge_type, layers=layers)
    together = scores_of(network, SENTENCES)
    for tokens, scores in zip(SENTENCES, together, strict=True):
        (alone,) = scores_of(network, [tokens])
        np.testing.assert_allclose(scores.supertag_logp, alone.supertag_logp, atol=1e-5)
        np.testing.assert_allclose(scores.edge_logp, alone.edge_logp, atol=1e-5)
        assert scores.edge_logp.flags.c_contiguous


@pytest.mark.parametrize("chunk_size", [1, 100, 400])
def test_score_does_not_depend_on_the_chunks(monkeypatch, chunk_size) -> None:
    network = small_network()
    expected = scores_of(network, SENTENCES)
    monkeypatch.setattr(arcs_module, "CHUNK_SIZE", chunk_size)
    for found, scores in zip(scores_of(network, SENTENCES), expected, strict=True):
        np.testing.assert_allclose(found.edge_logp, scores.edge_logp, atol=1e-5)


@pytest.mark.parametrize("edge_type", ["additive", "biaffine"])
def test_scores_are_distributions_over_allowed_choices(edge_type) -> None:
    network = small_network(edge_type)
    for tokens, scores in zip(SENTENCES, scores_of(network, SENTENCES), strict=True):
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
    scorer = network.scorer(0)
    logits = scorer.head(ArcHead).logits(scorer.read(SENTENCES[:1]), heads)
    (scores,) = scores_of(network, SENTENCES[:1])
    head_logp = logits.heads.log_softmax(-1)[0]
    operation_logp = logits.operations.log_softmax(-1)[0]
    from_root = logits.from_root.log_softmax(-1)[0]
    for token, head in enumerate(heads[0].tolist()):
        expected = (head_logp[token, head] + operation_logp[token]).detach().numpy()
        np.testing.assert_allclose(scores.edge_logp[token, head], expected, atol=1e-5)
        expected = (head_logp[token, 0] + from_root[token]).detach().numpy()
        np.testing.assert_allclose(scores.edge_logp[token, 0, :2], expected, atol=1e-5)


def test_log_probabilities_of_members_are_averaged() -> None:
    network = small_network(members=2)
    (both,) = scores_of(network, SENTENCES[:1])
    alone = []
    for number in range(2):
        member = small_network(members=1)
        member.scorer(0).load_state_dict(network.scorer(number).state_dict())
        alone += scores_of(member, SENTENCES[:1])
    assert not np.allclose(alone[0].supertag_logp, alone[1].supertag_logp)
    for name in ("supertag_logp", "edge_logp"):
        mean = np.mean([getattr(one, name) for one in alone], axis=0)
        np.testing.assert_allclose(getattr(both, name), mean, atol=1e-6)


def test_an_empty_sentence_has_empty_scores() -> None:
    empty, full = scores_of(small_network(), [[], ["a"]])
    assert empty.supertag_logp.shape == (0, 4)
    assert empty.edge_logp.shape == (0, 1, 5)
    assert len(full) == 1
    assert scores_of(small_network(), []) == []


def test_additive_scorer_equals_its_formula() -> None:
    torch.manual_seed(1)
    scorer = AdditiveScorer(3, 4, 2, clip=2, dropout=0.5).eval()
    states = torch.randn(1, 4, 3)
    distances = distance_indices(torch.arange(4), torch.arange(1, 4)[:, None], 2)
    found = scorer.pairs(scorer.heads(states), scorer.dependents(states[:, 1:]), distances).detach()
    for d, h in itertools.product(range(3), range(4)):
        hidden = scorer.head(states[0, h]) + scorer.dependent(states[0, d + 1])
        # Head 0 has no distance; the others are at h - d, clipped to -2..2 and counted from 0.
        index = 5 if h == 0 else min(max(h - (d + 1), -2), 2) + 2
        expected = scorer.output(torch.relu(hidden + scorer.distance.weight[index]))
        torch.testing.assert_close(found[0, d, h], expected.detach())


def test_biaffine_scorer_equals_its_formula() -> None:
    torch.manual_seed(1)
    scorer = BiaffineScorer(3, 4, dropout=0.5, orthogonal=True, clip=1).eval()
    nn.init.normal_(scorer.distance.weight)
    nn.init.normal_(scorer.bias.weight)
    heads, dependents = scorer.heads(torch.randn(1, 4, 3)), scorer.dependents(torch.randn(1, 3, 3))
    distances = distance_indices(torch.arange(4), torch.arange(1, 4)[:, None], 1)
    found = scorer.pairs(heads, dependents, distances)
    for d, h in itertools.product(range(3), range(4)):
        prior = scorer.bias.weight[0] @ heads[0, h]
        prior = prior + scorer.distance.weight[distances[d, h]] @ dependents[0, d]
        expected = dependents[0, d] @ scorer.weight @ heads[0, h] + prior
        torch.testing.assert_close(found[0, d, h], expected)
