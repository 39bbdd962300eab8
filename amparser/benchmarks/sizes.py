"""Size tags such as `5-8 tokens`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def size_tag(size: int, limits: Sequence[int], unit: str) -> str:
    """Return the range of a size; `limits` are the inclusive upper bounds of the ranges.

    >>> size_tag(5, (4, 6), "symbols"), size_tag(7, (4, 6), "symbols")
    ('5-6 symbols', 'more than 6 symbols')
    """
    ranges = pairwise((0, *limits))
    tags = (f"{low + 1}-{high} {unit}" for low, high in ranges if size <= high)
    return next(tags, f"more than {limits[-1]} {unit}")
