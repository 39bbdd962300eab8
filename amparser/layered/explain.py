"""Explanations of answers with constants of graphs; see `amparser.explanation`.

Nothing is ruled out here: a tag is the best one of its unit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amparser.explanation import Explanation, TokenChoice
from amparser.layered.analysis import JOINED, ROOT, SLOT, UNLINKED, Analysis, Tag
from amparser.layered.inventory import Inventory
from amparser.layered.scoring import FloatArray
from amparser.layered.units import Unit


def explanation_of(
    units: Sequence[Unit],
    tag_logp: FloatArray,
    inventory: Inventory,
    analysis: Analysis,
    failure: str | None,
) -> Explanation:
    """The choices of an analysis, one for each unit.

    Args:
        units: what the tokens were cut into.
        tag_logp: `[N, tags]`.
        inventory: the tags.
        analysis: what was found.
        failure: why there is no meaning, or None.
    """
    choices = []
    for place, unit in enumerate(units):
        tag = analysis.tags[place]
        number = inventory.tag_number[tag]
        logp = tag_logp[place]
        other = next((int(k) for k in np.argsort(-logp, kind="stable") if k != number), None)
        choices.append(
            TokenChoice(
                unit.text,
                tag_to_text(tag, analysis.fillers[place]),
                float(logp[number]),
                None if other is None else tag_to_text(inventory.tags[other]),
                None if other is None else float(logp[number] - logp[other]),
                _edges(units, analysis, place),
            )
        )
    return Explanation(tuple(choices), failure)


def tag_to_text(tag: Tag, fillers: Sequence[str] = ()) -> str:
    """A constant on one line: its first node, and its edges with the nodes at their ends.

    >>> tag_to_text(Tag(("\\x00", "-"), (False, True), ((0, "polarity", 1),)), ["sleep"])
    'sleep, polarity -'
    >>> tag_to_text(Tag())
    'ignored'
    """
    if tag == JOINED:
        return "continues the next token"
    if not tag.labels:
        return "ignored"
    rest = iter(fillers)
    names = [
        label.replace(SLOT, next(rest, "_")) if SLOT in label else label for label in tag.labels
    ]
    parts = [names[0]]
    reached = {0}
    for parent, role, child in tag.edges:
        if child in reached and parent not in reached:
            parts.append(f"{role}-of {names[parent]}")
        else:
            parts.append(f"{role} {names[child]}")
        reached |= {parent, child}
    parts += [name for node, name in enumerate(names) if node not in reached]
    return ", ".join(parts)


def _edges(units: Sequence[Unit], analysis: Analysis, place: int) -> str:
    """The edge of the tree, and those beside it."""
    if not analysis.tags[place].labels or analysis.tags[place] == JOINED:
        return ""
    head, label = analysis.heads[place], analysis.labels[place]
    if head == ROOT:
        edges = ["ROOT"]
    else:
        edges = [f"{'unlinked' if label == UNLINKED else label} of {units[head].text}"]
    edges += [f"{role} of {units[above].text}" for above, t, role in analysis.extra if t == place]
    return ", ".join(edges)
