"""Vocabularies of words, and padded batches of their ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import torch
from torch import Tensor

from amparser.characters import is_private
from amparser.conditions import Different
from amparser.errors import ModelError
from amparser.schema import from_json

PADDING, BEGIN, END, UNKNOWN, SPECIAL = range(5)
"""Ids of special tokens; words have ids from `SPECIAL` on."""
UNKNOWN_WORD = "<unk>"


@dataclass(frozen=True)
class TokenVocabulary:
    """Words of the training sentences, or of their targets; `words[i]` has the id i + 4."""

    words: Sequence[str]

    def __len__(self) -> int:
        return len(self.words) + SPECIAL

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words, SPECIAL)}

    def ids(self, tokens: Iterable[str]) -> list[int]:
        """Return an id for each token; UNKNOWN for words outside the vocabulary."""
        return [self._ids.get(token, UNKNOWN) for token in tokens]

    def tokens(self, ids: Iterable[int]) -> tuple[str, ...]:
        """Return the words of ids; `<unk>` for special ids."""
        return tuple(self.words[i - SPECIAL] if i >= SPECIAL else UNKNOWN_WORD for i in ids)


def words_of(sentences: Iterable[Iterable[str]]) -> list[str]:
    """Return the distinct words of sentences in alphabetical order, without addresses."""
    words = {word for sentence in sentences for word in sentence}
    return sorted(word for word in words if not is_private(word))


def vocabulary_of(content: Mapping[str, Any], key: str) -> TokenVocabulary:
    """Return the vocabulary under a key of a model folder's content. Raises ModelError."""
    words = Annotated[list[str], Different()]
    found: Any = from_json(content.get(key), words, "content", key, error=ModelError)
    return TokenVocabulary(found)


def padded(rows: Sequence[Sequence[int]], value: int = PADDING, *, left: bool = False) -> Tensor:
    """Return rows as an int64 tensor `[B, n]`, padded with `value` at the end or on the left."""
    width = max(map(len, rows))
    fill = [[value] * (width - len(row)) for row in rows]
    both = zip(fill, rows, strict=True) if left else zip(rows, fill, strict=True)
    return torch.tensor([[*first, *last] for first, last in both])


def masked(
    rows: Sequence[Sequence[int]], padding: int, device: torch.device, *, left: bool = False
) -> dict[str, Tensor]:
    """Return padded ids `[B, n]` and a mask `[B, n]` that is 0 on padding and 1 elsewhere."""
    ids = padded(rows, padding, left=left)
    mask = padded([[1] * len(row) for row in rows], 0, left=left)
    return {"input_ids": ids.to(device), "attention_mask": mask.to(device)}
