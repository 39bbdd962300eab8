"""What was induced as tables of texts, for people to read."""

from __future__ import annotations

from amparser.compositions.composition import InventoryTable
from amparser.compositions.graphs.gold import GraphLearned
from amparser.lexicon.analysis import JOINED, SLOT, constant_of_tag


def inventory_tables(learned: GraphLearned) -> list[InventoryTable]:
    """The constants, the edges between them, what fills them, and the boxes."""
    inventory, scheme = learned.inventory, learned.scheme
    constants = [
        (constant_of_tag(tag).to_text(), f"{len(tag.labels):,}", f"{tag.slots:,}")
        for tag in inventory.tags
        if tag.labels and tag != JOINED
    ]
    edges = [(label or "none, in a graph of several parts",) for label in inventory.labels]
    slots = [
        (
            label.replace(SLOT, "_"),
            f"words joined by {slot.spelling.joint!r}, "
            + ("in lower case" if slot.spelling.lower else "as they are"),
            f"{len(slot.senses):,}",
            f"{len(slot.forms):,}",
        )
        for label, slot in inventory.slots.items()
    ]
    boxes = []
    if scheme is not None:
        boxes = [("a box", scheme.label), ("the edge to its members", scheme.member)]
        boxes += [
            ("boxes of a word", ", ".join(label for _, label in row))
            for row in inventory.introduced
            if row
        ]
    return [
        InventoryTable(
            "constants, the commonest first; _ is filled by the word",
            ("constant", "nodes", "slots"),
            constants,
        ),
        InventoryTable(
            "edges between constants, the commonest first",
            ("edge",),
            edges,
            "ROLE>PQ leads down from node P of the head to node Q of the dependent, < up; ^ is the "
            "top",
        ),
        InventoryTable(
            "what fills constants", ("label", "spelling", "texts", "words of train"), slots
        ),
        InventoryTable("boxes", ("", "label"), boxes or [("none", "")]),
    ]
