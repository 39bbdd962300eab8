"""Losses of arcs, and which arcs a greedy reading has right.

Every loss is summed over tokens, in nats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from amparser.nn.heads.head import Gold, class_loss
from amparser.nn.tree_crf import eisner_heads, log_likelihood

_IGNORE = 0


class ArcLogits(NamedTuple):
    """The logits of a padded batch; -inf where the algebra forbids.

    Attributes:
        heads: `[B, n, n + 1]`: token i + 1 hangs from head h; no token from itself.
        operations: `[B, n, O]`, given the gold heads; None if there are none.
        from_root: `[B, n, 2]`, IGNORE and ROOT, given head 0; None likewise.
    """

    heads: Tensor
    operations: Tensor | None = None
    from_root: Tensor | None = None


ArcLoss = Callable[[ArcLogits, Gold, Tensor], dict[str, Tensor]]
ArcsRight = Callable[[ArcLogits, Gold, Tensor], Tensor]


def softmax_losses(logits: ArcLogits, gold: Gold, mask: Tensor) -> dict[str, Tensor]:
    """Cross entropy of each token's head, and of its operation given the head.

    Args:
        logits: the logits of a batch; those of operations given the gold heads.
        gold: the gold arcs.
        mask: `[B, n]` bool, true on tokens.
    """
    losses = {"heads": class_loss(logits.heads[mask], gold.heads[mask])}
    if logits.operations is not None and gold.operations is not None:
        losses["operations"] = class_loss(logits.operations[mask], gold.operations[mask])
    return losses


def tree_crf_losses(logits: ArcLogits, gold: Gold, mask: Tensor) -> dict[str, Tensor]:
    """The same losses, with the heads of all kept tokens scored as one projective tree.

    The probability of a tree is the product of three: of its set of ignored tokens
    (each token by itself), of the projective tree over the rest (`tree_crf`), and
    of the operations given the heads. A gold tree with crossing
    edges has no probability there; its heads count as in `softmax_losses`.
    """
    assert logits.operations is not None
    assert gold.operations is not None
    assert gold.projective is not None
    ignored = gold.operations == _IGNORE
    ignore, kept_heads = _ignore_or_keep(logits)
    decided = torch.where(ignored, ignore, kept_heads.logsumexp(-1))
    loss = (logits.heads.logsumexp(-1) - decided).where(mask, 0.0).sum()

    kept = mask & ~ignored
    joint = gold.projective & kept.any(-1)
    if joint.any():
        heads = gold.heads[joint].clamp(min=0)
        loss = loss - log_likelihood(kept_heads[joint], heads, kept[joint]).sum()
    alone = kept & ~joint[:, None]
    loss = loss + class_loss(kept_heads[alone], gold.heads[alone])
    # IGNORE and ROOT are part of the decisions above.
    attached = kept & (gold.heads > 0)
    operations = class_loss(logits.operations[attached], gold.operations[attached])
    return {"heads": loss, "operations": operations}


def softmax_right(logits: ArcLogits, gold: Gold, mask: Tensor) -> Tensor:
    """`[B, n]` bool: the tokens whose arc the greedy reading, without types, has right.

    It takes each token's best head, and the best operation given the gold head.
    """
    heads = logits.heads.argmax(-1) == gold.heads
    if logits.operations is None:
        return heads
    return heads & (logits.operations.argmax(-1) == gold.operations)


def tree_crf_right(logits: ArcLogits, gold: Gold, mask: Tensor) -> Tensor:
    """The same if heads are trained as a tree: it takes the best projective tree.

    The tree spans the tokens that are more probably kept than ignored.
    """
    assert logits.operations is not None
    assert gold.operations is not None
    ignore, kept_heads = _ignore_or_keep(logits)
    kept = mask & (ignore < kept_heads.logsumexp(-1))
    heads = eisner_heads(kept_heads, kept) == gold.heads
    # ROOT and IGNORE are read off the tree; the other operations as above.
    operations = logits.operations.argmax(-1) == gold.operations
    operations = torch.where(gold.heads > 0, operations, kept == (gold.operations != _IGNORE))
    return heads & operations


ARC_LOSSES: dict[str, ArcLoss] = {"softmax": softmax_losses, "tree-crf": tree_crf_losses}
ARCS_RIGHT: dict[str, ArcsRight] = {"softmax": softmax_right, "tree-crf": tree_crf_right}


def _ignore_or_keep(logits: ArcLogits) -> tuple[Tensor, Tensor]:
    """Logits `[B, n]` of ignoring a token and `[B, n, n + 1]` of its heads if it is kept.

    IGNORE and ROOT share head 0; its logit is divided between them.
    """
    assert logits.from_root is not None
    from_root = logits.from_root.log_softmax(-1) + logits.heads[:, :, :1]
    return from_root[:, :, 0], torch.cat([from_root[:, :, 1:], logits.heads[:, :, 1:]], -1)
