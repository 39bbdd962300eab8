"""The kinds of constants by name. To add one, write a folder and add a line here or elsewhere.

Elsewhere is an entry point of the group `amparser.algebra`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amparser.registry import Registry

if TYPE_CHECKING:
    from amparser.compositions.constants import Constants

CONSTANTS: Registry[Constants] = Registry(
    "kind of constants",
    "amparser.constants",
    {
        "node": "amparser.compositions.nodes.composition:NODE",
        "tree": "amparser.compositions.trees.composition:TREE",
        "graph": "amparser.compositions.graphs.composition:GRAPH",
    },
)
"""What the constants of the system `amparser` may be, the simplest first."""
