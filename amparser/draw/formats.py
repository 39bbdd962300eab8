"""The picture formats by name, of any number of examples.

To add one, write a function from examples to a text and register it here or with an entry
point of the group `amparser.pictures`. A listing is a text of one example, and can be printed as
answers come; the group is `amparser.listings`.
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
        "roles-svg": "amparser.draw.roles:roles_to_svg",
    },
)

LISTINGS: Registry[Callable[[Example], str]] = Registry(
    "listing",
    "amparser.listings",
    {"roles": "amparser.draw.roles:roles_table", "roles-json": "amparser.draw.roles:roles_json"},
)
"""Formats that list the roles of one example and cannot be read."""
