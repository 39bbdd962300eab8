"""An inventory as JSON values, for model folders."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import asdict
from typing import Annotated, Any, NotRequired, TypedDict

from amparser.errors import ModelError
from amparser.layered.analysis import JOINED, SLOT, Tag
from amparser.layered.graphs import BoxScheme
from amparser.layered.inventory import Inventory, Slot, Spelling
from amparser.schema import Count, Matching, OneOf, Range, shown

Text = Annotated[str, Matching(r"(?s).+", "text that is not empty")]
_ARC = r"\S*[<>](\d\d|\d{1,4},\d{1,4})"
Label = Annotated[
    str,
    Matching(rf"\^\d{{0,4}}|({_ARC}( {_ARC})*)?", "edges such as Agent>00, or ^ before a place"),
]
SlotLabel = Annotated[
    str, Matching(rf"(?s)[^{SLOT}]*{SLOT}(\.[a-z]\.|-)?[^{SLOT}]*", "a label with one open place")
]


class TagJson(TypedDict):
    """`Tag`."""

    labels: list[str]
    constant: list[bool]
    edges: list[tuple[Count, str, Count]]


class SpellingJson(TypedDict):
    """`Spelling`."""

    lower: bool
    joint: Annotated[str, OneOf(("_", " ", "-"), or_empty=True)]


class SlotJson(TypedDict):
    """`Slot`."""

    spelling: SpellingJson
    forms: dict[str, dict[str, Count]]
    senses: dict[str, dict[str, Count]]
    number: Annotated[str, Matching(r"(\d\d)?", "two digits, or empty")]
    kind: Annotated[str, Matching(r"(\.[a-z]\.|-)?", "such as .n. or -, or empty")]
    quoted: bool


class InventoryJson(TypedDict):
    """`Inventory`."""

    tags: list[TagJson]
    labels: list[Label]
    introduced: list[list[tuple[Annotated[int, Range(-1)], str]]]
    fillers: list[str]
    scripts: list[tuple[str, str]]
    slots: dict[str, SlotJson]
    unique: list[str]


class SchemeJson(TypedDict):
    """`BoxScheme`."""

    label: str
    member: str


class LayeredContent(TypedDict):
    """What `model.json` has of a layered parser."""

    inventory: InventoryJson
    scheme: SchemeJson | None
    endings: list[Text]
    encoder: dict[str, Any]
    auxiliary: NotRequired[list[Annotated[int, Range(1)]]]


def check_layered(content: LayeredContent, where: object) -> None:
    """Raise ModelError, naming file and key, if parts of the content do not fit together."""
    inventory = content["inventory"]
    key = f"{where}: content.inventory"
    _check_tags(inventory, key)
    labels, introduced = inventory["labels"], inventory["introduced"]
    _check_different(labels, f"{key}.labels")
    _check_different([tuple(map(tuple, row)) for row in introduced], f"{key}.introduced")
    for i, row in enumerate(introduced):
        if any(up >= number for number, (up, _) in enumerate(row)):
            raise ModelError(f"{key}.introduced[{i}]: a box is above one that comes before it")
    _check_different(inventory["fillers"], f"{key}.fillers", least=0)
    _check_different(list(map(tuple, inventory["scripts"])), f"{key}.scripts")
    _check_slots(inventory, key)


def _check_different(values: Sequence[Hashable], key: str, least: int = 1) -> None:
    if len(values) < least or len(set(values)) < len(values):
        raise ModelError(f"{key}: expected a list of different values")


def _check_tags(inventory: InventoryJson, key: str) -> None:
    tags = [_tag(tag) for tag in inventory["tags"]]
    _check_different(tags, f"{key}.tags")
    for i, tag in enumerate(tags):
        count = len(tag.labels)
        if len(tag.constant) != count:
            raise ModelError(f"{key}.tags[{i}].constant: expected one for each label")
        if any(max(parent, child) >= count for parent, _, child in tag.edges):
            raise ModelError(f"{key}.tags[{i}].edges: expected nodes below {count}")
        for label in tag.labels:
            if SLOT in label and label not in inventory["slots"]:
                raise ModelError(f"{key}.tags[{i}].labels: {shown(label)} has no slot")
    if not any(tag.labels and tag != JOINED for tag in tags):
        raise ModelError(f"{key}.tags: expected one with a node")


def _check_slots(inventory: InventoryJson, key: str) -> None:
    known = set(inventory["fillers"])
    [pattern] = SlotLabel.__metadata__  # type: ignore[attr-defined]
    for label, slot in inventory["slots"].items():
        where = f"{key}.slots[{shown(label)}]"
        if not pattern.admits(label):
            raise ModelError(f"{where}: expected {pattern}")
        tables: tuple[tuple[str, dict[str, dict[str, int]]], ...]
        tables = (("forms", slot["forms"]), ("senses", slot["senses"]))
        for name, table in tables:
            for text, fillers in table.items():
                _check_fillers(fillers, known, f"{where}.{name}[{shown(text)}]")


def _check_fillers(fillers: Collection[str], known: Collection[str], key: str) -> None:
    if not fillers:
        raise ModelError(f"{key}: expected a filler")
    for filler in fillers:
        if filler not in known:
            raise ModelError(f"{key}: {shown(filler)} is none of content.inventory.fillers")


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


def inventory_from_json(content: InventoryJson) -> Inventory:
    """The inverse, of what `check_layered` has checked."""
    return Inventory(
        [_tag(tag) for tag in content["tags"]],
        list(content["labels"]),
        [tuple((up, label) for up, label in row) for row in content["introduced"]],
        list(content["fillers"]),
        [(cut, added) for cut, added in content["scripts"]],
        {label: _slot(slot) for label, slot in content["slots"].items()},
        frozenset(content["unique"]),
    )


def _tag(stored: TagJson) -> Tag:
    edges = tuple((parent, label, child) for parent, label, child in stored["edges"])
    return Tag(tuple(stored["labels"]), tuple(stored["constant"]), edges)


def _slot(stored: SlotJson) -> Slot:
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


def scheme_from_json(stored: SchemeJson | None) -> BoxScheme | None:
    """The inverse."""
    return None if stored is None else BoxScheme(stored["label"], stored["member"])
