"""Encoder over word and letter embeddings, learned from the training set.

The embedding of a token concatenates the embeddings of its word, letter n-grams, prefix, affixes
and shape, its external word vector, and its state from a pretrained encoder. Each part is optional.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import embedding as embed

from amparser.errors import ConfigError, ModelError
from amparser.nn.encoders.encoder import Encoded, Encoder
from amparser.nn.encoders.spelling import (
    AFFIX_COUNT,
    SHAPE_COUNT,
    shape_of,
    spelled_words,
    spelling_of,
)
from amparser.nn.lstm import Dropout, SentenceLSTM
from amparser.nn.registry import AUTO, USUAL, VECTORS
from amparser.nn.settings import EncoderSettings
from amparser.nn.vocabulary import (
    PADDING,
    UNKNOWN,
    SpellingBatch,
    TokenBatch,
    Vocabulary,
    padded_rows,
)
from amparser.remembered import Remembered
from amparser.schema import from_json, to_json

if TYPE_CHECKING:
    from amparser.nn.pretrained import PretrainedEncoder, SharedEncoder
    from amparser.nn.seen_states import SeenStates
    from amparser.nn.vectors.known import KnownVectors


class WordsLetters(Encoder):
    """The encoder `words-letters`; see the module's docstring.

    In training, a word with c occurrences is replaced by the unknown word with the probability a /
    (a + c), where a is `word_dropout` (Kiperwasser & Goldberg 2016). See `EncoderSettings` for
    further kinds of dropout.

    Args:
        settings: settings of the encoder.
        vocabulary: words that have an embedding.
        pretrained: pretrained encoder, or None.
        vectors: layer over external word vectors, or None.

    Raises:
        ConfigError: all embeddings have width 0, or AllenNLP is needed and not installed.
    """

    def __init__(
        self,
        settings: EncoderSettings,
        vocabulary: Vocabulary,
        pretrained: PretrainedEncoder | SharedEncoder | None = None,
        vectors: KnownVectors | None = None,
    ) -> None:
        super().__init__()
        self.settings = settings
        self.vocabulary = vocabulary
        self._spelling_of = Remembered(partial(spelling_of, buckets=settings.buckets))
        self.pretrained = pretrained
        # A pretrained encoder may have layers that its states do not use.
        self.partial = pretrained is not None
        self.vectors = vectors
        self.seen: SeenStates | None = None
        buckets, width, scale = settings.buckets, settings.word_size, settings.letter_scale
        self.words = _table(len(vocabulary), width, settings.word_scale)
        self.capitals = nn.Embedding(2, width) if settings.capitals and width else None
        self.letters = _table(buckets, settings.letter_size, scale)
        self.prefixes = _table(buckets, settings.prefix_size, scale)
        self.affixes = _table(buckets, settings.affix_width, scale)
        self.shapes = (
            nn.Embedding(SHAPE_COUNT, settings.shape_size) if settings.shape_size else None
        )
        self.state_layer = None
        if pretrained is not None and settings.pretrained_size:
            states = pretrained.output_size
            linear = nn.Linear(states, settings.pretrained_size)
            self.state_layer = nn.Sequential(nn.LayerNorm(states), linear, nn.Tanh())
        self.embedding_size = (
            settings.word_size
            + settings.letter_size
            + settings.prefix_size
            + AFFIX_COUNT * settings.affix_width
            + settings.shape_size
            + (0 if vectors is None else settings.vector_size)
            + (0 if pretrained is None else settings.pretrained_size or pretrained.output_size)
        )
        if not self.embedding_size:
            raise ConfigError("encoder: all sizes of embeddings are 0")
        self.dropout = Dropout(settings.dropout)
        self.context, self.state_size = _context(settings, self.embedding_size)
        self.unknown_rates: Tensor
        self.rare_rates: Tensor
        for name, rates in _unknown_rates(settings, vocabulary).items():
            self.register_buffer(name, rates, persistent=False)

    @classmethod
    def check_settings(cls, settings: EncoderSettings) -> None:
        """See `Encoder`."""
        if settings.pretrained not in ("", AUTO):
            from amparser.nn.pretrained import check_named

            check_named(settings)
        for name in settings.vectors.split() if settings.vectors != AUTO else USUAL:
            VECTORS[name].origin()

    @classmethod
    def of_train(cls, settings: EncoderSettings, vocabulary: Vocabulary) -> Self:
        """See `Encoder`; a pretrained encoder has its pretrained weights."""
        pretrained, vectors = None, None
        if settings.pretrained not in ("", AUTO):
            from amparser.nn.pretrained import encoder_named

            pretrained = encoder_named(settings)
        if settings.vectors and settings.vectors != AUTO:
            from amparser.nn.vectors.known import KnownVectors

            vectors = KnownVectors.of_train(settings, vocabulary)
        return cls(settings, vocabulary, pretrained, vectors)

    @classmethod
    def from_dict(cls, settings: EncoderSettings, value: object, where: object) -> Self:
        """See `Encoder`."""
        key = "content.encoder"
        content = from_json(value, dict[str, Any], where, key, error=ModelError)
        vocabulary = from_json(
            content.get("vocabulary"), Vocabulary, where, f"{key}.vocabulary", error=ModelError
        )
        pretrained = None
        if settings.pretrained not in ("", AUTO):
            from amparser.nn.pretrained import pretrained_from_dict

            try:
                pretrained = pretrained_from_dict(content.get("pretrained"), settings)
            except ModelError as error:
                raise ModelError(f"{where}: {error}") from None
        vectors = None
        if settings.vectors:
            from amparser.nn.vectors.known import KnownVectors

            vectors = KnownVectors.from_dict(settings, vocabulary, content.get("vectors"), where)
        return cls(settings, vocabulary, pretrained, vectors)

    @property
    def _outside(self) -> dict[str, KnownVectors | PretrainedEncoder | SharedEncoder]:
        parts = {"vectors": self.vectors, "pretrained": self.pretrained}
        return {name: part for name, part in parts.items() if part is not None}

    def to_dict(self) -> dict[str, Any]:
        """See `Encoder`."""
        outside = {name: part.to_dict() for name, part in self._outside.items()}
        return {"vocabulary": to_json(self.vocabulary, Vocabulary), **outside}

    def problem(self, tokens: Sequence[str]) -> str | None:
        """See `Encoder`; a pretrained encoder limits the number of subwords."""
        problems = (part.problem(tokens) for part in self._outside.values())
        return next((problem for problem in problems if problem is not None), None)

    def rates(self) -> Mapping[str, float]:
        """See `Encoder`; a pretrained encoder that is fine-tuned has a separate rate."""
        rate = self.settings.pretrained_learning_rate
        return {} if self.pretrained is None or not rate else {"pretrained.": rate}

    def prepare(self, sentences: Sequence[Sequence[str]]) -> None:
        """See `Encoder`; compute the states of a frozen pretrained encoder once."""
        frozen = not self.settings.pretrained_learning_rate
        if self.pretrained is not None and frozen and self.settings.pretrained_seen:
            from amparser.nn.pretrained import states_of
            from amparser.nn.seen_states import SeenStates

            self.seen = SeenStates(sentences, states_of(self.pretrained, sentences))

    def check(self, where: object) -> None:
        """See `Encoder`."""
        if self.pretrained is not None:
            self.pretrained.check(where)

    def batch(self, sentences: Sequence[Sequence[str]]) -> TokenBatch:
        """See `Encoder`."""
        batch = self.vocabulary.batch(sentences)
        if self.shapes is not None:
            rows = [[shape_of(token, t == 0) for t, token in enumerate(row)] for row in sentences]
            batch = batch._replace(shapes=padded_rows(rows))
        if self.letters is not None or self.prefixes is not None:
            batch = batch._replace(spelling=self._spelling_batch(sentences))
        if self.training and self.seen is not None:
            batch = batch._replace(seen=padded_rows(list(map(self.seen.rows, sentences))))
        elif self.pretrained is not None:
            batch = batch._replace(subwords=self.pretrained.batch(sentences))
        if self.vectors is not None:
            batch = batch._replace(vectors=self.vectors.batch(sentences))
        return batch

    def _spelling_batch(self, sentences: Sequence[Sequence[str]]) -> SpellingBatch:
        numbers: dict[str, int] = {}
        rows = [
            [numbers.setdefault(token.lower(), len(numbers) + 1) for token in row]
            for row in sentences
        ]
        parts = zip(_NO_PARTS, *map(self._spelling_of, numbers), strict=True)
        return SpellingBatch(padded_rows(rows), *map(padded_rows, parts))

    def forward(self, batch: TokenBatch) -> Encoded:
        """See `Encoder`."""
        mask = batch.mask
        words = batch.words[mask]
        spelling = None if batch.spelling is None else batch.spelling.rows[mask]
        if self.training:
            words, spelling = self._dropped(words, spelling)
        parts = []
        if self.words is not None:
            vectors = self.words(words)
            if self.capitals is not None:
                vectors = vectors + self.capitals(batch.capitals[mask])
            parts.append(vectors)
        if batch.spelling is not None and spelling is not None:
            parts += self._spelling_vectors(batch.spelling, spelling)
        if self.shapes is not None:
            assert batch.shapes is not None, "made by `batch`"
            parts.append(self.shapes(batch.shapes[mask]))
        if self.vectors is not None:
            assert batch.vectors is not None, "made by `batch`"
            parts.append(self.vectors(batch.vectors, mask))
        if self.pretrained is not None:
            states = self._pretrained_states(batch)[mask]
            parts.append(states if self.state_layer is None else self.state_layer(states))
        embedded = self.dropout(torch.cat(parts, dim=1))
        lengths = batch.lengths.tolist()
        return Encoded(embedded, self.dropout(self.context(embedded, lengths)), lengths)

    def _pretrained_states(self, batch: TokenBatch) -> Tensor:
        if self.seen is not None and batch.seen is not None:
            return self.seen.table[batch.seen.cpu()].to(batch.seen.device).float()
        assert self.pretrained is not None
        assert batch.subwords is not None, "made by `batch`"
        states: Tensor = self.pretrained(batch.subwords, often=self.training)
        return states

    def _dropped(self, words: Tensor, spelling: Tensor | None) -> tuple[Tensor, Tensor | None]:
        unknown = torch.rand(words.shape, device=words.device) < self.unknown_rates[words]
        rare = torch.zeros_like(unknown)
        if self.settings.rare_dropout:
            rare = torch.rand(words.shape, device=words.device) < self.rare_rates[words]
        if spelling is not None:
            chance = torch.rand(words.shape, device=words.device)
            silent = rare | unknown & (chance < self.settings.letter_dropout)
            spelling = spelling.masked_fill(silent, PADDING)
        return words.masked_fill(unknown | rare, UNKNOWN), spelling

    def _spelling_vectors(self, batch: SpellingBatch, rows: Tensor) -> Iterator[Tensor]:
        """Yield the vectors `[T, ...]` of the n-grams, prefixes and affixes of T words.

        Args:
            rows: `[T]`, row of each word in the tables of the batch.
        """
        if self.letters is not None:
            yield embed(rows, spelled_words(self.letters, batch.letters))
        if self.prefixes is not None:
            yield self.prefixes(batch.prefixes[rows]).flatten(1)
        if self.affixes is not None:
            yield self.affixes(batch.affixes[rows]).flatten(1)


_NO_PARTS = ([PADDING], [PADDING], [PADDING] * AFFIX_COUNT)
"""Spelling features of padding."""


def _table(count: int, width: int, scale: float) -> nn.Embedding | None:
    if not width:
        return None
    table = nn.Embedding(count, width, padding_idx=PADDING)
    nn.init.normal_(table.weight, std=scale)
    with torch.no_grad():
        table.weight[PADDING].zero_()
    return table


def _context(settings: EncoderSettings, size: int) -> tuple[nn.Module, int]:
    """Return the layer from embeddings `[T, size]` to states `[T, S]`, and the width S."""
    if settings.type == "bilstm":
        width = settings.hidden_size
        return SentenceLSTM(size, width, settings.layers, settings.dropout), 2 * width
    from amparser.nn.allennlp_layers import allennlp_context

    return allennlp_context(settings, size)


def _unknown_rates(settings: EncoderSettings, vocabulary: Vocabulary) -> dict[str, Tensor]:
    """Return each word's probabilities of `word_dropout` and `rare_dropout`."""
    counts = np.maximum(np.array([1, 1, *vocabulary.counts], dtype=np.float32), 1)
    seldom = settings.word_dropout / (settings.word_dropout + counts)
    rates = seldom + settings.word_rate * (1 - seldom)
    rates[: len(vocabulary) - len(vocabulary.words)] = 0.0
    rare = settings.rare_dropout / (settings.rare_dropout + counts**2)
    return {"unknown_rates": torch.tensor(rates), "rare_rates": torch.tensor(rare)}
