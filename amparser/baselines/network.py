"""What all networks have in common: an encoder, and a decoder that goes word by word."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor, nn

Tensors = dict[str, Tensor]


@dataclass(frozen=True)
class DecoderState:
    """What a decoder knows of its rows; the first axis of every tensor is the row.

    Attributes:
        memory: of the sentences; the same at every step.
        history: of the words so far.
    """

    memory: Tensors
    history: Tensors

    def rows(self, index: Tensor) -> DecoderState:
        """Some of the rows, each as often as the index `[R]` names it."""
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
        """Logits of the word after each of `target`, `[B, m, V]`.

        Args:
            source: `[B, n]`.
            lengths: `[B]`, of the sentences.
            target: `[B, m]`, BEGIN first; each position sees only those before it.
        """

    @abstractmethod
    def start(self, source: Tensor, lengths: Tensor) -> DecoderState:
        """The decoder's state before the first word."""

    @abstractmethod
    def step(self, words: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        """One word `[B]` for each row; logits of the next `[B, V]`, and the state after it."""

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.parameters()).device


def source_mask(source: Tensor, lengths: Tensor) -> Tensor:
    """`[B, n]` bool, true on words and false on padding."""
    positions = torch.arange(source.shape[1], device=source.device)
    return positions < lengths.to(source.device)[:, None]
