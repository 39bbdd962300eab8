"""Two sentences with the same encoder, and a classifier above both representations.

The classifier sees [p; h; |p - h|; p * h] and has one hidden layer. The paper says only
that the last states represent the sentences (section 3.2). These four are usual
for such classifiers of SNLI (Mou et al. 2016, section 3; Conneau et al. 2017, figure 1).
The paper also leaves open the sizes of the classifier and of batches, and the learning rate.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from amparser.baselines.vocabulary import PADDING, UNKNOWN, TokenVocabulary
from amparser.benchmarks.monotonicity.classifiers.classifier import PairClassifier, Row
from amparser.benchmarks.monotonicity.classifiers.settings import EncoderSizes
from amparser.benchmarks.monotonicity.classifiers.words import words_of
from amparser.errors import InputError

Sentence = tuple[int, ...]


class WordEmbedding(nn.Module):
    """Embeddings of words; in training some words are replaced by UNKNOWN."""

    def __init__(self, sizes: EncoderSizes, vocabulary_size: int) -> None:
        super().__init__()
        self.rate = sizes.unknown
        self.table = nn.Embedding(vocabulary_size, sizes.embedding_size, padding_idx=PADDING)
        self.dropout = nn.Dropout(sizes.dropout)

    def forward(self, words: Tensor) -> Tensor:
        """Vectors `[..., E]` of ids `[...]`; a batch replaces a word everywhere or nowhere."""
        if self.training and self.rate:
            ids = torch.arange(self.table.num_embeddings)
            replaced = (torch.rand(len(ids)) < self.rate) & (ids != PADDING)
            words = ids.masked_fill(replaced, UNKNOWN).to(words.device)[words]
        return cast("Tensor", self.dropout(self.table(words)))


class SentenceEncoder(nn.Module, ABC):
    """A network from sentences to their representations."""

    embedding: WordEmbedding

    @abstractmethod
    def forward(self, *batch: Any) -> Tensor:
        """The representations `[S, H]` of a batch of `SentenceStore.batch`."""


class SentenceStore(ABC):
    """From tokens to the input of an encoder."""

    @abstractmethod
    def add(self, tokens: Sequence[str]) -> Sentence:
        """A sentence as numbers; raises InputError if it cannot be read."""

    @abstractmethod
    def length(self, sentence: Sentence) -> int:
        """The size of a sentence."""

    @abstractmethod
    def batch(self, sentences: Sequence[Sentence], device: torch.device) -> tuple[Any, ...]:
        """The arguments of the encoder for a batch of sentences."""


class PairNetwork(nn.Module):
    """An encoder and the classifier above it."""

    def __init__(self, encoder: SentenceEncoder, sizes: EncoderSizes) -> None:
        super().__init__()
        self.size = sizes.hidden_size
        self.encoder = encoder
        self.classifier = nn.Sequential(
            nn.Dropout(sizes.dropout),
            nn.Linear(4 * sizes.hidden_size, sizes.classifier_size),
            nn.ReLU(),
            nn.Dropout(sizes.dropout),
            nn.Linear(sizes.classifier_size, 2),
        )

    def forward(self, states: Tensor, pairs: Tensor) -> Tensor:
        """Logits `[B, 2]` of pairs `[B, 2]`, the numbers of premise and hypothesis in `[S, H]`."""
        premise, hypothesis = states[pairs[:, 0]], states[pairs[:, 1]]
        features = (premise, hypothesis, (premise - hypothesis).abs(), premise * hypothesis)
        return cast("Tensor", self.classifier(torch.cat(features, 1)))


class ScratchClassifier(PairClassifier):
    """A network that is trained from scratch.

    Args:
        network: the network, with fresh weights.
        store: makes the input of its encoder.
        vocabulary: the words of training.
    """

    def __init__(
        self, network: PairNetwork, store: SentenceStore, vocabulary: TokenVocabulary
    ) -> None:
        self._network = network
        self.store = store
        self.vocabulary = vocabulary

    @property
    def network(self) -> PairNetwork:
        """See the base class."""
        return self._network

    @property
    def size(self) -> int:
        """See the base class."""
        return self.network.size

    def row(self, premise: Sequence[str], hypothesis: Sequence[str]) -> Row:
        """See the base class."""
        found = []
        for name, tokens in (("premise", premise), ("hypothesis", hypothesis)):
            try:
                found.append(self.store.add(tokens))
            except InputError as error:
                raise InputError(f"{name}: {error}") from None
        return found[0], found[1]

    def lengths(self, row: Row) -> tuple[int, int]:
        """The sizes of both sentences, as the store counts them."""
        return self.store.length(row[0]), self.store.length(row[1])

    def logits(self, rows: Sequence[Row]) -> Tensor:
        """See the base class; repeated sentences are encoded once."""
        numbers = {s: i for i, s in enumerate(dict.fromkeys(s for row in rows for s in row))}
        pairs = torch.tensor([[numbers[s] for s in row] for row in rows], device=self.device)
        states = self.network.encoder(*self.store.batch(list(numbers), self.device))
        return cast("Tensor", self.network(states, pairs))

    def unknown(self, tokens: Sequence[str]) -> list[str]:
        """See the base class."""
        known = set(self.vocabulary.words)
        return [word for word in dict.fromkeys(words_of(tokens)) if word not in known]

    def to_dict(self) -> dict[str, Any]:
        """The vocabulary."""
        return {"vocabulary": list(self.vocabulary.words)}

    @torch.no_grad()
    def take_vectors(self, vectors: Mapping[str, npt.NDArray[np.float32]]) -> None:
        """Set the embeddings of words to these vectors `[E]`."""
        table = self.network.encoder.embedding.table.weight
        for word, vector in vectors.items():
            table[self.vocabulary.ids([word])[0]] = torch.from_numpy(vector).to(table)
