"""Choice of the device, moving of tensors, and the number of threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_map_only

from amparser.errors import InputError


def device_from_name(name: str) -> torch.device:
    """Return the device called `cpu`, `cuda` or `auto` (a GPU if there is one).

    Raises InputError if the name is unknown, or a GPU is requested and missing.
    """
    if name not in ("auto", "cpu", "cuda"):
        raise InputError(f"device {name!r}: expected one of auto, cpu, cuda")
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError("device cuda: torch finds no GPU on this machine; try auto or cpu")
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)


def moved(value: Any, device: torch.device) -> Any:
    """Move all tensors in a value to a device, including those nested in tuples and mappings."""
    return tree_map_only(Tensor, lambda tensor: tensor.to(device, non_blocking=True), value)


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit torch to one thread inside the block, which is faster for small tensors."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
