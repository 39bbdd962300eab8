"""AM dependency trees: these stand in `amparser.constants.tree`."""

from __future__ import annotations

from amparser.algebra.operations import APP, IGNORE, MOD, ROOT, source_of
from amparser.constants.joining import node_type
from amparser.constants.tree import AMTree, Entry, is_projective

__all__ = [
    "APP",
    "IGNORE",
    "MOD",
    "ROOT",
    "AMTree",
    "Entry",
    "is_projective",
    "node_type",
    "source_of",
]
