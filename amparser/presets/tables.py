"""Tables of induced knowledge as text, for display."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from amparser.algebra.fragment import LEX, SLOT
from amparser.algebra.types import type_to_str
from amparser.lexicon.encoded import FIRST_FRAGMENT
from amparser.lexicon.spelling import content_of
from amparser.presets.model import InventoryTable

if TYPE_CHECKING:
    from amparser.induction.induce import SourceInventory
    from amparser.induction.inventory import Inventory
    from amparser.lexicon.lexicon import Lexicon
    from amparser.presets.graphs.encoding import GraphLearned
    from amparser.presets.nodes.model import NodeLearned
    from amparser.presets.trees.model import TreeLearned


def node_tables(learned: NodeLearned) -> list[InventoryTable]:
    """Return tables of the sources of roles, and of the supertags."""
    return [_frames(learned.inventory), _supertags(learned.lexicon)]


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
            texts = (supertag.penman, type_to_str(supertag.type), template or "")
            seen = sum(lexicon.observed.places.get(k, {}).values())
            rows.append((str(k), *texts, f"{seen:,}"))
    return InventoryTable(
        "supertags, most frequent first",
        ("", "supertag", "type", "lexical label", "seen"),
        rows,
        "supertags seen 0 times combine parts of others",
    )


def tree_tables(learned: TreeLearned) -> list[InventoryTable]:
    """Return tables of the fragments, and of the lexical labels."""
    return [_fragments(learned.inventory, learned.cooccurrence.seen), _fillers(learned.inventory)]


def _fragments(inventory: Inventory, seen: Sequence[int]) -> InventoryTable:
    rows = [
        (fragment.to_text(), str(len(fragment.ports)), f"{count:,}")
        for fragment, count in zip(inventory.fragments, seen[FIRST_FRAGMENT:], strict=True)
    ]
    return InventoryTable(
        "fragments, most frequent first; [x] is a port with its default or name",
        ("fragment", "ports", "seen"),
        rows,
    )


def _fillers(inventory: Inventory) -> InventoryTable:
    labels = inventory.labels
    rule = f"words joined by {labels.rule.joint!r}, case {labels.rule.case}"
    names = [
        f"{prefix}-" if prefix else f"-{cut}" + (f" > -{added}" if added else "")
        for prefix, cut, added in labels.rule.losses
    ]
    rule += f", left out: {', '.join(names)}" if names else ""
    rule += "".join(
        f", {number_rule.shape} > {number_rule.label}" for number_rule in labels.rule.numbers
    )
    total = max(1, labels.spelled + labels.looked_up)
    rows = [(f"copied: {rule}", f"{labels.spelled:,}", f"{100 * labels.spelled / total:.1f}")]
    rows.append(("looked up", f"{labels.looked_up:,}", f"{100 * labels.looked_up / total:.1f}"))
    looked_up: Counter[tuple[str, str]] = Counter()
    for (_, words), counter in labels.table.items():
        for literal, count in counter.items():
            if not labels.rule.spells(words, content_of(literal)):
                looked_up[" ".join(words), literal] += count
    for (text, literal), count in sorted(looked_up.items(), key=lambda item: (-item[1], item[0])):
        rows.append((f"  {text}: {literal}", f"{count:,}", ""))
    return InventoryTable("lexical labels", ("label", "seen", "%"), rows)


def graph_tables(learned: GraphLearned) -> list[InventoryTable]:
    """Return tables of the constants, and of their lexical labels."""
    inventory = learned.inventory
    constants = [
        (tag.to_text(), f"{len(tag.labels):,}", f"{len(tag.slots):,}")
        for tag in inventory.tags
        if not isinstance(tag, str)
    ]
    slots = [
        (
            label.replace(SLOT, LEX),
            f"words joined by {slot.spelling.joint!r}, "
            + ("in lower case" if slot.spelling.lower else "as they are"),
            f"{len(slot.senses):,}",
            f"{len(slot.forms):,}",
        )
        for label, slot in inventory.slots.items()
    ]
    return [
        InventoryTable(
            "constants, most frequent first; --LEX-- stands for the lexical label",
            ("constant", "nodes", "slots"),
            constants,
        ),
        InventoryTable(
            "lexical labels of constants", ("label", "spelling", "texts", "words of train"), slots
        ),
    ]
