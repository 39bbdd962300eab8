"""The base of tasks: what the training loop needs of a network and its examples."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from torch import nn

if TYPE_CHECKING:
    from amparser.nn.losses import Losses


Batch = TypeVar("Batch", bound=Sized)
Examples = TypeVar("Examples")


@dataclass(frozen=True, slots=True)
class Share:
    """Which part of some examples a process takes: every `count`-th, from the `index`-th (from 0).

    Examples that stand beside each other are of similar length, and so are the parts.
    """

    index: int
    count: int

    def of(self, examples: Examples) -> Examples:
        """The part of a sequence or of an array.

        >>> Share(1, 2).of("abcde")
        'bd'
        """
        whole: Any = examples
        part: Examples = whole if self.count == 1 else whole[self.index :: self.count]
        return part


WHOLE = Share(0, 1)
"""All of the examples."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean as the sum and the number of what it is over, so that means of parts add up."""

    total: float
    count: float


class Task(ABC, Generic[Batch]):
    """A network with the examples that it learns from.

    A batch is anything whose length is its number of sentences.
    """

    @property
    @abstractmethod
    def network(self) -> nn.Module:
        """The network whose parameters with a gradient are trained."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Width of the network, by which the schedule `noam` divides."""

    def shares(self) -> Mapping[str, float]:
        """The share of the learning rate that parameters have, by the prefix of their names.

        Parameters without such a prefix have the full rate.
        """
        return {}

    @property
    def partial(self) -> bool:
        """Whether a batch may leave some of these parameters without a gradient."""
        return True

    @property
    def members(self) -> int:
        """Of how many networks, with no parameter in common, `network` consists."""
        return 1

    def member(self, batch: Batch) -> int:
        """Which of the `members`, counted from 0, a batch changes."""
        return 0

    @abstractmethod
    def epoch(self, number: int) -> Sequence[Batch]:
        """The batches of an epoch, counted from 1; they depend only on its number."""

    @abstractmethod
    def part(self, batch: Batch, share: Share) -> Batch:
        """The part of a batch that a process learns from; its length may be 0."""

    @abstractmethod
    def losses(self, batch: Batch) -> Losses:
        """The loss of a batch, with the network in training mode."""

    @abstractmethod
    def evaluate(self, share: Share = WHOLE) -> dict[str, Mean]:
        """`dev_loss` and `dev_accuracy` over a share of dev; empty if there is no dev."""
