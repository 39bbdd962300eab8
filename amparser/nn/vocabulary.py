"""Words to integers, and sentences to padded tensors.

A word is looked up in lower case, with one bit that says whether its first
letter was a capital. So `The` and `the` share what is learned of either.
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
        subwords: `[B, m]` int64, ids of its tokenizer; padding is 0.
        firsts: `[B, n]` int64, the position of each token's first subword; padding is 0.
        counts: `[B]` int64, how many subwords there are, at least 1.
    """

    subwords: Tensor
    firsts: Tensor
    counts: Tensor


class VectorBatch(NamedTuple):
    """The words of sentences as numbers of vectors from outside train.

    Attributes:
        rows: `[B, n]` int64, ids of a `Vocabulary`, then the numbers of `others`.
        others: `[U, D]`, the vectors of other words.
        names: `[B, n, N]`, what is known of the names that tokens are part of.
    """

    rows: Tensor
    others: Tensor
    names: Tensor


class SpellingBatch(NamedTuple):
    """The letters of sentences.

    Attributes:
        rows: `[B, n]` int64, the row of a token's word in the three tables below.
        letters: `[W, G]` int64, the n-grams of each different word; row 0 has none.
        prefixes: `[W, 1]` int64, of five letters.
        affixes: `[W, A]` int64, its prefixes and suffixes.
    """

    rows: Tensor
    letters: Tensor
    prefixes: Tensor
    affixes: Tensor


class TokenBatch(NamedTuple):
    """Sentences padded to the longest of them; what an encoder does not look at is None.

    Attributes:
        words: `[B, n]` int64, ids of a `Vocabulary`; padding is 0.
        capitals: `[B, n]` int64, 1 if the word begins with a capital.
        lengths: `[B]` int64, at least 1; they stay on the CPU, since they are read as numbers.
        shapes: `[B, n]` int64.
        spelling: their letters.
        subwords: the same sentences for a pretrained encoder.
        vectors: the same for sources of word vectors.
    """

    words: Tensor
    capitals: Tensor
    lengths: Tensor
    shapes: Tensor | None = None
    spelling: SpellingBatch | None = None
    subwords: SubwordBatch | None = None
    vectors: VectorBatch | None = None

    def to(self, device: torch.device) -> TokenBatch:
        """Return the same batch on a device; lengths stay where they are."""
        return TokenBatch(*moved(tuple(self), device))._replace(lengths=self.lengths)

    @property
    def mask(self) -> Tensor:
        """`[B, n]` bool, true on tokens and false on padding."""
        positions = torch.arange(self.words.shape[1], device=self.words.device)
        return positions < self.lengths.to(self.words.device)[:, None]


@dataclass(frozen=True)
class Vocabulary:
    """The lower-cased words of the training sentences, and how often each was seen.

    Word `words[i]` has id i + 2; id 0 is padding and id 1 every other word.
    """

    words: Annotated[tuple[str, ...], Sized("word"), Different()]
    counts: Annotated[tuple[Count, ...], Sized("word")]

    def __len__(self) -> int:
        """The number of ids, including padding and the unknown word."""
        return len(self.words) + _FIRST

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words, _FIRST)}

    def __contains__(self, word: str) -> bool:
        return word.lower() in self._ids

    def unknown(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The tokens that are not words of the vocabulary."""
        ids = self._ids
        return tuple([token for token in tokens if token.lower() not in ids])

    def ids(self, tokens: Sequence[str]) -> list[int]:
        """The id of each token."""
        ids = self._ids
        return [ids.get(token.lower(), UNKNOWN) for token in tokens]

    def batch(self, sentences: Sequence[Sequence[str]]) -> TokenBatch:
        """Pad non-empty sentences into one batch."""
        width = max(len(tokens) for tokens in sentences)
        words = [self.ids(tokens) + [PADDING] * (width - len(tokens)) for tokens in sentences]
        capitals = [capital_bits(tokens) + [0] * (width - len(tokens)) for tokens in sentences]
        return TokenBatch(
            torch.tensor(words), torch.tensor(capitals), torch.tensor([len(t) for t in sentences])
        )


def capital_bits(tokens: Sequence[str]) -> list[int]:
    """1 for each token whose first letter is a capital, else 0."""
    return [int(token[:1].isupper()) for token in tokens]


def vocabulary_from_sentences(sentences: Iterable[Sequence[str]]) -> Vocabulary:
    """Collect the words of training sentences, most frequent first, then alphabetically.

    Addresses and long numbers are left out, see `is_private`.
    """
    words = Counter(token.lower() for tokens in sentences for token in tokens)
    counts = {word: count for word, count in words.items() if not is_private(word)}
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return Vocabulary(tuple(word for word, _ in ranked), tuple(count for _, count in ranked))
