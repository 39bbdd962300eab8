"""Interface of the encoders, which turn sentences into vectors for the heads of a scorer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, Self

import torch
from torch import Tensor, nn

from amparser.nn.lstm import padded
from amparser.nn.registry import ENCODERS
from amparser.nn.settings import EncoderSettings
from amparser.nn.vocabulary import Vocabulary


class Batch(Protocol):
    """Sentences in the form that an encoder reads."""

    def to(self, device: torch.device) -> Self:
        """Return the batch on a device."""


class Encoded(NamedTuple):
    """Sentences as vectors; the T tokens of a batch are concatenated without padding.

    Attributes:
        embedded: `[T, E]`, vector of each token, independent of its context.
        states: `[T, S]`, vector of each token in its context.
        lengths: lengths of the B sentences, which add up to T.
    """

    embedded: Tensor
    states: Tensor
    lengths: Sequence[int]

    @property
    def mask(self) -> Tensor:
        """`[B, N]` bool, true on tokens and false on padding."""
        device = self.states.device
        lengths = torch.tensor(self.lengths, device=device)
        return torch.arange(max(self.lengths), device=device) < lengths[:, None]

    def padded(self, flat: Tensor) -> Tensor:
        """Return `[T, ...]` as `[B, N, ...]`, padded with zeros."""
        return padded(flat, self.lengths)


class Encoder(nn.Module, ABC):
    """Base class of the encoders.

    A sentence's vectors must not depend on the other sentences of its batch.

    Attributes:
        embedding_size: E, the width of the embeddings.
        state_size: S, the width of the states.
        partial: true if a batch may give no gradient to some trained parameters.
    """

    vocabulary: Vocabulary
    embedding_size: int
    state_size: int
    partial = False

    @classmethod
    def check_settings(cls, settings: EncoderSettings) -> None:
        """Raise ConfigError if `of_train` would fail with these settings; load no weights."""

    @classmethod
    @abstractmethod
    def of_train(cls, settings: EncoderSettings, vocabulary: Vocabulary) -> Self:
        """Return an untrained encoder; initial weights are drawn from torch's global generator.

        Raises ConfigError if the settings do not fit, or a library is not installed.
        """

    @classmethod
    @abstractmethod
    def from_dict(cls, settings: EncoderSettings, value: object, where: object) -> Self:
        """Return the encoder that `to_dict` describes, with untrained weights.

        Args:
            settings: settings of the encoder.
            value: result of `to_dict`, read from a model folder.
            where: the file, for messages.

        Raises:
            ModelError: the value was not written by `to_dict`.
            ConfigError: a library is not installed.
        """

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return everything except settings and weights as JSON values, for a model folder."""

    @abstractmethod
    def batch(self, sentences: Sequence[Sequence[str]]) -> Batch:
        """Return a batch of tokenised, non-empty sentences.

        Raises InputError if the encoder cannot read a sentence.
        """

    @abstractmethod
    def forward(self, batch: Any) -> Encoded:
        """Encode a batch that is on the device of the weights."""

    def unknown(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the out-of-vocabulary tokens, ignoring case."""
        return self.vocabulary.unknown(tokens)

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Return why the encoder cannot read a sentence, or None."""
        return None

    def rates(self) -> Mapping[str, float]:
        """Return special learning rates by prefix of parameter names."""
        return {}

    def prepare(self, sentences: Sequence[Sequence[str]]) -> None:
        """Prepare for training on these sentences and on sentences recombined from them."""

    def check(self, where: object) -> None:
        """Raise ModelError, naming the file `where`, if a loaded encoder does not work."""


def encoder_of_train(settings: EncoderSettings, vocabulary: Vocabulary) -> Encoder:
    """Return an untrained encoder of the kind in the settings; see `Encoder.of_train`."""
    encoder: type[Encoder] = ENCODERS[settings.kind]
    return encoder.of_train(settings, vocabulary)


def encoder_from_dict(settings: EncoderSettings, value: object, where: object) -> Encoder:
    """Return the encoder of a model folder; see `Encoder.from_dict`."""
    encoder: type[Encoder] = ENCODERS[settings.kind]
    return encoder.from_dict(settings, value, where)
