"""AM dependency trees and graphs, drawn as arcs over words or nodes.

An arc leads from a head to a dependent and has a label. APP arcs are solid, MOD arcs are dashed.
Constants are shown below their words; ignored words are pale and slanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from amparser.algebra.derivation import Derivation
from amparser.algebra.tree import Entry, am_tree
from amparser.algebra.types import IGNORE, MOD, ROOT
from amparser.draw.arcs import BESIDE, Arc, Placed, layout_of
from amparser.draw.fragments import constant_lines, constant_to_text
from amparser.draw.svg import (
    FONT_SIZE,
    MARGIN,
    SMALL,
    Picture,
    arrow_head,
    group,
    path,
    rectangle,
    text,
    text_width,
)
from amparser.graph.sgraph import SGraph

LEVEL = 25.0
"""Height of a level of arcs, in pixels."""
_LINE = 15.0
_ROUND = 9.0
_FOOT = 8.0


class _Line(NamedTuple):
    text: str
    classes: str


@dataclass(frozen=True, slots=True)
class _Word:
    form: str
    classes: str
    lines: tuple[_Line, ...]
    tooltip: str

    @property
    def width(self) -> float:
        lines = [text_width(line.text, SMALL) for line in self.lines]
        return max([text_width(self.form, bold="am-bold" in self.classes), *lines])


_APPLY, _MODIFY, _INK = "apply", "modify", "ink"
_LINES = {_APPLY: "", _MODIFY: " am-dashed", _INK: " am-strong"}
"""Additional CSS classes of an arc's line, by style of the arc."""


def draw_tree(derivation: Derivation) -> Picture:
    """Draw an AM dependency tree; raise InputError if the derivation is not such a tree."""
    entries = am_tree(derivation).entries
    words = [*map(_word, entries)]
    arcs = [
        _arc(entry.head, token, entry.operation, _style(entry))
        for token, entry in enumerate(entries, 1)
        if entry.operation != IGNORE and entry.head != token and 0 <= entry.head <= len(entries)
    ]
    forms = ("root", *derivation.tokens)
    sentence = " ".join(derivation.tokens)
    description = "; ".join(f"{forms[a.head]} to {forms[a.dependent]}: {a.label}" for a in arcs)
    return _picture(words, arcs, f"AM dependency tree of: {sentence}", description)


def tree_to_svg(derivation: Derivation) -> str:
    """Return an AM dependency tree as SVG; see `draw_tree`."""
    return draw_tree(derivation).to_svg()


def draw_sentence(tokens: Sequence[str], note: str) -> Picture:
    """Draw a sentence that has no tree, with a note that says why."""
    words = [_Word(token, "am-ink", (), token) for token in tokens]
    picture = _picture(words, [], f"no tree: {' '.join(tokens)}", note)
    width = max(picture.width, text_width(note, SMALL) + 2 * MARGIN)
    below = text(MARGIN, picture.height + 4, note, "am-faint am-italic", SMALL, "start")
    return replace(picture, width=width, height=picture.height + _LINE, body=picture.body + below)


def draw_arcs(tokens: Sequence[str], edges: Sequence[tuple[int, int, str]], title: str) -> Picture:
    """Draw a sentence with labelled arcs between its tokens.

    Args:
        edges: head, dependent and label; tokens are counted from 1.
    """
    ends = {token for head, dependent, _ in edges for token in (head, dependent)}
    words = [
        _Word(form, "am-ink am-bold" if i in ends else "am-faint", (), form)
        for i, form in enumerate(tokens, 1)
    ]
    arcs = [_arc(*edge) for edge in edges]
    description = "; ".join(f"{tokens[h - 1]} to {tokens[d - 1]}: {role}" for h, d, role in edges)
    return _picture(words, arcs, title, description)


def draw_graph(graph: SGraph, title: str = "") -> Picture:
    """Draw a graph: nodes in token order, edges as arcs from parent to child."""
    marks = graph.marks()
    labels = {
        node: " ".join([value.label or "·", *(f"<{name}>" for name in marks.get(node, ()))])
        for node, value in graph.nodes.items()
    }
    place = {node: value.token for node, value in graph.nodes.items() if value.token is not None}
    # Nodes without a token are placed next to a neighbour.
    for edge in (*graph.edges, *reversed(graph.edges)):
        for placed, other in ((edge.parent, edge.child), (edge.child, edge.parent)):
            if placed in place:
                place.setdefault(other, place[placed])
    order = sorted(graph.nodes, key=lambda node: place.get(node, 0))
    number = {node: i for i, node in enumerate(order, 1)}
    loops = {node: [e.label for e in graph.edges if e.parent == e.child == node] for node in order}
    words = [
        _Word(
            labels[node],
            "am-ink am-bold",
            tuple(_Line(f"{label} itself", "am-faint") for label in loops[node]),
            labels[node],
        )
        for node in order
    ]
    edges = [edge for edge in graph.edges if edge.parent != edge.child]
    arcs = [_arc(number[edge.parent], number[edge.child], edge.label) for edge in edges]
    description = "; ".join(f"{labels[e.parent]} {e.label} {labels[e.child]}" for e in graph.edges)
    return _picture(
        words,
        [*arcs, _arc(0, number[graph.root], "root", _INK)],
        title or f"graph of {labels[graph.root]}",
        description or labels[graph.root],
    )


def graph_to_svg(graph: SGraph) -> str:
    """Return a graph as SVG; see `draw_graph`."""
    return draw_graph(graph).to_svg()


def _arc(head: int, token: int, label: str, style: str = _APPLY) -> Arc:
    return Arc(head, token, label, text_width(label, SMALL), style)


def _style(entry: Entry) -> str:
    if entry.operation == ROOT or entry.head == 0:
        return _INK
    return _MODIFY if entry.operation.startswith(MOD) else _APPLY


def _word(entry: Entry) -> _Word:
    if entry.operation == IGNORE:
        return _Word(entry.form, "am-faint am-italic", (), constant_to_text(entry))
    lines = constant_lines(entry)
    return _Word(
        entry.form,
        "am-ink am-bold",
        tuple(_Line(line, "am-ink" if i == 0 else "am-faint") for i, line in enumerate(lines)),
        constant_to_text(entry),
    )


def _picture(words: Sequence[_Word], arcs: Sequence[Arc], title: str, description: str) -> Picture:
    layout = layout_of([word.width for word in words], arcs)
    # y coordinate of the base line of the words.
    base = MARGIN + LEVEL * layout.level_count + (_FOOT if arcs else 0) + FONT_SIZE
    # Draw higher arcs first, so that lower ones are on top where two cross.
    placed = sorted(layout.arcs, key=lambda arc: -arc.level)
    elements = [draw(arc, base - FONT_SIZE - 2) for draw in (_drawn, _label) for arc in placed]
    height = base
    for centre, word in zip(layout.centres, words, strict=True):
        x = MARGIN + centre
        elements_of_word = [text(x, base, word.form, word.classes)]
        left = x - max((text_width(line.text, SMALL) for line in word.lines), default=0) / 2
        for i, line in enumerate(word.lines):
            y = base + 4 + _LINE * (i + 1)
            elements_of_word.append(text(left, y, line.text, line.classes, SMALL, "start"))
            height = max(height, y)
        elements.append(group(elements_of_word, word.tooltip))
    return Picture(
        layout.width + 2 * MARGIN, height + MARGIN, "".join(elements), title, description
    )


def _y(placed: Placed, foot: float) -> float:
    return foot - _FOOT - LEVEL * placed.level + LEVEL / 2


def _drawn(placed: Placed, foot: float) -> str:
    y, style = _y(placed, foot), placed.arc.style
    start, end = MARGIN + placed.head_x, MARGIN + placed.dependent_x
    points: tuple[object, ...]
    if placed.arc.head == 0:
        points = ("M", start, y, "L", end, foot - 8)
    else:
        turn = min(_ROUND, abs(end - start) / 2)
        step = turn if end > start else -turn
        corner = ("Q", start, y, start + step, y, "L", end - step, y, "Q", end, y, end, y + turn)
        points = ("M", start, foot, "L", start, y + turn, *corner, "L", end, foot - 8)
    line = path(points, f"am-path am-s-{style}{_LINES[style]}")
    return path(points, "am-halo") + line + arrow_head(end, foot, 0, 1, f"am-{style}")


def _label(placed: Placed, foot: float) -> str:
    y = _y(placed, foot)
    width = placed.arc.width
    x = MARGIN + placed.label_x
    if placed.arc.head == 0:
        # The label is next to the start of the arrow.
        x += width / 2 + BESIDE
        y += 2
    box = rectangle(x - width / 2 - 2, y - 7, width + 4, 14, "am-ground")
    label = text(x, y + 4, placed.arc.label, f"am-{placed.arc.style}", SMALL)
    return group([box, label], placed.arc.label)
