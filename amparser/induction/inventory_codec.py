"""A source inventory as JSON values, so that a model folder can keep it.

With the inventory of its training data a model can decompose further graphs
and show what was induced.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, TypedDict

from amparser.errors import ModelError
from amparser.induction.induce import Frame, RoleKey, SourceInventory, Step
from amparser.schema import Count


class FrameJson(TypedDict):
    """A frame: its roles with their sources, the order in which they are written, its lemmas."""

    roles: list[tuple[str, Count]]
    sources: list[str]
    written: list[tuple[str, Count]]
    lemmas: dict[str, Count]


class InventoryJson(TypedDict):
    """What `inventory_to_dict` writes."""

    markers: list[str]
    frames: list[FrameJson]
    steps: list[tuple[list[str], float, Count, Count, bool]]


def check_inventory(data: InventoryJson, where: object, key: str) -> None:
    """Raise ModelError, naming file and key, if parts of a stored inventory do not fit together."""
    for i, frame in enumerate(data["frames"]):
        roles = frame["roles"]
        if len(frame["sources"]) != len(roles):
            raise ModelError(f"{where}: {key}.frames[{i}].sources: expected one for each role")
        if frame["written"] and sorted(frame["written"]) != sorted(roles):
            raise ModelError(f"{where}: {key}.frames[{i}].written: expected the roles in an order")


def inventory_to_dict(inventory: SourceInventory) -> dict[str, Any]:
    """The inventory as JSON values; equal inventories give equal values.

    Each frame occurs once, as rows of role, occurrence and source in the written
    order of its roles, with the count of each lemma that has it.
    """
    lemmas: dict[Frame, dict[str, int]] = {}
    for (lemma, frame), count in sorted(inventory.frames.items()):
        lemmas.setdefault(frame, {})[lemma] = count
    return {
        "markers": sorted(inventory.markers),
        "frames": [
            {
                "roles": [list(role) for role, _ in frame],
                "sources": [source for _, source in frame],
                "written": [list(role) for role in inventory.written.get(frame, ())],
                "lemmas": lemmas.get(frame, {}),
            }
            for frame in sorted({*lemmas, *inventory.written})
        ],
        "steps": [list(step) for step in inventory.steps],
    }


def inventory_from_dict(data: InventoryJson) -> SourceInventory:
    """Read what `inventory_to_dict` wrote and `check_inventory` has checked."""
    frames: Counter[tuple[str, Frame]] = Counter()
    written: dict[Frame, tuple[RoleKey, ...]] = {}
    for row in data["frames"]:
        roles: list[RoleKey] = [(label, number) for label, number in row["roles"]]
        frame: Frame = tuple(zip(roles, row["sources"], strict=True))
        if row["written"]:
            written[frame] = tuple((label, number) for label, number in row["written"])
        for lemma, count in row["lemmas"].items():
            frames[lemma, frame] = count
    steps = tuple(
        Step(tuple(markers), bits, frame_count, source_count, accepted)
        for markers, bits, frame_count, source_count, accepted in data["steps"]
    )
    return SourceInventory(frozenset(data["markers"]), frames, written, steps)
