"""Weights in seven bits: models that a package ships are small, and compute as they did.

Each row of a matrix is kept as whole numbers from -63 to 63, and the scale that the largest of
them stands for. They take a byte each, of which a compressed archive needs about six bits.
What several networks have alike, such as vectors from outside train, is kept once.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

import torch
from torch import Tensor

from amparser.errors import ModelError

SCALE = ":scale"
"""Behind the name of a tensor: the scales of its rows. No parameter of a network has a colon."""
_SAME = ":as:"
"""Between the name of a tensor, which is empty, and that of the one that it is equal to."""
_LARGEST = 63


def packed(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Matrices in seven bits with a scale for each row, other numbers in half precision.

    The scales are as precise as the matrix was, which is so precise again when it is unpacked.
    """
    small: dict[str, Tensor] = {}
    first: dict[bytes, str] = {}
    for name, tensor in tensors.items():
        digest = sha256(tensor.contiguous().view(torch.uint8).numpy().tobytes()).digest()
        same = first.setdefault(digest, name)
        known = tensors[same]
        alike = (known.dtype, known.shape) == (tensor.dtype, tensor.shape)
        if same != name and alike and tensor.ndim > 1:
            small[name + _SAME + same] = torch.empty(0)
        elif not tensor.is_floating_point():
            small[name] = tensor
        elif tensor.ndim < 2:
            small[name] = tensor.half()
        else:
            rows = tensor.float().flatten(1)
            scale = (rows.abs().amax(dim=1) / _LARGEST).to(tensor.dtype)
            steps = torch.where(scale > 0, scale.float(), 1.0)
            codes = (rows / steps[:, None]).round().clamp(-_LARGEST, _LARGEST).to(torch.int8)
            small[name], small[name + SCALE] = codes.view(tensor.shape), scale
    return small


def unpacked(tensors: Mapping[str, Tensor], where: object) -> dict[str, Tensor]:
    """The inverse of `packed`, up to rounding; other tensors stay as they are.

    Args:
        tensors: of a file of weights.
        where: the file, for messages.

    Raises:
        ModelError: scales do not fit their tensor, or an equal one is missing; names the file and
            the tensor.
    """
    same = {key for key in tensors if _SAME in key}
    scales = {key for key in tensors if key.endswith(SCALE)}
    whole = {key: tensors[key] for key in tensors.keys() - same - scales}
    for key in scales:
        name, scale = key.removesuffix(SCALE), tensors[key]
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
    for key in same:
        name, _, other = key.partition(_SAME)
        if other not in whole:
            raise ModelError(f"{where}: the tensor {key!r} is equal to none of the file")
        whole[name] = whole[other]
    return whole
