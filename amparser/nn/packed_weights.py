"""Storage of weights as seven-bit integers, which keeps model files small.

Each row of a matrix is stored as integers from -63 to 63 and a scale. An integer takes a byte in
the file, but only about six bits in a compressed archive. Equal tensors of several networks, such
as pretrained word vectors, are stored once.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

import torch
from torch import Tensor

from amparser.errors import ModelError

SCALE = ":scale"
"""Suffix in names of tensors: `w:scale` has the scales of the matrix `w`."""
_SAME = ":as:"
"""Separator of two tensor names: `a:as:b` is an empty tensor that says that a equals b."""
_LARGEST = 63
BLOCKS = ":blocks"
"""Suffix in names of tensors: `w:blocks` has the scales of the 4-bit matrix `w`."""


def packed(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the matrices as seven-bit integers and scales, other floats in half precision.

    The scales have the dtype of the original matrix.
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
    """Return the original tensors, except for rounding; the inverse of `packed`.

    Raises ModelError if a matrix and its scales do not fit together.
    """
    same = {key for key in tensors if _SAME in key}
    scales = {key for key in tensors if key.endswith(SCALE)}
    whole = {key: tensors[key] for key in tensors.keys() - same - scales}
    for key in scales:
        name, scale = key.removesuffix(SCALE), tensors[key]
        codes = whole.get(name)
        if codes is None or codes.dtype != torch.int8 or codes.ndim < 2:
            raise ModelError(f"{where}: the tensor {key!r} has no integer matrix")
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
            raise ModelError(f"{where}: the tensor {key!r} repeats a tensor that the file lacks")
        whole[name] = whole[other]
    return whole


def of_blocks(codes: Tensor, scales: Tensor) -> Tensor:
    """Return rows `[.., n]` in single precision from blocks of 4-bit integers (ggml's `Q4_0`).

    A block is 32 integers from -8 to 7 with one scale.

    Args:
        codes: `[.., n / 2]`, 16 bytes for each block. Byte j of a block has integer j in its low
            four bits and integer j + 16 in its high four bits, each plus 8.
        scales: `[.., n / 32]`, scale of each block.
    """
    blocks = codes.reshape(*scales.shape, 16)
    numbers = torch.cat([blocks & 15, blocks >> 4], dim=-1).float() - 8
    return (numbers * scales.float()[..., None]).flatten(-2)


def below(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors whose names begin with a prefix; remove it from the names."""
    return {k.removeprefix(prefix): t for k, t in tensors.items() if k.startswith(prefix)}
