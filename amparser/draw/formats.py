"""The picture formats by name: SVG, HTML, LaTeX and DOT, of any number of examples.

To add one, write a function from examples to a text and register it here or with an entry
point of the group `amparser.pictures`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from amparser.registry import Registry

if TYPE_CHECKING:
    from amparser.corpora.example import Example

PictureFormat: TypeAlias = "Callable[[Sequence[Example]], str]"
"""From examples to the text of one file; an example without a tree or graph shows why."""

PICTURES: Registry[PictureFormat] = Registry(
    "picture format",
    "amparser.pictures",
    {
        "svg": "amparser.draw.examples:examples_to_svg",
        "html": "amparser.draw.examples:examples_to_html",
        "latex": "amparser.draw.examples:examples_to_latex",
        "dot": "amparser.draw.examples:examples_to_dot",
    },
)
