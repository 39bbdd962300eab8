"""Vocabulary, and sentences as padded tensors.

Words are looked up in lower case; a separate bit marks an initial capital, so `The` and `the` share
an embedding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

import torch
from torch import Tensor

from amparser.characters import is_private
from amparser.conditions import Count, Different, Sized
from amparser.nn.device import moved

PADDING, UNKNOWN, _FIRST = range(3)


class SubwordBatch(NamedTuple):
    """Sentences as input of a pretrained encoder.

    Attributes:
        subwords: `[B, m]` int64, subword ids; padding is 0.
        firsts: `[B, n]` int64, position of each token's first subword; padding is 0.
        ends: `[B, n]` int64, position after each token's last subword; padding is 0.
        counts: `[B]` int64, number of subwords, at least 1.
    """

    subwords: Tensor
    firsts: Tensor
    ends: Tensor
    counts: Tensor


class VectorBatch(NamedTuple):
    """Words of sentences as indices of external vectors.

    Attributes:
        rows: `[B, n]` int64, id of each word in a `Vocabulary` with V ids, or V + i for row i of
            `others`.
        others: `[U, D]`, vectors of words outside the vocabulary.
        names: `[B, n, N]`, vector of each token's proper name; zeros outside names.
    """

    rows: Tensor
    others: Tensor
    names: Tensor


class SpellingBatch(NamedTuple):
    """Spelling features of sentences.

    Attributes:
        rows: `[B, n]` int64, row of each token's word in the other three tensors.
        letters: `[W, G]` int64, buckets of the letter n-grams of each word; row 0 is padding.
        prefixes: `[W, 1]` int64, bucket of the five-letter prefix of each word.
        affixes: `[W, A]` int64, buckets of the prefixes and suffixes of each word.
    """

    rows: Tensor
    letters: Tensor
    prefixes: Tensor
    affixes: Tensor


class TokenBatch(NamedTuple):
    """Sentences padded to the longest one; unused features are None.

    Attributes:
        words: `[B, n]` int64, ids of a `Vocabulary`; padding is 0.
        capitals: `[B, n]` int64, 1 if the word has an initial capital.
        lengths: `[B]` int64, lengths of the sentences, at least 1; always on the CPU.
        shapes: `[B, n]` int64, word shapes.
        spelling: spelling features.
        subwords: input of the pretrained encoder.
        vectors: indices of external word vectors.
        seen: `[B, n]` int64, rows of `SeenStates.table`, which replace `subwords` in training.
    """

    words: Tensor
    capitals: Tensor
    lengths: Tensor
    shapes: Tensor | None = None
    spelling: SpellingBatch | None = None
    subwords: SubwordBatch | None = None
    vectors: VectorBatch | None = None
    seen: Tensor | None = None

    def to(self, device: torch.device) -> TokenBatch:
        """Return the batch on a device; lengths stay on the CPU."""
        return TokenBatch(*moved(tuple(self), device))._replace(lengths=self.lengths)

    @property
    def mask(self) -> Tensor:
        """`[B, n]` bool, true on tokens and false on padding."""
        positions = torch.arange(self.words.shape[1], device=self.words.device)
        return positions < self.lengths.to(self.words.device)[:, None]


@dataclass(frozen=True)
class Vocabulary:
    """Words of training in lower case, and their counts.

    The word `words[i]` has the id i + 2; id 0 is padding, and id 1 any unknown word.
    """

    words: Annotated[tuple[str, ...], Sized("word"), Different()]
    counts: Annotated[tuple[Count, ...], Sized("word")]

    def __len__(self) -> int:
        return len(self.words) + _FIRST

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words, _FIRST)}

    def __contains__(self, word: str) -> bool:
        return word.lower() in self._ids

    def unknown(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the out-of-vocabulary tokens."""
        ids = self._ids
        return tuple([token for token in tokens if token.lower() not in ids])

    def count(self, word: str) -> int:
        """Return the count of a word in training."""
        number = self._ids.get(word.lower())
        return 0 if number is None else self.counts[number - _FIRST]

    def ids(self, tokens: Sequence[str]) -> list[int]:
        """Return the id of each token."""
        ids = self._ids
        return [ids.get(token.lower(), UNKNOWN) for token in tokens]

    def batch(self, sentences: Sequence[Sequence[str]]) -> TokenBatch:
        """Return non-empty sentences as one padded batch."""
        return TokenBatch(
            padded_rows([self.ids(tokens) for tokens in sentences]),
            padded_rows([[int(token[:1].isupper()) for token in tokens] for tokens in sentences]),
            torch.tensor([len(tokens) for tokens in sentences]),
        )


def padded_rows(rows: Sequence[Sequence[int]]) -> Tensor:
    """Return an int64 tensor of the rows, each padded with 0 to the length of the longest."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[PADDING] * (longest - len(row))] for row in rows])


def vocabulary_from_sentences(sentences: Iterable[Sequence[str]]) -> Vocabulary:
    """Return the vocabulary of training sentences, the most frequent words first.

    Words of the same frequency are in alphabetical order. Addresses and long numbers are left out;
    see `is_private`.
    """
    words = Counter(token.lower() for tokens in sentences for token in tokens)
    counts = {word: count for word, count in words.items() if not is_private(word)}
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return Vocabulary(tuple(word for word, _ in ranked), tuple(count for _, count in ranked))
