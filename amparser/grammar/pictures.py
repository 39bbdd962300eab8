"""Derivations of grammars as trees: nonterminals with their rules, and the words they derive."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from amparser.draw.svg import MARGIN, SMALL, Picture, group, path, text, text_width
from amparser.grammar.chart import string_sequence
from amparser.grammar.irtg import Derivation

_LAYER = 58.0
_GAP = 16.0
_DOWN = 22.0
_UP = 15.0


@dataclass(frozen=True, slots=True)
class _Placed:
    """A subtree: its elements, what is left and right of its middle, and its height in layers.

    `left` and `right` belong to the whole subtree, measured from the middle of its top node.
    """

    body: str
    left: float
    right: float
    layers: int


def draw_derivation(derivation: Derivation) -> Picture:
    """A derivation, with its words from left to right; RecursionError if it is nested too deeply.

    The words are those of the interpretation `string`.
    """
    placed = _placed(derivation)
    top = MARGIN + _UP
    return Picture(
        placed.left + placed.right + 2 * MARGIN,
        top + _LAYER * (placed.layers - 1) + _DOWN + MARGIN,
        group([placed.body], dx=MARGIN + placed.left, dy=top),
        "derivation",
        str(derivation),
    )


def derivation_to_svg(derivation: Derivation) -> str:
    """A derivation as SVG; see `draw_derivation`."""
    return draw_derivation(derivation).to_svg()


def _placed(derivation: Derivation) -> _Placed:
    rule = derivation.rule
    children = [
        _word(part) if isinstance(part, str) else _placed(derivation.children[part])
        for part in string_sequence(rule)
    ]
    half = max(text_width(rule.parent, bold=True), text_width(rule.label, SMALL)) / 2
    elements = [
        text(0, 0, rule.parent, "am-ink am-bold"),
        text(0, 14, rule.label, "am-faint", SMALL),
    ]
    title = f"{rule.parent} -> {rule.label}({', '.join(rule.children)})"
    if not children:
        return _Placed(group(elements, title), half, half, 1)
    # The middles of the children, then shifted so that the first and last are as far from 0.
    middles = [0.0]
    for before, after in itertools.pairwise(children):
        middles.append(middles[-1] + before.right + _GAP + after.left)
    shift = (middles[0] + middles[-1]) / 2
    middles = [middle - shift for middle in middles]
    lines = [path(("M", 0, _DOWN - 3, "L", x, _LAYER - _UP), "am-path am-s-line") for x in middles]
    below = [
        group([child.body], dx=x, dy=_LAYER) for child, x in zip(children, middles, strict=True)
    ]
    return _Placed(
        "".join((group(elements, title), *lines, *below)),
        max(half, children[0].left - middles[0]),
        max(half, children[-1].right + middles[-1]),
        1 + max(child.layers for child in children),
    )


def _word(word: str) -> _Placed:
    half = text_width(word) / 2
    return _Placed(text(0, 0, word, "am-apply am-italic"), half, half, 1)
