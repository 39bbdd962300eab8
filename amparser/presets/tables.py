"""Tables of induced knowledge as text, for display."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from amparser.algebra.fragment import LEX, SLOT
from amparser.algebra.types import type_to_str
from amparser.lexicon.encoded import FIRST_FRAGMENT
from amparser.lexicon.graph_inventory import label_to_str
from amparser.lexicon.spelling import content_of
from amparser.presets.model import InventoryTable

if TYPE_CHECKING:
    from amparser.induction.induce import SourceInventory
    from amparser.induction.inventory import Inventory
    from amparser.induction.sorts import SortModel
    from amparser.lexicon.lexicon import Lexicon
    from amparser.presets.graphs.encoding import GraphLearned
    from amparser.presets.nodes.model import NodeLearned
    from amparser.presets.trees.model import TreeLearned


def node_tables(learned: NodeLearned) -> list[InventoryTable]:
    """Return the objective of the induction, the sources of roles, and the supertags."""
    inventory = learned.inventory
    return [_objective(inventory), _frames(inventory), _supertags(learned.lexicon)]


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
    """Return the fragments, their sorts, and the lexical labels."""
    inventory, sorts = learned.inventory, learned.sorts
    return [_fragments(inventory, sorts), _sorts(inventory, sorts), _fillers(inventory)]


def _fragments(inventory: Inventory, sorts: SortModel) -> InventoryTable:
    counts = sorts.counts
    rows = []
    for tag, fragment in enumerate(inventory.fragments, FIRST_FRAGMENT):
        best = int(counts[tag].argmax())
        seen = f"{round(counts[tag].sum()):,}"
        rows.append((fragment.to_text(), str(len(fragment.ports)), str(best), seen))
    return InventoryTable(
        "fragments, most frequent first; [x] is a port with its default or name",
        ("fragment", "ports", "sort", "seen"),
        rows,
    )


def _sorts(inventory: Inventory, sorts: SortModel) -> InventoryTable:
    counts = sorts.counts[FIRST_FRAGMENT:]
    rows = []
    for sort in range(sorts.sort_count):
        order = sorted(range(len(counts)), key=lambda i: (-counts[i, sort], i))
        # Show six fragments of each sort.
        names = [inventory.fragments[i].to_text() for i in order[:6] if counts[i, sort] >= 0.5]
        share = f"{100 * sorts.root[sort]:.1f}"
        rows.append((str(sort), f"{round(counts[:, sort].sum()):,}", share, "; ".join(names)))
    return InventoryTable(
        "sorts, and their most frequent fragments",
        ("sort", "seen", "at the root, %", "fragments"),
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
    """Return the constants, the edges between them, their lexical labels, and the boxes."""
    inventory, scheme = learned.inventory, learned.scheme
    constants = [
        (tag.to_text(), f"{len(tag.labels):,}", f"{len(tag.slots):,}")
        for tag in inventory.tags
        if not isinstance(tag, str)
    ]
    unlinked = "none: the graph has several components"
    edges = [(label_to_str(label) or unlinked,) for label in inventory.labels]
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
            "constants, most frequent first; --LEX-- stands for the lexical label",
            ("constant", "nodes", "slots"),
            constants,
        ),
        InventoryTable(
            "edges between constants, most frequent first",
            ("edge",),
            edges,
            "ROLE>PQ leads down from node P of the head to node Q of the dependent, < up; ^ is the "
            "top",
        ),
        InventoryTable(
            "lexical labels of constants", ("label", "spelling", "texts", "words of train"), slots
        ),
        InventoryTable("boxes", ("", "label"), boxes or [("none", "")]),
    ]
