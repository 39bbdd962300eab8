"""Base class of tasks: the interface between the training loop, a network and its examples."""

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
    """Examples of one process: every `count`-th example, starting at `index` (from 0)."""

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
    """A mean as sum and count, so that the means of parts can be added up."""

    total: float
    count: float


class Task(ABC, Generic[Batch]):
    """A network with the examples that it learns from.

    A batch is any object whose length is its number of sentences.

    Attributes:
        network: the network; its parameters with a gradient are trained.
        size: width of the network, by which the schedule `noam` scales.
        partial: true if a batch may leave some trained parameters without a gradient.
        members: number of networks in `network` that share no parameters.
    """

    network: nn.Module
    size: int
    partial = True
    members = 1

    def shares(self) -> Mapping[str, float]:
        """Return learning-rate multipliers by parameter prefix; all other parameters have 1."""
        return {}

    def member(self, batch: Batch) -> int:
        """Return the index (from 0) of the member that a batch updates."""
        return 0

    @abstractmethod
    def epoch(self, number: int) -> Sequence[Batch]:
        """Return the batches of an epoch (from 1); they depend only on its number."""

    @abstractmethod
    def part(self, batch: Batch, share: Share) -> Batch:
        """Return the part of a batch that a process learns from; its length may be 0."""

    @abstractmethod
    def losses(self, batch: Batch) -> Losses:
        """Return the loss of a batch, with the network in training mode."""

    @abstractmethod
    def evaluate(self, share: Share) -> dict[str, Mean]:
        """Return `dev_loss` and `dev_accuracy` over a share of dev; empty without dev data."""
