"""The base of all classifiers, which map pairs of sentences to one logit per label."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn

from amparser.benchmarks.monotonicity.replacements import ENTAILMENT, NEUTRAL

LABELS = (ENTAILMENT, NEUTRAL)
"""The labels in the order of the logits."""

Row: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""A pair as numbers, whose meaning the classifier defines."""


class PairClassifier(ABC):
    """A classifier of pairs."""

    @property
    @abstractmethod
    def network(self) -> nn.Module:
        """The network whose parameters with a gradient are trained."""

    @abstractmethod
    def row(self, premise: Sequence[str], hypothesis: Sequence[str]) -> Row:
        """A pair of tokenised sentences as numbers.

        Raises:
            InputError: a sentence cannot be taken; the message says which and why.
        """

    @abstractmethod
    def lengths(self, row: Row) -> tuple[int, int]:
        """The sizes of premise and hypothesis; pairs of similar sizes make good batches."""

    @abstractmethod
    def logits(self, rows: Sequence[Row]) -> Tensor:
        """Logits `[B, 2]`, in the order of `LABELS`."""

    @abstractmethod
    def unknown(self, tokens: Sequence[str]) -> list[str]:
        """The words of a sentence that are read as `<unk>`, each once."""

    def check(self, where: object) -> None:  # noqa: B027
        """Raise ModelError, which names the file, if a classifier that was loaded fails."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """What a model folder must hold in addition to settings and weights, as JSON values."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Width of the states."""

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return next(self.network.parameters()).device
