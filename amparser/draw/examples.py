"""Pictures of examples, such as a parser's answers."""

from __future__ import annotations

from collections.abc import Sequence

from amparser.corpora.example import Example
from amparser.draw.boxes import draw_box
from amparser.draw.sentences import draw_graph, draw_sentence, draw_tree
from amparser.draw.svg import Picture, stacked
from amparser.errors import AMParserError
from amparser.logic.drs import Box, drs_from_fol
from amparser.notations.registry import NOTATIONS
from amparser.notations.scoped import ScopedNotation

NO_MEANING = "no meaning"


def picture_of(example: Example) -> Picture:
    """Draw an example's tree, or else its graph, or else its words with its meaning or failure."""
    if example.tree is not None:
        return draw_tree(example.tree)
    if example.graph is not None:
        return draw_graph(example.graph, f"graph of: {example.sentence}")
    return draw_sentence(example.tokens, example.failure or example.meaning or NO_MEANING)


def pictures_of(example: Example) -> list[Picture]:
    """Draw the tree, the graph and the discourse boxes of an example, if they exist."""
    pictures = [picture_of(example)]
    if example.tree is not None and example.graph is not None:
        pictures.append(draw_graph(example.graph, f"graph of: {example.sentence}"))
    if (box := _box_of(example)) is not None:
        pictures.append(draw_box(box, f"boxes of: {example.sentence}"))
    return pictures


def _box_of(example: Example) -> Box | None:
    if example.meaning is None or example.notation is None or example.notation not in NOTATIONS:
        return None
    notation = NOTATIONS[example.notation]
    if not isinstance(notation, ScopedNotation):
        return None
    try:
        value = notation.value(example.tokens, example.meaning)
        return value if isinstance(value, Box) else drs_from_fol(notation.formula(example.meaning))
    except (AMParserError, RecursionError):
        return None


def examples_to_svg(examples: Sequence[Example]) -> str:
    """Return one SVG picture with the trees of all examples, stacked vertically."""
    title = f"{len(examples)} sentences"
    return stacked([picture_of(example) for example in examples], title).to_svg() + "\n"
