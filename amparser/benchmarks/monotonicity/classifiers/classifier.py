"""What all classifiers have in common: pairs of sentences go in, a logit a label comes out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn

from amparser.benchmarks.monotonicity.replacements import ENTAILMENT, NEUTRAL

LABELS = (ENTAILMENT, NEUTRAL)
"""In the order of the logits."""

Row: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""A pair as numbers: what they stand for, the classifier knows."""


class PairClassifier(ABC):
    """A classifier of pairs."""

    @property
    @abstractmethod
    def network(self) -> nn.Module:
        """What is trained: its parameters that want a gradient."""

    @abstractmethod
    def row(self, premise: Sequence[str], hypothesis: Sequence[str]) -> Row:
        """A pair of tokenised sentences as numbers.

        Raises:
            InputError: one of them cannot be taken; says which and why.
        """

    @abstractmethod
    def lengths(self, row: Row) -> tuple[int, int]:
        """How much work premise and hypothesis are; pairs alike in it make good batches."""

    @abstractmethod
    def logits(self, rows: Sequence[Row]) -> Tensor:
        """`[B, 2]`, in the order of `LABELS`."""

    @abstractmethod
    def unknown(self, tokens: Sequence[str]) -> list[str]:
        """The words of a sentence that it takes for `<unk>`, each once."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """What a model folder must hold beside settings and weights, as JSON values."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Width of the states."""

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.network.parameters()).device
