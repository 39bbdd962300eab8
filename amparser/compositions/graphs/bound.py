"""What of a corpus the pieces of train can make: the upper bound of a parser of graphs."""

from __future__ import annotations

from amparser.lexicon.analysis import JOINED, ROOT, Row, Tag
from amparser.lexicon.graph_inventory import Inventory, Slot, root_label, word_of
from amparser.lexicon.scripts import script_of


def lacking(row: Row, inventory: Inventory) -> str | None:
    """What the analysis of a sentence needs and train does not have, or None.

    A word that train has is filled in as train does; another one by a script of train, with a
    sense that train has of the word or else the commonest one.
    """
    analysis = row.analysis
    for token, tag in enumerate(analysis.tags):
        word = row.units[token].text
        if tag not in inventory.tag_number:
            return f"train has no constant {_shown(tag)}, for {word!r}"
        if analysis.introduced[token] not in inventory.introduced_number:
            return f"train has no word that introduces the boxes of {word!r}"
        if not tag.labels or tag == JOINED:
            continue
        label = analysis.labels[token]
        name = root_label(label) if analysis.heads[token] == ROOT else label
        if name not in inventory.label_number:
            return f"train has no arc {name!r}, above {word!r}"
        units = word_of(row.units, analysis.tags, token)
        fillers = zip(inventory.slots_of(tag), analysis.fillers[token], strict=True)
        for slot_label, filler in fillers:
            slot = inventory.slots[slot_label]
            if not _can_fill(slot, slot.spelling.form(units), filler, inventory):
                return f"train does not show how {word!r} becomes {filler!r}"
    for _, token, label in analysis.extra:
        if label not in inventory.label_number:
            return f"train has no arc {label!r}, to {row.units[token].text!r}"
    return None


def _can_fill(slot: Slot, form: str, filler: str, inventory: Inventory) -> bool:
    if known := slot.candidates(form):
        return filler in known
    text = slot.text(filler)
    if script_of(form, text) not in inventory.script_number:
        return False
    return filler in (slot.of_text(text) or [slot.guess(text)])


def _shown(tag: Tag) -> str:
    nodes = " ".join(label or "''" for label in tag.labels)
    return repr(f"{nodes} {' '.join(role for _, role, _ in tag.edges)}".strip())
