"""Losses of training, and how often a greedy reading is right.

Every loss is a mean over the tokens of a batch, in nats; the gold
trees are given as supertags, heads and operations of a `GoldBatch`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from amparser.nn.network import Logits
from amparser.nn.tree_crf import eisner_heads, log_likelihood

_IGNORE = 0


class GoldBatch(NamedTuple):
    """The trees of a padded batch.

    Attributes:
        supertags: `[B, n]` int64.
        heads: `[B, n]` int64, 0 for the artificial root.
        operations: `[B, n]` int64; 0 is IGNORE, 1 is ROOT.
        projective: `[B]` bool, whether no two edges cross, without ignored tokens.
    """

    supertags: Tensor
    heads: Tensor
    operations: Tensor
    projective: Tensor

    def to(self, device: torch.device) -> GoldBatch:
        """The same batch on a device."""
        return GoldBatch(*(tensor.to(device, non_blocking=True) for tensor in self))


class Losses(NamedTuple):
    """The parts of a loss, each a mean over tokens."""

    supertags: Tensor
    heads: Tensor
    operations: Tensor

    @property
    def total(self) -> Tensor:
        """The sum, which is minimised."""
        return self.supertags + self.heads + self.operations


Loss = Callable[[Logits, GoldBatch, Tensor], Losses]
TreesRight = Callable[[Logits, GoldBatch, Tensor], Tensor]


def softmax_losses(logits: Logits, gold: GoldBatch, mask: Tensor) -> Losses:
    """Cross-entropy of each token's supertag, head, and operation given the head.

    Args:
        logits: the logits of a batch; those of operations given the gold heads.
        gold: the gold trees.
        mask: `[B, n]` bool, true on tokens.
    """
    count = mask.sum()
    return Losses(
        _cross_entropy(logits.supertags, gold.supertags, mask) / count,
        _cross_entropy(logits.heads, gold.heads, mask) / count,
        _cross_entropy(logits.operations, gold.operations, mask) / count,
    )


def tree_crf_losses(logits: Logits, gold: GoldBatch, mask: Tensor) -> Losses:
    """The same losses, with the heads of all kept tokens scored as one projective tree.

    The probability of a tree is the product of three: of its set of ignored tokens
    (each token by itself), of the projective tree over the rest (`tree_crf`), and
    of the operations given the heads. A gold tree with crossing
    edges has no probability there; its heads count as in `softmax_losses`.
    """
    count = mask.sum()
    ignored = gold.operations == _IGNORE
    ignore, kept_heads = _ignore_or_keep(logits)
    decided = torch.where(ignored, ignore, kept_heads.logsumexp(-1))
    loss = (logits.heads.logsumexp(-1) - decided).where(mask, 0.0).sum()

    kept = mask & ~ignored
    joint = gold.projective & kept.any(-1)
    if joint.any():
        trees = log_likelihood(kept_heads[joint], gold.heads[joint], kept[joint])
        loss = loss - trees.sum()
    alone = kept & ~joint[:, None]
    loss = loss + _cross_entropy(kept_heads, gold.heads, alone)
    # IGNORE and ROOT are part of the decisions above.
    attached = kept & (gold.heads > 0)
    return Losses(
        _cross_entropy(logits.supertags, gold.supertags, mask) / count,
        loss / count,
        _cross_entropy(logits.operations, gold.operations, attached) / count,
    )


def softmax_trees_right(logits: Logits, gold: GoldBatch, mask: Tensor) -> Tensor:
    """`[B]` bool: whether the greedy reading of a sentence, without types, is its gold tree.

    It takes each token's best supertag, best head, and best operation given that head.
    """
    supertags = logits.supertags.argmax(-1) == gold.supertags
    operations = logits.operations.argmax(-1) == gold.operations
    heads = logits.heads.argmax(-1) == gold.heads
    return ((supertags & heads & operations) | ~mask).all(-1)


def tree_crf_trees_right(logits: Logits, gold: GoldBatch, mask: Tensor) -> Tensor:
    """The same if heads are trained as a tree: it takes the best projective tree.

    The tree spans the tokens that are more probably kept than ignored.
    """
    ignore, kept_heads = _ignore_or_keep(logits)
    kept = mask & (ignore < kept_heads.logsumexp(-1))
    heads = eisner_heads(kept_heads, kept) == gold.heads
    # ROOT and IGNORE are read off the tree; the other operations as above.
    operations = logits.operations.argmax(-1) == gold.operations
    operations = torch.where(gold.heads > 0, operations, kept == (gold.operations != _IGNORE))
    supertags = logits.supertags.argmax(-1) == gold.supertags
    return ((supertags & heads & operations) | ~mask).all(-1)


LOSSES: dict[str, Loss] = {"softmax": softmax_losses, "tree-crf": tree_crf_losses}
TREES_RIGHT: dict[str, TreesRight] = {
    "softmax": softmax_trees_right,
    "tree-crf": tree_crf_trees_right,
}


def _ignore_or_keep(logits: Logits) -> tuple[Tensor, Tensor]:
    """Logits `[B, n]` of ignoring a token and `[B, n, n + 1]` of its heads if it is kept.

    IGNORE and ROOT share head 0; its logit is divided between them.
    """
    from_root = logits.from_root.log_softmax(-1) + logits.heads[:, :, :1]
    return from_root[:, :, 0], torch.cat([from_root[:, :, 1:], logits.heads[:, :, 1:]], -1)


def _cross_entropy(logits: Tensor, gold: Tensor, mask: Tensor) -> Tensor:
    """Summed over the masked tokens of `[B, n, C]` logits."""
    return cross_entropy(logits[mask], gold[mask], reduction="sum")
