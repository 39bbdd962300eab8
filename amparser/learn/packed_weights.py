"""Weights in seven bits: models that a package ships are small, and compute as they did.

Each row of a matrix is kept as whole numbers from -63 to 63, and the scale that the largest of
them stands for. They take a byte each, of which a compressed archive needs about six bits.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from amparser.errors import ModelError

_SCALE = ":scale"
"""Behind the name of a tensor: the scales of its rows. No parameter of a network has a colon."""
_LARGEST = 63


def packed(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Matrices in seven bits with a scale for each row, other numbers in half precision.

    The scales are as precise as the matrix was, which is so precise again when it is unpacked.
    """
    small: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        if not tensor.is_floating_point():
            small[name] = tensor
        elif tensor.ndim < 2:
            small[name] = tensor.half()
        else:
            rows = tensor.float().flatten(1)
            scale = (rows.abs().amax(dim=1) / _LARGEST).to(tensor.dtype)
            steps = torch.where(scale > 0, scale.float(), 1.0)
            codes = (rows / steps[:, None]).round().clamp(-_LARGEST, _LARGEST).to(torch.int8)
            small[name], small[name + _SCALE] = codes.view(tensor.shape), scale
    return small


def unpacked(tensors: Mapping[str, Tensor], where: object) -> dict[str, Tensor]:
    """The inverse of `packed`, up to rounding; other tensors stay as they are.

    Args:
        tensors: of a file of weights.
        where: the file, for messages.

    Raises:
        ModelError: scales do not fit their tensor; names the file and the tensor.
    """
    whole = {name: tensor for name, tensor in tensors.items() if not name.endswith(_SCALE)}
    for key in tensors.keys() - whole.keys():
        name, scale = key.removesuffix(_SCALE), tensors[key]
        codes = whole.get(name)
        if codes is None or codes.dtype != torch.int8 or codes.ndim < 2:
            raise ModelError(f"{where}: the tensor {key!r} has no matrix of whole numbers")
        if not scale.is_floating_point() or scale.shape != codes.shape[:1]:
            raise ModelError(
                f"{where}: the tensor {key!r} is of {scale.dtype} and shape {list(scale.shape)}, "
                f"expected {torch.float32} and {list(codes.shape[:1])}"
            )
        rows = codes.flatten(1) * scale.float()[:, None]
        whole[name] = rows.view(codes.shape).to(scale.dtype)
    return whole
