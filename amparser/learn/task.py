"""Base class of tasks, which give the training loop a network and its examples."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from torch import nn

if TYPE_CHECKING:
    from amparser.nn.targets import Losses


Batch = TypeVar("Batch", bound=Sized)
Examples = TypeVar("Examples")


@dataclass(frozen=True, slots=True)
class Share:
    """Share of the examples for one process: every `count`-th, beginning with `index` (from 0)."""

    index: int
    count: int

    def of(self, examples: Examples) -> Examples:
        """Return the share of a sequence or an array.

        >>> Share(1, 2).of("abcde")
        'bd'
        """
        whole: Any = examples
        part: Examples = whole if self.count == 1 else whole[self.index :: self.count]
        return part


WHOLE = Share(0, 1)
"""All examples."""


@dataclass(frozen=True, slots=True)
class Mean:
    """Mean as a sum and a count, so that the means of several processes can be combined."""

    total: float
    count: float


class Task(ABC, Generic[Batch]):
    """Network with the examples from which it learns.

    A batch is any object whose length is its number of sentences.

    Attributes:
        network: the network; its parameters with a gradient are trained.
        size: width of the network, on which the schedule `noam` depends.
        partial: true if a batch may leave some trained parameters without a gradient.
        members: number of networks in `network` that share no parameters.
    """

    network: nn.Module
    size: int
    partial = True
    members = 1

    def shares(self) -> Mapping[str, float]:
        """Return learning-rate multipliers by prefix of parameter names; the default is 1."""
        return {}

    def member(self, batch: Batch) -> int:
        """Return the index (from 0) of the member that a batch updates."""
        return 0

    @abstractmethod
    def epoch(self, number: int) -> Sequence[Batch]:
        """Return the batches of an epoch (from 1); they depend only on its number."""

    @abstractmethod
    def part(self, batch: Batch, share: Share) -> Batch:
        """Return the part of a batch from which a process learns; its length may be 0."""

    @abstractmethod
    def losses(self, batch: Batch) -> Losses:
        """Return the loss of a batch, with the network in training mode."""

    @abstractmethod
    def evaluate(self, share: Share) -> dict[str, Mean]:
        """Return `dev_loss` and `dev_accuracy` over a share of dev; empty without dev data."""
