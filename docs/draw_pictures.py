"""Draw the pictures of the documentation again: python docs/draw_pictures.py [FOLDER]."""

from __future__ import annotations

import sys
from pathlib import Path

from amparser import Parser
from amparser.draw import box_to_svg, draw_tree, graph_to_svg, tree_to_svg
from amparser.draw.svg import stacked
from amparser.logic.drs import drs_from_fol
from amparser.logic.fol import fol_from_str

QUESTION = "Who did Emma give a cake to?"
LONG = "What did Emma say that a cat liked?"
FORMULA = "exists x.(dog(x) & all y.(cat(y) -> -see(y,x)))"


def pictures() -> dict[str, str]:
    """The SVG of each picture by the name of its file."""
    parser = Parser.load(device="cpu")
    [question, crossing] = parser.parse([QUESTION, LONG])
    [projective] = parser.parse([LONG], decoder="astar")
    assert question.tree is not None
    assert question.graph is not None
    assert crossing.tree is not None
    assert projective.tree is not None
    both = stacked([draw_tree(crossing.tree), draw_tree(projective.tree)], "Two trees")
    return {
        "question.svg": tree_to_svg(question.tree),
        "graph.svg": graph_to_svg(question.graph),
        "two-trees.svg": both.to_svg(),
        "boxes.svg": box_to_svg(drs_from_fol(fol_from_str(FORMULA))),
    }


def main() -> None:
    """Write the pictures to a folder (default: `docs/pictures`)."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures"
    for name, svg in pictures().items():
        (folder / name).write_text(svg + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
