"""An inventory as JSON values, for model folders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from amparser.layered.analysis import Tag
from amparser.layered.graphs import BoxScheme
from amparser.layered.inventory import Inventory, Slot, Spelling


def inventory_to_json(inventory: Inventory) -> dict[str, Any]:
    """All that an inventory holds."""
    return {
        "tags": [asdict(tag) for tag in inventory.tags],
        "labels": inventory.labels,
        "introduced": inventory.introduced,
        "fillers": inventory.fillers,
        "scripts": inventory.scripts,
        "slots": {label: asdict(slot) for label, slot in inventory.slots.items()},
        "unique": sorted(inventory.unique),
    }


def inventory_from_json(content: Mapping[str, Any]) -> Inventory:
    """The inverse; raises KeyError, TypeError or ValueError where the content is damaged."""
    return Inventory(
        [
            Tag(
                tuple(tag["labels"]),
                tuple(tag["constant"]),
                tuple((parent, label, child) for parent, label, child in tag["edges"]),
            )
            for tag in content["tags"]
        ],
        list(content["labels"]),
        [tuple((up, label) for up, label in row) for row in content["introduced"]],
        list(content["fillers"]),
        [(cut, added) for cut, added in content["scripts"]],
        {label: _slot(slot) for label, slot in content["slots"].items()},
        frozenset(content["unique"]),
    )


def _slot(stored: Mapping[str, Any]) -> Slot:
    spelling = Spelling(stored["spelling"]["lower"], stored["spelling"]["joint"])
    return Slot(
        spelling,
        stored["forms"],
        stored["senses"],
        stored["number"],
        stored["kind"],
        stored["quoted"],
    )


def scheme_to_json(scheme: BoxScheme | None) -> dict[str, str] | None:
    """The boxes of a corpus."""
    return None if scheme is None else asdict(scheme)


def scheme_from_json(stored: Any) -> BoxScheme | None:
    """The inverse; raises KeyError or TypeError where the content is damaged."""
    return None if stored is None else BoxScheme(stored["label"], stored["member"])
