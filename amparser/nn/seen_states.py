"""Frozen states of train's tokens, which also serve recombined sentences.

A pretrained encoder costs more than the rest of a small training. Parts of recombined sentences
come from train, so their tokens reuse the states from train.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor


class SeenStates:
    """Table of the states of train's tokens.

    A token of another sentence takes the state of the first token of train with the most similar
    context. From most to least similar, this is the same word between the same neighbours, after
    the same left neighbour, before the same right neighbour, or anywhere; then another word between
    the same neighbours, which helps with invented names. All other tokens have zeros.

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
    # An empty word marks the ends of the sentence.
    padded = ["", *tokens, ""]
    for before, word, after in zip(padded, tokens, padded[2:], strict=False):
        yield (
            (before, word, after),
            (before, word, None),
            (None, word, after),
            (None, word, None),
            (before, None, after),
        )
