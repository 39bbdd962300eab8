"""LSTM layers over the words of a sentence; the last state of the last one represents it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from amparser.baselines.vocabulary import TokenVocabulary, source_batch
from amparser.benchmarks.monotonicity.classifiers.network import (
    Sentence,
    SentenceEncoder,
    SentenceStore,
    WordEmbedding,
)
from amparser.benchmarks.monotonicity.classifiers.settings import EncoderSizes
from amparser.benchmarks.monotonicity.classifiers.words import words_of
from amparser.errors import InputError


class LSTMEncoder(SentenceEncoder):
    """Three layers in the paper, in one direction, without attention."""

    def __init__(self, sizes: EncoderSizes, vocabulary_size: int) -> None:
        super().__init__()
        self.embedding = WordEmbedding(sizes, vocabulary_size)
        self.lstm = nn.LSTM(
            sizes.embedding_size,
            sizes.hidden_size,
            num_layers=sizes.layers,
            # torch warns if dropout between layers is asked for and there is only one.
            dropout=sizes.dropout if sizes.layers > 1 else 0.0,
            batch_first=True,
        )

    def forward(self, *batch: Any) -> Tensor:
        """States `[S, H]` of word ids `[S, n]`, padded at the end, and lengths `[S]`."""
        words, lengths = batch
        states, _ = self.lstm(self.embedding(words))
        last: Tensor = states[torch.arange(len(words), device=words.device), lengths - 1]
        return last


class WordStore(SentenceStore):
    """Sentences as ids of words."""

    def __init__(self, vocabulary: TokenVocabulary) -> None:
        self.vocabulary = vocabulary

    def add(self, tokens: Sequence[str]) -> Sentence:
        """The ids; raises InputError if there is no word."""
        if not (words := words_of(tokens)):
            raise InputError("expected a sentence, found only its end")
        return tuple(self.vocabulary.ids(words))

    def length(self, sentence: Sentence) -> int:
        """The number of words."""
        return len(sentence)

    def batch(self, sentences: Sequence[Sentence], device: torch.device) -> tuple[Any, ...]:
        """Padded ids and lengths."""
        words, lengths = source_batch(sentences)
        return words.to(device), lengths.to(device)
