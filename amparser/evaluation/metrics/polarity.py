"""Precision, recall and F of upward and of downward words (SyGNS; Yanaka et al. 2021, 3.3).

What is compared are occurrences, as multisets: a predicted downward `dog` is right if gold has
one that no other predicted one stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from amparser.errors import LogicError
from amparser.evaluation.metrics.overlap import Overlap, overlap
from amparser.logic.fol import fol_from_str
from amparser.logic.polarity import Polarity, fol_polarities, vf_polarities
from amparser.logic.vf import vf_from_str

Occurrences: TypeAlias = Sequence[tuple[str, Polarity]]


@dataclass(frozen=True, slots=True)
class PolarityCounts:
    """Occurrences of words in predicted and in gold meanings, by their polarity."""

    upward: Overlap = field(default_factory=Overlap)
    downward: Overlap = field(default_factory=Overlap)

    def __add__(self, other: PolarityCounts) -> PolarityCounts:
        return PolarityCounts(self.upward + other.upward, self.downward + other.downward)

    def to_json(self) -> dict[str, dict[str, float]]:
        """The figures of each polarity."""
        return {"upward": self.upward.to_json(), "downward": self.downward.to_json()}


def polarities_of_fol(text: str) -> Occurrences:
    """The polarities in a formula in NLTK's notation; LogicError if it is malformed."""
    return fol_polarities(fol_from_str(text))


def polarities_of_vf(text: str) -> Occurrences:
    """The polarities in a variable-free formula; LogicError if it is malformed."""
    return vf_polarities(vf_from_str(text))


def compare_polarities(
    gold: str, predicted: str | None, polarities: Callable[[str], Occurrences]
) -> PolarityCounts:
    """Compare the polarities of a predicted meaning with those of the gold one.

    Args:
        gold: a well-formed meaning.
        predicted: any text, or None where there is no answer; what is malformed has
            no words.
        polarities: `polarities_of_fol` or `polarities_of_vf`.

    Raises:
        LogicError: the gold meaning is malformed.
    """
    wanted = polarities(gold)
    try:
        found = polarities(predicted or "")
    except LogicError:
        found = ()
    return PolarityCounts(
        *(
            overlap(
                (word for word, polarity in wanted if polarity is direction),
                (word for word, polarity in found if polarity is direction),
            )
            for direction in (Polarity.UPWARD, Polarity.DOWNWARD)
        )
    )
