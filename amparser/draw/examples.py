"""Examples, such as a parser's answers, in each picture format."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from amparser.corpora.example import Example
from amparser.draw.boxes import draw_box
from amparser.draw.dot import graph_to_dot, tree_to_dot
from amparser.draw.graphs import draw_graph
from amparser.draw.html import html_page, picture_html
from amparser.draw.latex import tree_to_latex
from amparser.draw.svg import Picture, escaped, stacked
from amparser.draw.trees import draw_sentence, draw_tree
from amparser.errors import AMParserError, ConfigError
from amparser.logic.concept_boxes_drs import drs_from_boxes
from amparser.logic.drs import Box, drs_from_fol
from amparser.notations.boxed import BoxedNotation
from amparser.notations.registry import NOTATIONS
from amparser.notations.scoped import ScopedNotation

NO_MEANING = "no meaning"


def picture_of(example: Example) -> Picture:
    """The tree of an example, else its graph, else its words and the reason why it has neither.

    Raises:
        ConfigError: the graph is needed, and fast-sugiyama is not installed.
    """
    if example.tree is not None:
        return draw_tree(example.tree)
    if example.graph is not None:
        return draw_graph(example.graph, f"graph of: {example.sentence}")
    return draw_sentence(example.tokens, example.failure or example.meaning or NO_MEANING)


def pictures_of(example: Example) -> list[Picture]:
    """All pictures of an example: tree, graph and boxes, as far as they exist.

    A graph is left out if there is a tree and fast-sugiyama is not installed.
    """
    pictures = [picture_of(example)]
    if example.tree is not None and example.graph is not None:
        with contextlib.suppress(ConfigError):
            pictures.append(draw_graph(example.graph, f"graph of: {example.sentence}"))
    if (box := _box_of(example)) is not None:
        pictures.append(draw_box(box, f"boxes of: {example.sentence}"))
    return pictures


def _box_of(example: Example) -> Box | None:
    """The boxes of a meaning in a notation of formulas or boxes; None if it has none."""
    if example.meaning is None or example.notation is None or example.notation not in NOTATIONS:
        return None
    notation = NOTATIONS[example.notation]
    if not isinstance(notation, ScopedNotation | BoxedNotation):
        return None
    try:
        if isinstance(notation, BoxedNotation):
            return drs_from_boxes(notation.read(example.meaning))
        value = notation.value(example.tokens, example.meaning)
        return value if isinstance(value, Box) else drs_from_fol(notation.formula(example.meaning))
    except (AMParserError, RecursionError):
        return None


def examples_to_svg(examples: Sequence[Example]) -> str:
    """One picture with the trees of all examples, one below the other."""
    if len(examples) == 1:
        return picture_of(examples[0]).to_svg() + "\n"
    title = f"{len(examples)} sentences"
    return stacked([picture_of(example) for example in examples], title).to_svg() + "\n"


def examples_to_html(examples: Sequence[Example]) -> str:
    """A page with sentence, meaning and pictures of each example."""
    title = examples[0].sentence if len(examples) == 1 else f"{len(examples)} sentences"
    sections = "\n".join(example_to_html(example) for example in examples)
    return html_page(title, f"<main>\n<h1>amparser</h1>\n{sections}\n</main>")


def example_to_html(example: Example, *, standalone: bool = False) -> str:
    """Sentence, meaning and pictures of an example as a part of a page.

    Args:
        standalone: bring the pictures' style; otherwise the page has `STYLE`.
    """
    if example.failure is None:
        meaning = f'<div class="meaning">{escaped(example.meaning or "")}</div>'
    else:
        meaning = f'<p class="bad">no parse: {escaped(example.failure)}</p>'
    pictures = "\n".join(
        picture_html(picture.to_svg(standalone=standalone), picture.title)
        for picture in pictures_of(example)
    )
    return f"<section>\n<h2>{escaped(example.sentence)}</h2>\n{meaning}\n{pictures}\n</section>"


def examples_to_latex(examples: Sequence[Example]) -> str:
    """A `dependency` environment for each example with a tree, a comment for each other one."""
    parts = []
    for example in examples:
        comment = f"% {_one_line(example.sentence)}\n"
        if example.tree is None:
            reason = example.failure or "no tree"
            parts.append(f"{comment}% no parse: {_one_line(reason)}\n")
        else:
            parts.append(comment + tree_to_latex(example.tree))
    return "\n".join(parts)


def examples_to_dot(examples: Sequence[Example]) -> str:
    """A `digraph` for each example: its graph, else its tree, else a comment with the reason."""
    parts = []
    for example in examples:
        comment = f"// {_one_line(example.sentence)}\n"
        if example.graph is not None:
            parts.append(comment + graph_to_dot(example.graph))
        elif example.tree is not None:
            parts.append(comment + tree_to_dot(example.tree))
        else:
            parts.append(f"{comment}// no parse: {_one_line(example.failure or 'no graph')}\n")
    return "\n".join(parts)


def _one_line(text: str) -> str:
    return " ".join(text.split())
