"""Encoder layer over external word vectors.

The vectors of training words are stored with the weights, so a trained model reads the sources of
vectors only for other words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor, nn

from amparser.errors import ModelError
from amparser.nn.registry import AUTO, USUAL, VECTORS
from amparser.nn.settings import EncoderSettings
from amparser.nn.vectors.source import NameSource, Origin, VectorSource
from amparser.nn.vocabulary import PADDING, UNKNOWN, VectorBatch, Vocabulary, padded_rows
from amparser.schema import from_json, to_json

_LEAST_NEW = 0.05
"""Minimum `share_of_new` for `auto` to choose any source.

In experiments with fewer new words, vectors made parsers truncate names of several words.
"""
_LEAST_KNOWN = 0.75
"""Minimum share of training tokens with a vector in `english` for `auto` to choose it."""


def chosen_sources(setting: str, sentences: Iterable[Sequence[str]]) -> str:
    """Return the sources that a setting names; choose them from the sentences for `auto`."""
    if setting != AUTO:
        return setting
    counts = word_counts(sentences)
    if share_of_new(counts) <= _LEAST_NEW:
        return ""
    known = VECTORS[USUAL[0]].vectors([*counts]).any(axis=1)
    share = np.array([*counts.values()]) @ known
    return " ".join(USUAL) if share > _LEAST_KNOWN * counts.total() else ""


def word_counts(sentences: Iterable[Sequence[str]]) -> Counter[str]:
    """Count the words in lower case, except numbers and punctuation."""
    return Counter(word.lower() for words in sentences for word in words if word.isalpha())


def share_of_new(counts: Counter[str]) -> float:
    """Return the estimated share of unknown words in new sentences (Good 1953)."""
    return sum(n for n in counts.values() if n == 1) / max(1, counts.total())


class KnownVectors(nn.Module):
    """Trained layer over the fixed vectors of tokens; see the module's docstring."""

    table: Tensor
    centre: Tensor

    def __init__(
        self, settings: EncoderSettings, vocabulary: Vocabulary, origins: Sequence[Origin]
    ) -> None:
        super().__init__()
        self.vocabulary, self.origins = vocabulary, tuple(origins)
        sources = {name: VECTORS[name] for name in settings.vectors.split()}
        self.name_sources: dict[str, NameSource] = {
            name: source for name, source in sources.items() if hasattr(source, "spans")
        }
        self.sources: dict[str, VectorSource] = {
            name: source for name, source in sources.items() if name not in self.name_sources
        }
        size = sum(source.size for source in self.sources.values())
        self.register_buffer("table", torch.zeros(len(vocabulary), size, dtype=torch.float16))
        self.register_buffer("centre", torch.zeros(size))
        self.rate = settings.vector_dropout
        size += sum(source.size for source in self.name_sources.values())
        self.layer = nn.Linear(size, settings.vector_size)

    @classmethod
    def of_train(cls, settings: EncoderSettings, vocabulary: Vocabulary) -> Self:
        """Return an untrained layer with the vectors of the training words."""
        sources = [VECTORS[name] for name in settings.vectors.split()]
        vectors = cls(settings, vocabulary, [source.origin() for source in sources])
        known = vectors._asked(vocabulary.words)
        vectors.centre.copy_(known.mean(dim=0))
        vectors.table[-len(known) :] = vectors._centred(known)
        return vectors

    @classmethod
    def from_dict(
        cls, settings: EncoderSettings, vocabulary: Vocabulary, value: object, where: object
    ) -> Self:
        """Return the layer that `to_dict` describes; vectors and weights are loaded later.

        Raises ModelError if the value was not written by `to_dict`.
        """
        key = "content.encoder.vectors"
        origins = from_json(value, tuple[Origin, ...], where, key, error=ModelError)
        names = settings.vectors.split()
        if [origin.name for origin in origins] != names:
            raise ModelError(f"{where}: {key}: expected the vectors {', '.join(names)}")
        for origin in origins:
            origin.check(VECTORS[origin.name], f"{where}: {key}")
        return cls(settings, vocabulary, origins)

    def to_dict(self) -> Any:
        """Return the origins of the vectors as JSON values."""
        return to_json(self.origins, tuple[Origin, ...])

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Return a message if a token's vector needs a source that is not installed, else None."""
        read = [token for n, token in enumerate(tokens) if self._is_read(n, token)]
        if unknown := self.vocabulary.unknown(read):
            for name, source in self.sources.items():
                if (missing := source.missing) is not None:
                    word = unknown[0]
                    return f"train does not have {word!r}; word vectors {name!r}: {missing}"
        return None

    @staticmethod
    def _is_read(n: int, token: str) -> bool:
        # Capitalised words are usually names, whose vectors do not tell cities from states.
        return not n or not token[:1].isupper()

    def batch(self, sentences: Sequence[Sequence[str]]) -> VectorBatch:
        """Return the vector indices of tokenised sentences."""
        others: dict[str, int] = {}
        rows = []
        for tokens in sentences:
            row = self.vocabulary.ids(tokens)
            for n, token in enumerate(tokens):
                if not self._is_read(n, token):
                    row[n] = PADDING
                elif row[n] == UNKNOWN:
                    row[n] = len(self.vocabulary) + others.setdefault(token.lower(), len(others))
            rows.append(row)
        # Half precision, like the stored vectors of training words.
        new = self._centred(self._asked([*others])).half().float()
        return VectorBatch(padded_rows(rows), new, self._named(sentences))

    def _named(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        """Return the vector of the name around each token, `[B, n, N]`; zeros outside names."""
        width = max(map(len, sentences), default=0)
        parts = [np.zeros((len(sentences), width, 0), dtype=np.float32)]
        for source in self.name_sources.values():
            part = np.zeros((len(sentences), width, source.size), dtype=np.float32)
            for row, tokens in zip(part, sentences, strict=True):
                for start, end in source.spans(tokens):
                    row[start:end] = source.vectors([" ".join(tokens[start:end])])
            parts.append(part)
        return torch.from_numpy(np.concatenate(parts, axis=2))

    def _centred(self, vectors: Tensor) -> Tensor:
        """Subtract the mean of the training vectors; zero vectors stay zero."""
        known = vectors.any(dim=1, keepdim=True)
        return (vectors - self.centre.cpu()) * known

    def _asked(self, words: Sequence[str]) -> Tensor:
        parts = [torch.zeros(len(words), 0)]
        parts += [torch.from_numpy(source.vectors(words)) for source in self.sources.values()]
        return torch.cat(parts, dim=1)

    def forward(self, batch: VectorBatch, mask: Tensor) -> Tensor:
        """Return `[T, W]` for the T tokens selected by a mask `[B, n]`."""
        rows = batch.rows[mask]
        known = self.table[rows.clamp(max=len(self.table) - 1)].float()
        if len(batch.others):
            other = batch.others[(rows - len(self.table)).clamp(min=0)]
            known = torch.where((rows >= len(self.table))[:, None], other, known)
        known = torch.cat([known, batch.names[mask]], dim=1)
        if self.training and self.rate:
            known = known * (torch.rand(len(known), 1, device=known.device) >= self.rate)
        # With larger inputs, the layer learns in fewer steps.
        return torch.tanh(self.layer(known * 6.0))
