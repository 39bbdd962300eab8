"""Frozen states of the tokens of train, which recombined sentences reuse.

A pretrained encoder takes most of the time of a small training. Recombined sentences consist of
parts of training sentences, so their tokens get the states of these parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor


class SeenStates:
    """Table of the states of the tokens of train.

    A token of another sentence gets the state of the first token of train that agrees with it in
    the word and both neighbours, or else in the word and the left neighbour, the word and the right
    neighbour, the word only, or both neighbours only (for invented names). If there is none, the
    state is zero.

    Args:
        sentences: non-empty tokenised sentences of train.
        states: states `[n, D]` of each sentence.

    Attributes:
        table: `[R, D]`, the states in half precision; row 0 is zero.
    """

    def __init__(self, sentences: Sequence[Sequence[str]], states: Sequence[Tensor]) -> None:
        self._starts: dict[tuple[str, ...], int] = {}
        self._rows: dict[tuple[str | None, ...], int] = {}
        count = 1
        for tokens in sentences:
            self._starts.setdefault(tuple(tokens), count)
            for row, keys in enumerate(_contexts(tokens), count):
                for key in keys:
                    self._rows.setdefault(key, row)
            count += len(tokens)
        table = torch.cat([*states])
        self.table = torch.cat([torch.zeros_like(table[:1]), table]).half()

    def rows(self, tokens: Sequence[str]) -> list[int]:
        """Return the row of `table` of each token."""
        start = self._starts.get(tuple(tokens))
        if start is not None:
            return list(range(start, start + len(tokens)))
        return [
            next((self._rows[key] for key in keys if key in self._rows), 0)
            for keys in _contexts(tokens)
        ]


def _contexts(tokens: Sequence[str]) -> Iterator[tuple[tuple[str | None, ...], ...]]:
    """Yield the contexts of each token, most specific first, with None for any word."""
    padded = ["", *tokens, ""]
    for before, word, after in zip(padded, tokens, padded[2:], strict=False):
        yield (
            (before, word, after),
            (before, word, None),
            (None, word, after),
            (None, word, None),
            (before, None, after),
        )
