"""What every encoder is: the seam between sentences and the heads of a scorer."""

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
    """Sentences as an encoder reads them."""

    def to(self, device: torch.device) -> Self:
        """The same batch on a device."""


class Encoded(NamedTuple):
    """Sentences as vectors; the T tokens stand one behind the other, without padding.

    Attributes:
        embedded: `[T, E]`, each token by itself.
        states: `[T, S]`, each token in its sentence.
        lengths: of the B sentences; they add up to T.
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
        """`[B, N, ...]` with zeros behind each sentence, of `[T, ...]`."""
        return padded(flat, self.lengths)


class Encoder(nn.Module, ABC):
    """Base of the encoders.

    What follows a sentence in its batch must not change its vectors.

    Attributes:
        vocabulary: the words of train, and how often it has each.
        embedding_size: E, the width of the embeddings.
        state_size: S, the width of the states.
    """

    vocabulary: Vocabulary
    embedding_size: int
    state_size: int

    @classmethod
    def check_settings(cls, settings: EncoderSettings) -> None:
        """Raise ConfigError if `of_train` would, whatever the words; loads no weights."""

    @classmethod
    @abstractmethod
    def of_train(cls, settings: EncoderSettings, vocabulary: Vocabulary) -> Self:
        """An encoder with fresh weights, drawn from torch's global generator.

        Args:
            settings: sizes and dropout; an encoder may ignore what does not concern it.
            vocabulary: the words of train, and how often it has each.

        Raises:
            ConfigError: the settings do not fit, or a library is not installed.
        """

    @classmethod
    @abstractmethod
    def from_dict(cls, settings: EncoderSettings, value: object, where: object) -> Self:
        """The inverse of `to_dict`, with fresh weights.

        Args:
            settings: as they were in training.
            value: what `to_dict` returned, as read from a model folder.
            where: the file, for messages; the value is its `content.encoder`.

        Raises:
            ModelError: the value was not written by `to_dict`.
            ConfigError: a library is not installed.
        """

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything but settings and weights, as JSON values, for a model folder."""

    @abstractmethod
    def batch(self, sentences: Sequence[Sequence[str]]) -> Batch:
        """The batch of tokenised sentences, none empty.

        Raises:
            InputError: a sentence has a problem (see `problem`).
        """

    @abstractmethod
    def forward(self, batch: Any) -> Encoded:
        """Encode what `batch` returned, on the device of the weights."""

    def unknown(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The tokens that are not words of train, in any case of their letters."""
        return self.vocabulary.unknown(tokens)

    def problem(self, tokens: Sequence[str]) -> str | None:
        """The reason why the encoder cannot take a sentence, or None."""
        return None

    @property
    def limited(self) -> bool:
        """Whether there may be a problem at all."""
        return False

    def rates(self) -> Mapping[str, float]:
        """The learning rates of parameters that have their own, by the prefix of their names."""
        return {}

    @property
    def partial(self) -> bool:
        """Whether some parameters with a gradient may not be reached by a batch."""
        return False

    def check(self, where: object) -> None:
        """Raise ModelError, which names the file, if the encoder of a model folder fails."""


def encoder_of_train(settings: EncoderSettings, vocabulary: Vocabulary) -> Encoder:
    """The encoder that the settings name, with fresh weights (see `Encoder.of_train`)."""
    kind: type[Encoder] = ENCODERS[settings.kind]
    return kind.of_train(settings, vocabulary)


def encoder_from_dict(settings: EncoderSettings, value: object, where: object) -> Encoder:
    """The encoder that the settings name, from a model folder (see `Encoder.from_dict`)."""
    kind: type[Encoder] = ENCODERS[settings.kind]
    return kind.from_dict(settings, value, where)
