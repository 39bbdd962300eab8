"""Decode many sentences on threads, which run in parallel because the cores release the GIL."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from amparser.decode.parse import Parse
from amparser.processes import core_count

if TYPE_CHECKING:
    from amparser.algebra.type_table import TypeTable
    from amparser.decode.scores import Scores


def allowed_threads() -> int:
    """Return the maximum number of threads that may compute at once."""
    limit = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    return min(core_count(), int(limit) if limit.isdecimal() and int(limit) else core_count())


def in_threads(
    decode: Callable[..., Parse],
    batch: Sequence[Scores],
    table: TypeTable,
    threads: int = 2,
    **options: object,
) -> list[Parse]:
    """Return `decode(scores, table, **options)` for each sentence, in input order.

    There are never more threads than cores, nor than `OMP_NUM_THREADS` allows.

    Raises:
        ValueError: `threads` is below 1, or `decode` raises it.
    """
    if threads < 1:
        raise ValueError(f"threads is {threads}, expected at least 1")
    parses = [Parse()] * len(batch)

    threads = min(threads, allowed_threads())

    def decode_every(start: int) -> None:
        for i in range(start, len(batch), threads):
            parses[i] = decode(batch[i], table, **options)

    if threads == 1 or len(batch) < 2:
        return [decode(scores, table, **options) for scores in batch]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(decode_every, range(threads)))
    return parses
