"""Plain-language glosses of the roles of COGS and SLOG (Kim & Linzen 2020; Li et al. 2023)."""

from __future__ import annotations

from pathlib import Path

from amparser.notations.roles import RoleScheme, glosses_of

ROLES = RoleScheme(
    hidden=frozenset({"iota"}),
    glosses=((".*", glosses_of(Path(__file__).with_name("cogs_roles.tsv"))),),
)
