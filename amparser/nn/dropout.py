"""Dropout that is fast on a CPU."""

from __future__ import annotations

import torch
from torch import Tensor, nn

_LEVELS = 256


class Dropout(nn.Dropout):
    """`nn.Dropout` with one random byte per value on a CPU, instead of one random float.

    This takes a quarter of the time of `nn.Dropout`, which accounts for a fifth of a training step.
    The probability is rounded to a multiple of 1/256. Values are rescaled by the rounded
    probability, so the mean is preserved.
    """

    def forward(self, values: Tensor) -> Tensor:
        """Zero some values and scale up the others in training; return them unchanged otherwise."""
        dropped = round(self.p * _LEVELS)
        if not self.training or not dropped or dropped == _LEVELS or values.device.type != "cpu":
            return super().forward(values)
        count = values.numel()
        # One 64-bit random number yields eight bytes.
        numbers = torch.randint(-(2**63), 2**63 - 1, (-(-count // 8),))
        kept = numbers.view(torch.uint8)[:count].view_as(values) >= dropped
        return values * kept.to(values.dtype).mul_(_LEVELS / (_LEVELS - dropped))
