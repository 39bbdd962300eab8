"""Examples that stay in their files: each pass over them reads them anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress, islice
from typing import Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from amparser.errors import CorpusError

Item = TypeVar("Item")


class Streamed(Sequence[Item], Generic[Item]):
    """A sequence that is gone through from its beginning each time.

    An item by its number is found in time that grows with the number.

    Args:
        kept: `[N]`, which of them belong to the sequence.
    """

    def __init__(self, read: Callable[[], Iterator[Item]], kept: NDArray[np.bool_]) -> None:
        self._read = read
        self.kept = kept
        self._count = int(kept.sum())

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Item]:
        found = 0
        for item in compress(self._read(), self.kept):
            found += 1
            yield item
        if found != self._count:
            reason = f"{found} rows are there, {self._count} were: a file of it has changed"
            raise CorpusError(reason)

    @overload
    def __getitem__(self, number: int) -> Item: ...

    @overload
    def __getitem__(self, number: slice) -> list[Item]: ...

    def __getitem__(self, number: Any) -> Any:
        numbers = range(self._count)[number]
        if isinstance(numbers, range):
            by_number = dict(self._at(numbers))
            return [by_number[i] for i in numbers]
        return next(item for _, item in self._at([numbers]))

    def _at(self, numbers: Sequence[int]) -> Iterator[tuple[int, Item]]:
        wanted = set(numbers)
        if wanted:
            rows = enumerate(islice(self, max(wanted) + 1))
            yield from ((i, item) for i, item in rows if i in wanted)

    def only(self, numbers: Iterable[int]) -> Streamed[Item]:
        """Some of the items."""
        places = np.flatnonzero(self.kept)[np.fromiter(numbers, np.int64)]
        kept = np.zeros_like(self.kept)
        kept[places] = True
        return Streamed(self._read, kept)
