"""Pictures as SVG strings.

    from amparser.draw import graph_to_svg, tree_to_svg

Every function returns its picture and writes nothing. Equal input gives equal text. Importing this
package is cheap: a module is loaded when one of its names is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from amparser.draw.boxes import box_to_svg, draw_box
    from amparser.draw.graphs import draw_graph, graph_to_svg
    from amparser.draw.svg import Picture
    from amparser.draw.trees import draw_comparison, draw_sentence, draw_tree, tree_to_svg

__all__ = [
    "Picture",
    "box_to_svg",
    "draw_box",
    "draw_comparison",
    "draw_graph",
    "draw_sentence",
    "draw_tree",
    "graph_to_svg",
    "tree_to_svg",
]

_MODULES = {
    "boxes": ("box_to_svg", "draw_box"),
    "graphs": ("draw_graph", "graph_to_svg"),
    "svg": ("Picture",),
    "trees": ("draw_comparison", "draw_sentence", "draw_tree", "tree_to_svg"),
}


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"amparser.draw.{module}"), name)
    raise AttributeError(f"module 'amparser.draw' has no attribute {name!r}")
