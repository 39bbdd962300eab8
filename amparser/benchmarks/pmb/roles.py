"""Who did what to whom in graphs of the Parallel Meaning Bank.

Roles are those of VerbNet, as the bank has them (Bos et al. 2017). Boxes are no predicates, and
the time that only says the tense of a verb is no argument.
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
