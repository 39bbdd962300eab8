"""Presets by name. A new preset is registered here or as an entry point of a package.

The group of entry points is `amparser.presets`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amparser.registry import Registry

if TYPE_CHECKING:
    from amparser.presets.preset import Preset

PRESETS: Registry[Preset] = Registry(
    "preset",
    "amparser.presets",
    {
        "node": "amparser.presets.nodes.model:NODE",
        "tree": "amparser.presets.trees.model:TREE",
        "graph": "amparser.presets.graphs.model:GRAPH",
    },
)
"""Presets, simplest first."""
