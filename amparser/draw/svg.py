"""SVG elements and pictures made of them.

Lengths are in pixels, and y grows downwards. A standalone picture includes its style and
background. A page with several pictures includes the style (`STYLE`) once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

FONT_SIZE = 14.0
SMALL = 11.5
MARGIN = 12.0

STYLE = "".join(Path(__file__).with_name("picture.css").read_text(encoding="utf-8").splitlines())
"""CSS of all pictures, for light and dark screens."""

# Widths of the characters of DejaVu Sans from space to tilde, in hundredths of the font size. Few
# sans-serif fonts are wider.
_WIDTHS = (
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86,
    75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63,
    62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64,
    34, 64, 84,
)  # fmt: skip
_OTHER_WIDTH, _FULL_WIDTH = 80, 105
_BOLD = 1.13
# XML 1.0 forbids these characters, even as character references.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def escaped(text: str) -> str:
    """Escape a text for XML and HTML; replace characters that XML forbids by U+FFFD.

    >>> escaped('a < "b"')
    'a &lt; &quot;b&quot;'
    """
    return "".join(_ESCAPES.get(character, character) for character in _NO_XML.sub("\ufffd", text))


def text_width(text: str, size: float = FONT_SIZE, *, bold: bool = False) -> float:
    """Estimate a text's width in pixels, erring on the wide side."""
    hundredths = sum(map(_character_width, text))
    return hundredths * size / 100 * (_BOLD if bold else 1)


def _character_width(character: str) -> int:
    if " " <= character <= "~":
        return _WIDTHS[ord(character) - 32]
    if unicodedata.combining(character):
        return 0
    wide = unicodedata.east_asian_width(character) in "WF"
    return _FULL_WIDTH if wide else _OTHER_WIDTH


def number(value: float) -> str:
    """Return a coordinate with at most one decimal.

    >>> number(3.04), number(2.25), number(-0.01)
    ('3', '2.2', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def text(
    x: float, y: float, content: str, classes: str, size: float = FONT_SIZE, anchor: str = "middle"
) -> str:
    """Return a text element; y is the base line."""
    place = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="{anchor}"'
    return f'<text {place} class="{classes}">{escaped(content)}</text>'


def rectangle(
    x: float, y: float, width: float, height: float, classes: str, radius: float = 0
) -> str:
    """Return a rectangle; the class `am-path` leaves it unfilled."""
    place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f'<rect {place} rx="{number(radius)}" class="{classes}"/>'


def path(points: Iterable[object], classes: str) -> str:
    """Return a path, given its commands and coordinates, such as `"M", 0, 0, "L", 10, 10`."""
    commands = " ".join(number(p) if isinstance(p, float | int) else str(p) for p in points)
    return f'<path d="{commands}" class="{classes}"/>'


def arrow_head(x: float, y: float, dx: float, dy: float, classes: str, size: float = 6) -> str:
    """Return an arrow head with its tip at (x, y) and the unit vector (dx, dy) as direction."""
    back_x, back_y = x - dx * size * 1.5, y - dy * size * 1.5
    across_x, across_y = -dy * size * 0.6, dx * size * 0.6
    left = (back_x + across_x, back_y + across_y)
    right = (back_x - across_x, back_y - across_y)
    return path(("M", x, y, "L", *left, "L", *right, "Z"), classes)


def group(elements: Iterable[str], tooltip: str = "", dx: float = 0, dy: float = 0) -> str:
    """Return a group of elements, moved by (dx, dy); screen readers read the tooltip."""
    title = f"<title>{escaped(tooltip)}</title>" if tooltip else ""
    moved = f' transform="translate({number(dx)} {number(dy)})"' if dx or dy else ""
    return f"<g{moved}>{title}{''.join(elements)}</g>"


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing: size in pixels, SVG elements, title, and description for screen readers."""

    width: float
    height: float
    body: str
    title: str
    description: str = ""

    def to_svg(self, *, standalone: bool = True) -> str:
        """Return the picture as SVG.

        Args:
            standalone: whether to include `STYLE`; a page with several pictures needs it once.
        """
        size = f"{number(self.width)} {number(self.height)}"
        style = f"<style>{STYLE}</style>" if standalone else ""
        description = f"<desc>{escaped(self.description)}</desc>" if self.description else ""
        ground = rectangle(0, 0, self.width, self.height, "am-ground", 6)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="am-picture" role="img" '
            f'width="{number(self.width)}" height="{number(self.height)}" viewBox="0 0 {size}">'
            f"<title>{escaped(self.title)}</title>{description}{style}{ground}{self.body}</svg>"
        )

    def _repr_svg_(self) -> str:
        return self.to_svg()


def stacked(pictures: Sequence[Picture], title: str) -> Picture:
    """Stack several pictures vertically in one picture; a single picture is returned unchanged."""
    if len(pictures) == 1:
        return pictures[0]
    body, y = [], 0.0
    for picture in pictures:
        body.append(group([picture.body], picture.title, dy=y))
        y += picture.height
    width = max((picture.width for picture in pictures), default=2 * MARGIN)
    description = "\n".join(p.description for p in pictures if p.description)
    return Picture(width, max(y, 2 * MARGIN), "".join(body), title, description)
