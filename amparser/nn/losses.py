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
    """The loss of a batch.

    Attributes:
        total: a scalar, the mean over all learned positions, in nats; it has the gradient.
        parts: scalars without a gradient that add up to `total`, by the names that they have
            among the figures of a round.
        token_count: the number of tokens that the means are over.
    """

    total: Tensor
    parts: Mapping[str, float]
    token_count: int


def losses_of(
    scorer: Scorer, reading: Reading, gold: Gold, weights: Mapping[str, float] | None = None
) -> Losses:
    """The loss of a batch that a scorer has read.

    Args:
        scorer: its heads say what is learned.
        reading: what it read in the sentences of the batch.
        gold: what these are to be, on any device.
        weights: those of the parts whose weight is not 1, by the beginning of their names.
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
