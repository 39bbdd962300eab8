"""Plain-language glosses of the roles of COGS and SLOG (Kim & Linzen 2020; Li et al. 2023)."""

from __future__ import annotations

from amparser.notations.roles import RoleScheme

ROLES = RoleScheme(
    hidden=frozenset({"iota"}),
    glosses=(
        (
            ".*",
            {
                "agent": "who or what does it",
                "theme": "whom or what it is done to",
                "recipient": "to whom or for whom",
                "ccomp": "what is said, thought or hoped",
                "xcomp": "what is wanted or tried",
                "nmod": "what is said of it in a relative clause",
                "nmod.op1": "who or what is there",
                "nmod.op2": "where that is",
            },
        ),
    ),
)
