"""What was induced as tables of texts, for people to read."""

from __future__ import annotations

from collections import Counter

from amparser.constants.types import type_to_str
from amparser.induction.induce import SourceInventory
from amparser.learn.composition import InventoryTable
from amparser.learn.gold_trees import NodeLearned
from amparser.lexicon.lexicon import Lexicon


def inventory_tables(learned: NodeLearned) -> list[InventoryTable]:
    """The objective of the induction, the sources of roles, the supertags and the edge labels."""
    inventory, lexicon = learned.inventory, learned.lexicon
    return [
        _objective(inventory),
        _frames(inventory),
        _supertags(lexicon),
        _operations(lexicon),
        _orders(lexicon),
    ]


def _objective(inventory: SourceInventory) -> InventoryTable:
    rows = [
        (
            ", ".join(step.markers) or "none",
            f"{step.bits:,.0f}",
            str(step.frame_count),
            str(step.source_count),
            "kept" if step.accepted else "",
        )
        for step in inventory.steps
    ]
    return InventoryTable(
        "markers tried, each round's best kept",
        ("markers", "bits", "frames", "sources", ""),
        rows,
        "bits(roles | lemma, sources) + bits(frames, owners) + bits(markers)",
    )


def _frames(inventory: SourceInventory) -> InventoryTable:
    rows = []
    for frame, lemmas in sorted(
        inventory.frames.items(), key=lambda row: (-row[1].total(), row[0])
    ):
        roles = ", ".join(f"{role}{n + 1 if n else ''} {source}" for (role, n), source in frame)
        rows.append((roles or "(no roles)", f"{lemmas.total():,}", f"{len(lemmas):,}"))
    return InventoryTable(
        "frames: the source of each role", ("frame", "occurrences", "lemmas"), rows
    )


def _supertags(lexicon: Lexicon) -> InventoryTable:
    rows = []
    for k, (supertag, template) in enumerate(
        zip(lexicon.supertags, lexicon.templates, strict=True)
    ):
        if supertag is not None:
            texts = (supertag.penman, type_to_str(supertag.lexical_type), template or "")
            seen = sum(lexicon.observed.places.get(k, {}).values())
            rows.append((str(k), *texts, f"{seen:,}"))
    return InventoryTable(
        "supertags, most frequent first",
        ("", "supertag", "type", "lexical label", "seen"),
        rows,
        "those seen 0 times are built from parts of others",
    )


def _operations(lexicon: Lexicon) -> InventoryTable:
    counts: dict[int, Counter[str]] = {}
    for (o, _), (left, right) in lexicon.observed.sides.items():
        counts.setdefault(o, Counter()).update(left=left, right=right)
    rows = [
        (operation, f"{counts[o]['left']:,}", f"{counts[o]['right']:,}")
        for o, operation in enumerate(lexicon.operations)
        if o in counts
    ]
    return InventoryTable(
        "edge labels, by the side of the dependent",
        ("edge label", "left of its head", "right of it"),
        rows,
    )


def _orders(lexicon: Lexicon) -> InventoryTable:
    names = lexicon.operations
    rows = [
        (("left", "right")[side], names[near], names[far], f"{count:,}")
        for (side, near, far), count in sorted(lexicon.observed.orders.items())
    ]
    return InventoryTable(
        "edge labels on the same side of a head", ("side", "nearer", "farther", "seen"), rows
    )
