"""Pictures as SVG strings.

    from amparser.draw import graph_to_svg, tree_to_svg

The functions are deterministic and write no files. Submodules are loaded on first use, so importing
this package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_MODULES = {
    "Picture": "svg",
    "box_to_svg": "boxes",
    "draw_box": "boxes",
    "draw_graph": "sentences",
    "draw_sentence": "sentences",
    "draw_tree": "sentences",
    "graph_to_svg": "sentences",
    "tree_to_svg": "sentences",
}
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'amparser.draw' has no attribute {name!r}")
    return getattr(import_module(f"amparser.draw.{_MODULES[name]}"), name)
