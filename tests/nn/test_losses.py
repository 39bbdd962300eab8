"""Losses and the tree distribution compared with all trees of short sentences."""

import itertools
import math
from collections.abc import Iterator, Sequence

import pytest
import torch
from decode_oracles import projective_trees
from hypothesis import given, settings, strategies as st
from torch import Tensor
from toy_language import build_network, toy_examples

from amparser.learn.settings import with_overrides
from amparser.lexicon.encoded import Targets
from amparser.nn.heads.arcs import ARC_LOSSES, ArcLogits, tree_crf_losses
from amparser.nn.heads.head import Gold
from amparser.nn.scorer import Scorer
from amparser.nn.targets import collated, losses_of
from amparser.nn.tree_crf import edge_marginals, log_likelihood, log_partition
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.presets.settings import NodeSettings


def trees_over(kept: list[bool]) -> Iterator[list[int]]:
    """Yield all projective trees over the kept tokens; -1 for ignored tokens."""
    for heads in projective_trees(len(kept)):
        if [head >= 0 for head in heads] == kept:
            yield list(heads)


def tree_score(potentials: Tensor, heads: list[int]) -> float:
    return sum(float(potentials[i, head]) for i, head in enumerate(heads) if head >= 0)


def random_potentials(n: int, seed: int, spread: float = 3.0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    potentials = torch.randn(n, n + 1, generator=generator) * spread
    for i in range(n):
        potentials[i, i + 1] = float("-inf")
    return potentials


KEPT = st.lists(st.booleans(), min_size=1, max_size=4).filter(any)


@settings(deadline=None, max_examples=40)
@given(kept=KEPT, seed=st.integers(0, 10**6))
def test_tree_distribution_equals_brute_force(kept, seed) -> None:
    n = len(kept)
    potentials = random_potentials(n, seed)
    mask = torch.tensor([kept])
    trees = list(trees_over(kept))
    scores = torch.tensor([tree_score(potentials, heads) for heads in trees])
    partition = torch.logsumexp(scores, 0)
    torch.testing.assert_close(
        log_partition(potentials[None], mask)[0], partition, atol=1e-4, rtol=1e-4
    )

    marginals = torch.zeros(n, n + 1)
    for heads, probability in zip(trees, (scores - partition).exp(), strict=True):
        for i, head in enumerate(heads):
            if head >= 0:
                marginals[i, head] += probability
    torch.testing.assert_close(
        edge_marginals(potentials[None], mask)[0], marginals, atol=1e-4, rtol=1e-4
    )

    for heads, score in zip(trees, scores, strict=True):
        found = log_likelihood(potentials[None], torch.tensor([heads]).clamp(min=0), mask)
        assert float(found[0]) == pytest.approx(float(score - partition), abs=1e-3)


# --- losses -------------------------------------------------------------------

EXAMPLES = toy_examples(12, seed=4)
VOCABULARY = vocabulary_from_sentences(example.tokens for example in EXAMPLES)
SIZES = (
    *("encoder.word_size=16", "encoder.hidden_size=16", "encoder.dropout=0"),
    *("encoder.word_dropout=0", "supertag.hidden_size=16", "supertag.dropout=0"),
    *("edge.hidden_size=16", "edge.operation_size=16", "edge.content_dropout=0"),
)


def batch_of(examples: Sequence[Targets]) -> Gold:
    return collated(examples)


def network(loss: str) -> Scorer:
    torch.manual_seed(5)
    chosen = with_overrides(NodeSettings(), [*SIZES, f"edge.loss={loss}"])
    return build_network(chosen, VOCABULARY).scorer(0)


@pytest.mark.parametrize("loss", sorted(ARC_LOSSES))
def test_loss_is_a_mean_over_tokens_and_ignores_padding(loss) -> None:
    model = network(loss).eval()

    def total(examples: Sequence[Targets]) -> float:
        reading = model.read([example.tokens for example in examples])
        losses = losses_of(model, reading, batch_of(examples))
        assert sum(losses.parts.values()) == pytest.approx(float(losses.total.detach()))
        return float(losses.total.detach())

    weighted = sum(total([example]) * len(example.tokens) for example in EXAMPLES)
    count = sum(len(example.tokens) for example in EXAMPLES)
    assert total(EXAMPLES) == pytest.approx(weighted / count, rel=1e-4)


def test_parts_of_a_loss_are_weighted() -> None:
    model = network("softmax").eval()
    reading, gold = model.read([EXAMPLES[0].tokens]), batch_of(EXAMPLES[:1])
    plain, weighted = (losses_of(model, reading, gold, w).parts for w in ({}, {"head": 2.0}))
    assert weighted == pytest.approx({**plain, "heads": 2 * plain["heads"]})


def gold_batch(
    supertags: list[int], heads: list[int], operations: list[int], projective: bool
) -> Gold:
    return Gold(
        torch.tensor([supertags]),
        torch.tensor([heads]),
        torch.tensor([operations]),
        torch.tensor([projective]),
    )


def random_logits(n: int, heads: list[int], seed: int = 1) -> ArcLogits:
    generator = torch.Generator().manual_seed(seed)
    operations = torch.randn(1, n, 4, generator=generator)
    for i, head in enumerate(heads):
        operations[0, i, 2:] += float("-inf") if head == 0 else 0.0
        operations[0, i, :2] += 0.0 if head == 0 else float("-inf")
    return ArcLogits(
        random_potentials(n, seed)[None], operations, torch.randn(1, n, 2, generator=generator)
    )


def test_tree_crf_probabilities_of_all_trees_sum_to_one() -> None:
    """Sum over every set of ignored tokens and every tree on the rest, with one root or none."""
    n = 3
    total = 0.0
    for ignored in itertools.product([False, True], repeat=n):
        kept = [not i for i in ignored]
        trees = list(trees_over(kept)) if any(kept) else [[-1] * n]
        for tree in trees:
            heads = [max(head, 0) for head in tree]
            operations = [0 if head < 0 else 1 if head == 0 else 2 for head in tree]
            gold = gold_batch([0] * n, heads, operations, projective=True)
            losses = tree_crf_losses(
                random_logits(n, heads), gold, torch.ones(1, n, dtype=torch.bool)
            )
            total += math.exp(-float(losses["heads"]))
    assert total == pytest.approx(1, abs=1e-4)


def test_crossing_tree_falls_back_to_separate_heads() -> None:
    crossing = [3, 0, 2, 1]
    gold = gold_batch([1] * 4, crossing, [2, 1, 2, 2], projective=False)
    logits = random_logits(4, crossing)
    losses = tree_crf_losses(logits, gold, torch.ones(1, 4, dtype=torch.bool))
    assert all(math.isfinite(float(loss)) for loss in losses.values())
    assert float(losses["heads"]) > 0
