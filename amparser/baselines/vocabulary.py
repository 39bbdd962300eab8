"""Words to ids and back, and pairs of sentences and targets as padded tensors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import torch
from torch import Tensor

from amparser.errors import ModelError

PADDING, BEGIN, END, UNKNOWN, SPECIAL = range(5)
"""Ids below this are not words."""

UNKNOWN_WORD = "<unk>"


class PairBatch(NamedTuple):
    """Sentences with their targets.

    Attributes:
        source: `[B, n]` int64; padding is 0.
        lengths: `[B]` int64, the lengths of the sentences, at least 1.
        target: `[B, m + 2]` int64: BEGIN, the words, END; padding is 0.
    """

    source: Tensor
    lengths: Tensor
    target: Tensor

    def to(self, device: torch.device) -> PairBatch:
        """The same batch on a device."""
        return PairBatch(*(tensor.to(device, non_blocking=True) for tensor in self))


@dataclass(frozen=True)
class TokenVocabulary:
    """The words of one side of the training pairs; word `words[i]` has id i + 4."""

    words: tuple[str, ...]

    def __len__(self) -> int:
        """The number of ids."""
        return len(self.words) + SPECIAL

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words, SPECIAL)}

    def ids(self, tokens: Iterable[str]) -> list[int]:
        """An id for each token; UNKNOWN for a word not in the vocabulary.

        >>> TokenVocabulary(("a", "cat")).ids(["a", "dog"])
        [4, 3]
        """
        return [self._ids.get(token, UNKNOWN) for token in tokens]

    def tokens(self, ids: Iterable[int]) -> tuple[str, ...]:
        """The words of ids; `<unk>` for ids that are not words."""
        return tuple(self.words[i - SPECIAL] if i >= SPECIAL else UNKNOWN_WORD for i in ids)


def vocabulary_of(sentences: Iterable[Iterable[str]]) -> TokenVocabulary:
    """The words of sentences in alphabetic order."""
    return TokenVocabulary(tuple(sorted({word for sentence in sentences for word in sentence})))


def vocabulary_from_json(content: Mapping[str, Any], key: str) -> TokenVocabulary:
    """The inverse of `list(vocabulary.words)`; raises ModelError on anything else."""
    value = content.get(key)
    if (
        not isinstance(value, list)
        or not all(isinstance(word, str) for word in value)
        or len(set(value)) != len(value)
    ):
        raise ModelError(f"content.{key}: expected a vocabulary, a list of different words")
    return TokenVocabulary(tuple(value))


def padded(rows: Sequence[Sequence[int]], value: int = PADDING, *, left: bool = False) -> Tensor:
    """`[B, n]` int64: rows filled up with a value to the longest, at the end or on the left."""
    width = max(map(len, rows))
    fill = [[value] * (width - len(row)) for row in rows]
    both = zip(fill, rows, strict=True) if left else zip(rows, fill, strict=True)
    return torch.tensor([[*first, *last] for first, last in both])


def source_batch(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Sentences as `[B, n]` with their lengths `[B]`."""
    return padded(rows), torch.tensor([len(row) for row in rows])


def pair_batch(sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> PairBatch:
    """Pad sentences and targets, which are given as ids of words."""
    source, lengths = source_batch(sources)
    return PairBatch(source, lengths, padded([[BEGIN, *row, END] for row in targets]))
