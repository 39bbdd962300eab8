"""What was induced as JSON values, for model folders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from amparser.induction.constants import Contraction, Hole, Piece
from amparser.induction.derivations import Inventory
from amparser.induction.sorts import Counts, SortModel
from amparser.lexicon.lexical_labels import CopyRule, LexicalLabels


def inventory_to_json(inventory: Inventory) -> dict[str, Any]:
    """The pieces, what was joined to make them, and the lexical labels."""
    contraction = inventory.contraction
    return {
        "pieces": [_piece_to_json(piece) for piece in inventory.pieces],
        "contraction": {
            "wrapper": [list(place) for place in contraction.wrapper],
            "joined": sorted(map(list, contraction.joined)),
            "defaults": [[*place, label] for place, label in sorted(contraction.defaults.items())],
        },
        "labels": inventory.labels.to_json(),
    }


def inventory_from_json(content: Mapping[str, Any]) -> Inventory:
    """The inverse; raises KeyError, TypeError or ValueError where the content is damaged."""
    pieces = tuple(_piece_from_json(piece) for piece in content["pieces"])
    stored = content["contraction"]
    contraction = Contraction(
        tuple((label, place) for label, place in stored["wrapper"]),
        frozenset((label, place) for label, place in stored["joined"]),
        {(label, place): default for label, place, default in stored["defaults"]},
    )
    return Inventory(pieces, contraction, _labels(content["labels"]))


def sorts_to_json(sorts: SortModel) -> dict[str, Any]:
    """The probabilities of sorts, and how often each tag had each."""
    return {
        "root": sorts.root.tolist(),
        "tag": sorts.tag.tolist(),
        "filler": [[*key, table.tolist()] for key, table in sorted(sorts.filler.items())],
        "tag_counts": sorts.counts.tag.tolist(),
    }


def sorts_from_json(stored: Mapping[str, Any]) -> SortModel:
    """The inverse; raises KeyError, TypeError or ValueError where the content is damaged."""
    filler = {(tag, hole): np.array(table) for tag, hole, table in stored["filler"]}
    root, tag = np.array(stored["root"]), np.array(stored["tag"])
    if tag.ndim != 2 or tag.shape[1] != len(root):
        raise ValueError("the sorts of tags and of the root differ in number")
    counts = Counts(np.zeros_like(root), np.array(stored["tag_counts"]), {})
    return SortModel(root, tag, filler, counts)


def _labels(stored: dict[str, Any]) -> LexicalLabels:
    labels = LexicalLabels(CopyRule(stored["joint"], stored["case"]), stored["quote"])
    for piece, words, counts in stored["table"]:
        for literal, count in counts.items():
            for _ in range(count):
                labels.add(piece, words, literal)
    labels.spelled, labels.looked_up = stored["spelled"], stored["looked_up"]
    return labels


def _piece_to_json(piece: Piece | Hole) -> Any:
    if isinstance(piece, Hole):
        return {"default": piece.default}
    return [piece.label, [[place, _piece_to_json(sub)] for place, sub in piece.arguments]]


def _piece_from_json(value: Any) -> Piece:
    label, arguments = value
    return Piece(
        label,
        tuple(
            (place, Hole(sub["default"]) if isinstance(sub, dict) else _piece_from_json(sub))
            for place, sub in arguments
        ),
    )
