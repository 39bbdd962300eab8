"""Labels of pairs, and relations between a phrase and its replacement."""

from __future__ import annotations

from enum import Enum

from amparser.logic.polarity import Polarity

ENTAILMENT, NEUTRAL = "entailment", "neutral"


class Relation(Enum):
    """The relation of a phrase to the phrase that it replaces."""

    WIDER = "wider"
    NARROWER = "narrower"

    def label(self, polarity: Polarity) -> str:
        """Return the label of a pair with this replacement at a position of this polarity."""
        follows = Polarity.UPWARD if self is Relation.WIDER else Polarity.DOWNWARD
        return ENTAILMENT if polarity is follows else NEUTRAL
