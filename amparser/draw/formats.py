"""Registries of picture formats and listings.

A picture format maps any number of examples to the text of one file. To add one, write such a
function and register it here or with an entry point of the group `amparser.pictures`. A listing
maps one example to text, so that it can be printed as answers arrive; its group is
`amparser.listings`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from amparser.registry import Registry

if TYPE_CHECKING:
    from amparser.corpora.example import Example

PictureFormat: TypeAlias = "Callable[[Sequence[Example]], str]"
"""Function from examples to the text of a file, which also shows why an analysis is missing."""

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
