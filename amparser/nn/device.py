"""Where a network computes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from amparser.errors import InputError


def device_from_name(name: str) -> torch.device:
    """`cpu`, `cuda`, or `auto` (a GPU if there is one); raises InputError if it is missing."""
    if name not in ("auto", "cpu", "cuda"):
        raise InputError(f"device {name!r}: expected one of auto, cpu, cuda")
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError("device cuda: torch finds no GPU on this machine; try auto or cpu")
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)


@contextmanager
def one_thread() -> Iterator[None]:
    """A block in which torch computes with one thread: small tensors lose time by more."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
