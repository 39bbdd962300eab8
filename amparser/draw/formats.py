"""Registries of picture formats and listings.

A picture format is a function from any number of examples to the text of one file. A listing is a
function from one example to text, which can be printed as soon as the answer arrives. Register new
ones here, or as entry points of the groups `amparser.pictures` and `amparser.listings`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from amparser.registry import Registry

if TYPE_CHECKING:
    from amparser.corpora.example import Example

PictureFormat: TypeAlias = "Callable[[Sequence[Example]], str]"
"""Function from examples to the text of a file. The file shows failures, too."""

PICTURES: Registry[PictureFormat] = Registry(
    "picture format",
    "amparser.pictures",
    {
        "svg": "amparser.draw.examples:examples_to_svg",
        "roles-svg": "amparser.draw.roles:roles_to_svg",
    },
)

LISTINGS: Registry[Callable[[Example], str]] = Registry(
    "listing",
    "amparser.listings",
    {"roles": "amparser.draw.roles:roles_table", "roles-json": "amparser.draw.roles:roles_json"},
)
"""Output formats that list the semantic roles of one example."""
