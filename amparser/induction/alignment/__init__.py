"""Which token each unit of a meaning belongs to: given, by spelling, or induced.

Two models share their numbers (`numbering`): `align` gives each unit a token of its own, and
knows which unit stands below which; `align_in_order` lets units share tokens, and knows in which
order they are written.
"""

from amparser.induction.alignment.injective import align, assign_all
from amparser.induction.alignment.ordered import (
    BOX,
    CONSTANT,
    NODE,
    Pair,
    Target,
    align_in_order,
    likeness,
)
from amparser.induction.alignment.search import Candidates, Penalties

__all__ = [
    "BOX",
    "CONSTANT",
    "NODE",
    "Candidates",
    "Pair",
    "Penalties",
    "Target",
    "align",
    "align_in_order",
    "assign_all",
    "likeness",
]
