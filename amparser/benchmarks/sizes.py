"""Tags for sizes, such as `5-8 tokens`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def size_tag(size: int, limits: Sequence[int], unit: str) -> str | None:
    """The range of a size, from 1 up to each limit; None if it is larger than all.

    >>> size_tag(5, (4, 6), "symbols"), size_tag(7, (4, 6), "symbols")
    ('5-6 symbols', None)
    """
    ranges = pairwise((0, *limits))
    return next((f"{low + 1}-{high} {unit}" for low, high in ranges if size <= high), None)
