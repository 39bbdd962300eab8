"""Semantic roles in graphs of the Parallel Meaning Bank.

The bank uses the roles of VerbNet (Bos et al. 2017). Boxes are not predicates, and times that only
express tense are not arguments.
"""

from __future__ import annotations

from pathlib import Path

from amparser.notations.negation import NegationRules
from amparser.notations.roles import RoleScheme, glosses_of

ROLES = RoleScheme(
    name=r"(?P<word>.+)\.(?P<sense>[nvar]\.\d+)",
    silent=r"""time\.n\.08 "now"|(?:"|'|[+-]?\d).*|[+-]""",
    frames="box",
    negation=NegationRules(boxes="NEGATION", passing="POSSIBILITY|NECESSITY"),
    glosses=((".*", glosses_of(Path(__file__).with_name("roles.tsv"))),),
)
