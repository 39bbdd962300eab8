"""Families of constants: their names are one but for what follows the last separator.

`loc_1` and `loc_2`, `run-01` and `run-02`, `largest` and `largest_one`: the same words say them.
A tagger that has seen a hundred times which one it is, and the other once, rules the other out.
Yet what stands around a constant may ask for that one, and the tagger cannot know what train
never put together. So a family leaves a share of its probability to all of its members.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from amparser.induction.derivation import FIRST_PIECE
from amparser.induction.derivations import Inventory

Float = NDArray[np.float64]

_ENDING = re.compile(r"(?<=.)[-_.:][^-_.:]+$")


def tag_labels(inventory: Inventory) -> list[str]:
    """What each tag is called; empty for one that is no piece, or whose piece takes names.

    Words that a piece takes are not spelled as it is.
    """
    names = ["" if piece.lexical else piece.label for piece in inventory.pieces]
    return [*[""] * FIRST_PIECE, *names]


def families_of(labels: Sequence[str | None]) -> list[list[int]]:
    """The tags of each family of two members or more, in ascending order.

    Args:
        labels: the name of each tag; none, or empty, for one without a family.
    """
    members: dict[str, list[int]] = {}
    for tag, label in enumerate(labels):
        if label:
            members.setdefault(_ENDING.sub("", label), []).append(tag)
    return [family for family in members.values() if len(family) > 1]


def shared(tags: Float, families: Sequence[Sequence[int]], share: float) -> Float:
    """Scores of tags in which each family shares out a part of what its members have.

    Args:
        tags: natural logs of probabilities, `[n, T]`.
        families: as `families_of` finds them.
        share: the part, 0 to 1; all members get the same of it.
    """
    if not share:
        return tags
    found = tags.copy()
    for family in families:
        probabilities = np.exp(tags[:, family])
        each = probabilities.mean(axis=1, keepdims=True)
        found[:, family] = np.log((1 - share) * probabilities + share * each)
    return found
