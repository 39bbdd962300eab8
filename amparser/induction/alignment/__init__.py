"""Which token each unit of a meaning belongs to: given, by spelling, or induced.

Two models share their numbers (`numbering`): `align` gives each unit a token of its own, and
knows which unit stands below which; `align_in_order` lets units share tokens, and knows in which
order they are written.
"""

from amparser.induction.alignment.injective import align, assign_all
from amparser.induction.alignment.search import Candidates, Penalties
from amparser.induction.alignment.tables import Tables

__all__ = ["Candidates", "Penalties", "Tables", "align", "assign_all"]
