"""The base of all networks: an encoder, and a decoder that works word by word."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor, nn

Tensors = dict[str, Tensor]


@dataclass(frozen=True)
class DecoderState:
    """The state of a decoder; the first axis of every tensor is the row.

    Attributes:
        memory: tensors of the sentences; the same at every step.
        history: tensors of the words so far.
    """

    memory: Tensors
    history: Tensors

    def rows(self, index: Tensor) -> DecoderState:
        """The rows that the index `[R]` names, each as often as it is named."""
        return DecoderState(_select(self.memory, index), _select(self.history, index))

    def histories(self, index: Tensor) -> DecoderState:
        """The same sentences with the histories of other rows, `[R]`."""
        return DecoderState(self.memory, _select(self.history, index))


def _select(tensors: Tensors, index: Tensor) -> Tensors:
    return {name: tensor.index_select(0, index) for name, tensor in tensors.items()}


class Seq2SeqNetwork(nn.Module, ABC):
    """A network from a sentence to the words of its target."""

    @abstractmethod
    def forward(self, source: Tensor, lengths: Tensor, target: Tensor) -> Tensor:
        """Logits `[B, m, V]` of the word after each position of `target`.

        Args:
            source: `[B, n]`.
            lengths: `[B]`, the lengths of the sentences.
            target: `[B, m]`, BEGIN first; each position sees only itself and those before it.
        """

    @abstractmethod
    def start(self, source: Tensor, lengths: Tensor) -> DecoderState:
        """The decoder's state before the first word."""

    @abstractmethod
    def step(self, words: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        """Read one word `[B]` per row; returns logits `[B, V]` of the next word, and the state."""

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return next(self.parameters()).device


def source_mask(source: Tensor, lengths: Tensor) -> Tensor:
    """`[B, n]` bool, true on words and false on padding."""
    positions = torch.arange(source.shape[1], device=source.device)
    return positions < lengths.to(source.device)[:, None]
