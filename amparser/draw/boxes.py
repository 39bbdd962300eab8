"""Discourse representation structures as boxes in boxes (Kamp & Reyle 1993)."""

from __future__ import annotations

from dataclasses import dataclass

from amparser.draw.svg import MARGIN, Picture, group, path, rectangle, text, text_width
from amparser.logic.drs import IMPLIES, NOT, OR, Box, Condition
from amparser.logic.fol import Atom

_LINE = 20.0
_PADDING = 9.0
_BETWEEN = 6.0
_SIGNS = {NOT: "¬", IMPLIES: "⇒", OR: "∨"}  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class _Block:
    """Part of a picture. Its top left corner is the origin of its coordinates."""

    width: float
    height: float
    body: str


def draw_box(box: Box, title: str = "") -> Picture:
    """Draw a box, referents above conditions; raise RecursionError if it is nested too deeply."""
    block = _box(box)
    return Picture(
        block.width + 2 * MARGIN,
        block.height + 2 * MARGIN,
        group([block.body], dx=MARGIN, dy=MARGIN),
        title or "discourse representation structure",
        str(box),
    )


def box_to_svg(box: Box) -> str:
    """Return a box as SVG."""
    return draw_box(box).to_svg()


def _box(box: Box) -> _Block:
    referents = " ".join(box.referents)
    conditions = [_condition(condition) for condition in box.conditions]
    width = max([text_width(referents), 24.0, *(c.width for c in conditions)]) + 2 * _PADDING
    head = _LINE + 4
    elements = [text(_PADDING, _LINE - 3, referents, "am-ink am-bold", anchor="start")]
    y = head + _BETWEEN
    for condition in conditions:
        elements.append(group([condition.body], dx=_PADDING, dy=y))
        y += condition.height + _BETWEEN
    y = max(y, head + _LINE)
    frame = [
        rectangle(0, 0, width, y, "am-fill am-s-ink", 2),
        path(("M", 0, head, "L", width, head), "am-path am-s-ink"),
    ]
    return _Block(width, y, "".join((*frame, *elements)))


def _condition(condition: Condition) -> _Block:
    if isinstance(condition, Atom):
        return _text(str(condition))
    *left, right = map(_box, condition.boxes)
    return _row(*left, _text(_SIGNS[condition.relation]), right)


def _text(content: str) -> _Block:
    element = text(0, _LINE - 6, content, "am-ink", anchor="start")
    return _Block(text_width(content), _LINE, element)


def _row(*blocks: _Block) -> _Block:
    height = max(block.height for block in blocks)
    elements, x = [], 0.0
    for block in blocks:
        elements.append(group([block.body], dx=x, dy=(height - block.height) / 2))
        x += block.width + _BETWEEN
    return _Block(x - _BETWEEN, height, "".join(elements))
