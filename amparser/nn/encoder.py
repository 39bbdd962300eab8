"""Words to vectors in context: embeddings and a bidirectional LSTM."""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn

from amparser.nn.dropout import Dropout
from amparser.nn.settings import EncoderSettings
from amparser.nn.vocabulary import PADDING, UNKNOWN, TokenBatch, Vocabulary


class Encoder(nn.Module, ABC):
    """Base of the encoders: `[B, n, D]` vectors and `[B]` lengths to `[B, n, output_size]`.

    Vectors beyond a sentence's length must not change states within it.
    """

    output_size: int

    @abstractmethod
    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Encode a padded batch."""


class WordEmbedding(nn.Module):
    """The sum of a vector for the lower-cased word and one for its capital bit.

    In training a word seen c times becomes the unknown word with probability
    a / (a + c), so that the unknown word has a vector (Kiperwasser & Goldberg 2016).
    """

    drop_probability: Tensor

    def __init__(self, vocabulary: Vocabulary, size: int, word_dropout: float) -> None:
        super().__init__()
        self.words = nn.Embedding(len(vocabulary), size, padding_idx=PADDING)
        self.capitals = nn.Embedding(2, size)
        counts = torch.tensor(vocabulary.counts, dtype=torch.float32)
        seen = word_dropout / (word_dropout + counts)
        first = len(vocabulary) - len(vocabulary.words)
        self.register_buffer(
            "drop_probability", torch.cat([torch.zeros(first), seen]), persistent=False
        )

    def forward(self, batch: TokenBatch) -> Tensor:
        """`[B, n, size]`."""
        words = batch.words
        if self.training:
            dropped = torch.rand(words.shape, device=words.device) < self.drop_probability[words]
            words = words.masked_fill(dropped, UNKNOWN)
        vectors: Tensor = self.words(words) + self.capitals(batch.capitals)
        return vectors


class BiLSTMEncoder(Encoder):
    """Layers of a bidirectional LSTM, each direction `hidden_size` wide.

    The backward direction reads each sentence reversed within its own length.
    Padding is then at the end in both directions, and neither needs packed
    sequences, which cost more than twice the time on a CPU.
    """

    def __init__(self, input_size: int, hidden_size: int, layers: int, dropout: float) -> None:
        super().__init__()
        sizes = [input_size] + [2 * hidden_size] * (layers - 1)
        self.forwards = nn.ModuleList(nn.LSTM(s, hidden_size, batch_first=True) for s in sizes)
        self.backwards = nn.ModuleList(nn.LSTM(s, hidden_size, batch_first=True) for s in sizes)
        self.dropout = Dropout(dropout)
        self.output_size = 2 * hidden_size

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Encode a padded batch."""
        positions = torch.arange(vectors.shape[1], device=vectors.device)
        mirrored = lengths[:, None] - 1 - positions
        order = torch.where(mirrored >= 0, mirrored, positions)
        # One index for both dimensions: rows are copied whole.
        first = torch.arange(len(lengths), device=vectors.device) * vectors.shape[1]
        rows = (order + first[:, None]).flatten()
        for ahead, back in zip(self.forwards, self.backwards, strict=True):
            left, _ = ahead(vectors)
            right, _ = back(_reordered(vectors, rows))
            vectors = torch.cat([left, _reordered(right, rows)], -1)
            vectors = self.dropout(vectors)
        return vectors


def _reordered(vectors: Tensor, rows: Tensor) -> Tensor:
    """Padded `[B, n, S]` vectors in the order of rows `[B * n]`."""
    return vectors.flatten(0, 1).index_select(0, rows).view_as(vectors)


def bilstm_encoder(settings: EncoderSettings, input_size: int) -> BiLSTMEncoder:
    """The encoder of type `bilstm`."""
    return BiLSTMEncoder(input_size, settings.hidden_size, settings.layers, settings.dropout)
