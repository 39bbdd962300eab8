"""Rows of an array that words share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_WORDS = 1 << 16
"""How many words are remembered."""


class Rows:
    """Rows of equal width, found by a word; words with equal rows share one.

    There are as many rows as the lexicon tells kinds of words apart. Words are forgotten when
    there are many of them, as in an endless stream of new ones.

    Attributes:
        numbers: the row of each word.
        count: R, the number of rows.
    """

    def __init__(self) -> None:
        self.count = 0
        self._room: NDArray[Any] = np.zeros((0, 0))
        self.numbers: dict[str | None, int] = {}
        self._of_content: dict[bytes, int] = {}

    @property
    def array(self) -> NDArray[Any]:
        """`[R, K]`."""
        return self._room[: self.count]

    def add(self, word: str | None, row: NDArray[Any]) -> int:
        """Remember the row of a word; returns its number."""
        number = self._of_content.setdefault(row.tobytes(), len(self._of_content))
        if number == self.count:
            if number == len(self._room):  # twice as much, so that each row is seldom copied
                room = np.empty((max(64, 2 * number), len(row)), row.dtype)
                if number:
                    room[:number] = self._room
                self._room = room
            self._room[number] = row
            self.count += 1
        if len(self.numbers) >= MOST_WORDS:
            self.numbers.clear()
        self.numbers[word] = number
        return number
