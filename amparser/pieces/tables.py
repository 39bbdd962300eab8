"""What was induced as tables of texts, for people to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from amparser.induction.derivation import FIRST_PIECE
from amparser.induction.derivations import Inventory
from amparser.induction.sorts import SortModel
from amparser.learn.composition import InventoryTable
from amparser.lexicon.lexical_labels import content_of
from amparser.pieces.gold import TreeLearned

_SHOWN = 6
"""So many pieces are shown of each sort."""


def inventory_tables(learned: TreeLearned) -> list[InventoryTable]:
    """The pieces, their sorts, the lexical labels, and what was joined and cut."""
    inventory, sorts = learned.inventory, learned.sorts
    return [
        _pieces(inventory, sorts),
        _sorts(inventory, sorts),
        _labels(inventory),
        _joined(inventory, learned.cut),
    ]


def _pieces(inventory: Inventory, sorts: SortModel) -> InventoryTable:
    counts = sorts.counts
    rows = []
    for tag, piece in enumerate(inventory.pieces, FIRST_PIECE):
        best = int(counts[tag].argmax())
        rows.append((str(piece), str(len(piece.holes)), str(best), f"{round(counts[tag].sum()):,}"))
    return InventoryTable(
        "pieces, the commonest first; [x] is a place whose default is x",
        ("piece", "places", "sort", "seen"),
        rows,
    )


def _sorts(inventory: Inventory, sorts: SortModel) -> InventoryTable:
    counts = sorts.counts[FIRST_PIECE:]
    rows = []
    for sort in range(sorts.sort_count):
        order = sorted(range(len(counts)), key=lambda i: (-counts[i, sort], i))
        names = [str(inventory.pieces[i]) for i in order[:_SHOWN] if counts[i, sort] >= 0.5]
        share = f"{100 * sorts.root[sort]:.1f}"
        rows.append((str(sort), f"{round(counts[:, sort].sum()):,}", share, "; ".join(names)))
    return InventoryTable(
        "sorts, and their commonest pieces", ("sort", "seen", "at the root, %", "pieces"), rows
    )


def _labels(inventory: Inventory) -> InventoryTable:
    labels = inventory.labels
    rule = f"words joined by {labels.rule.joint!r}, case {labels.rule.case}"
    names = [f"{cut}-" for cut in labels.rule.beginnings]
    names += [f"-{cut}" + (f" > -{added}" if added else "") for cut, added in labels.rule.endings]
    rule += f", left out: {', '.join(names)}" if names else ""
    rule += ", or digits alone" if labels.rule.digits else ""
    total = max(1, labels.spelled + labels.looked_up)
    rows = [(f"copied: {rule}", f"{labels.spelled:,}", f"{100 * labels.spelled / total:.1f}")]
    rows.append(("looked up", f"{labels.looked_up:,}", f"{100 * labels.looked_up / total:.1f}"))
    found: Counter[tuple[str, str]] = Counter()
    lower = replace(labels.rule, case="lower")
    for (_, words), counter in labels.table.items():
        for literal, count in counter.items():
            if not lower.spells(words, content_of(literal).lower()):
                found[" ".join(words), literal] += count
    for (text, literal), count in sorted(found.items(), key=lambda item: (-item[1], item[0])):
        rows.append((f"  {text}: {literal}", f"{count:,}", ""))
    return InventoryTable("lexical labels", ("label", "seen", "%"), rows)


def _joined(inventory: Inventory, cut: Mapping[str, int]) -> InventoryTable:
    contraction = inventory.contraction
    rows = [("wrapper of all meanings", place, label, "") for label, place in contraction.wrapper]
    literals: dict[str, list[str]] = {}
    for label, place in sorted(contraction.joined):
        literals.setdefault(place, []).append(label)
    rows += [
        ("lexical label below", place, ", ".join(labels), "") for place, labels in literals.items()
    ]
    fillers: dict[tuple[str, str], list[str]] = {}
    for (label, place), default in sorted(contraction.defaults.items()):
        fillers.setdefault((place, default), []).append(label)
    rows += [
        (f"default {default} below", place, ", ".join(labels), "")
        for (place, default), labels in fillers.items()
    ]
    rows += [("cut", label, "", f"{count:,}") for label, count in sorted(cut.items())]
    return InventoryTable("what was joined and cut", ("", "edge", "nodes", "times"), rows)
