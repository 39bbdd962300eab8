"""The protocol of a task: what the training loop needs of a network and its examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from torch import Tensor, nn

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


class Losses(NamedTuple):
    """The loss of a batch.

    Attributes:
        total: a scalar, the mean over all learned positions, in nats; it has the gradient.
        parts: scalars without a gradient that add up to `total`, by the names that they have
            among the figures of a round.
        token_count: the number of tokens that the means are over.
    """

    total: Tensor
    parts: Mapping[str, float]
    token_count: int


class Task(Protocol[Batch]):
    """A network with the examples that it learns from.

    A batch is anything whose length is its number of sentences.
    """

    @property
    def network(self) -> nn.Module:
        """The network whose parameters with a gradient are trained."""

    @property
    def size(self) -> int:
        """Width of the network, by which the schedule `noam` divides."""

    def shares(self) -> Mapping[str, float]:
        """The share of the learning rate that parameters have, by the prefix of their names.

        Parameters without such a prefix have the full rate.
        """

    @property
    def partial(self) -> bool:
        """Whether a batch may leave some of these parameters without a gradient."""

    @property
    def members(self) -> int:
        """Of how many networks, with no parameter in common, `network` consists."""

    def member(self, batch: Batch) -> int:
        """Which of them, counted from 0, a batch changes."""

    def epoch(self, number: int, share: Share = WHOLE) -> Sequence[Batch]:
        """The batches of an epoch, counted from 1; they depend only on its number.

        Args:
            number: of the epoch.
            share: what will be asked of each batch; the rest of it need not be there.
        """

    def part(self, batch: Batch, share: Share) -> Batch:
        """The part of a batch that a process learns from; its length may be 0."""

    def token_count(self, batch: Batch) -> int | None:
        """What `losses` will say of a whole batch, if that is known before.

        Several processes need not tell each other then what their parts have.
        """

    def losses(self, batch: Batch) -> Losses:
        """The loss of a batch, with the network in training mode."""

    def evaluate(self, share: Share = WHOLE) -> dict[str, Mean]:
        """`dev_loss` and `dev_accuracy` over a share of dev; empty if there is no dev."""
