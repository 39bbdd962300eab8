"""The loss of a scorer: the weighted sum of the losses of its heads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor

from amparser.nn.heads.head import Gold, Head, Reading

if TYPE_CHECKING:
    from amparser.nn.scorer import Scorer


class Losses(NamedTuple):
    """Loss of a batch, in nats per token.

    Attributes:
        total: scalar with a gradient; the sum of the parts.
        parts: weighted losses of the heads as numbers, by the name used in the training log.
        token_count: number of tokens in the batch.
    """

    total: Tensor
    parts: Mapping[str, float]
    token_count: int


def losses_of(
    scorer: Scorer, reading: Reading, gold: Gold, weights: Mapping[str, float] | None = None
) -> Losses:
    """Return the loss of an encoded batch.

    Args:
        scorer: the scorer whose heads are trained.
        reading: its encoding of the batch.
        gold: the targets of the batch, on any device.
        weights: weight of each loss by a prefix of its name; 1 for losses that match no prefix.
    """
    gold = gold.to(scorer.device)
    count = len(reading.tags)
    parts: dict[str, Tensor] = {}
    for head in scorer.heads.values():
        assert isinstance(head, Head)
        for name, loss in head.losses(reading, gold).items():
            prefixes = (w for start, w in (weights or {}).items() if name.startswith(start))
            parts[name] = next(prefixes, 1.0) * loss / count
    values = torch.stack(list(parts.values()))
    figures = values.detach().cpu().double().tolist()
    return Losses(values.sum(), dict(zip(parts, figures, strict=True)), count)
