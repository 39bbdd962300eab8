"""What was induced as JSON values, for model folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple, NotRequired, TypedDict

import numpy as np

from amparser.algebra.supertag import LEX
from amparser.errors import AMParserError, ModelError
from amparser.induction.constants import Contraction, Hole, Piece
from amparser.induction.derivations import Inventory
from amparser.induction.sorts import Counts, SortModel
from amparser.lexicon.lexical_labels import CopyRule, LexicalLabels
from amparser.pieces.evidence import Evidence
from amparser.schema import Count


class HoleJson(TypedDict):
    """`Hole`."""

    default: str | None


class PieceJson(NamedTuple):
    """`Piece`, as a list."""

    label: str
    arguments: list[tuple[str, PieceJson | HoleJson]]


class ContractionJson(TypedDict):
    """`Contraction`."""

    wrapper: list[tuple[str, str]]
    joined: list[tuple[str, str]]
    defaults: list[tuple[str, str, str]]


class LabelsJson(TypedDict):
    """What `LexicalLabels.to_json` writes."""

    joint: str
    case: str
    endings: list[tuple[str, str]]
    quote: str
    spelled: Count
    looked_up: Count
    table: list[tuple[str, list[str], dict[str, Count]]]


class SortsJson(TypedDict):
    """What `sorts_to_json` writes."""

    root: list[float]
    tag: list[list[float]]
    filler: list[tuple[Count, Count, list[list[float]]]]
    tag_counts: list[list[float]]


class EvidenceJson(TypedDict):
    """What `evidence_to_json` writes."""

    seen: list[Count]
    once: list[Count]
    fillers: list[tuple[Count, Count, list[tuple[Count, Count]]]]
    kinds: list[Count]
    below: list[tuple[Count, Count, Count, Count, list[tuple[Count, Count]]]]


class PiecesContent(TypedDict):
    """What `model.json` has of a parser over pieces."""

    pieces: list[PieceJson]
    contraction: ContractionJson
    labels: LabelsJson
    sorts: SortsJson
    evidence: EvidenceJson
    encoder: dict[str, Any]
    cut: NotRequired[dict[str, Count]]


def check_pieces(content: PiecesContent, where: object) -> None:
    """Raise ModelError, naming file and key, if parts of the content do not fit together."""
    sorts = content["sorts"]
    size = len(sorts["root"])
    tables = [("tag", sorts["tag"]), ("tag_counts", sorts["tag_counts"])]
    for i, (tag, _, table) in enumerate(sorts["filler"]):
        tables.append((f"filler[{i}]", table))
        if len(table) != size or tag >= len(sorts["tag"]):
            raise ModelError(f"{where}: content.sorts.filler[{i}]: not of this inventory")
    for key, table in tables:
        if any(len(row) != size for row in table):
            raise ModelError(f"{where}: content.sorts.{key}: expected {size} numbers in each row")
    tag_count = len(sorts["tag"])
    evidence: Mapping[str, Any] = content["evidence"]
    for key in ("seen", "once", "kinds"):
        if len(evidence[key]) != tag_count:
            raise ModelError(f"{where}: content.evidence.{key}: expected {tag_count} numbers")
    for key in ("fillers", "below"):
        for i, (*tags, counts) in enumerate(evidence[key]):
            if not all(tag < tag_count for tag in (*tags[::2], *(tag for tag, _ in counts))):
                raise ModelError(f"{where}: content.evidence.{key}[{i}]: not of this inventory")
    wrapper = content["contraction"]["wrapper"]
    around: list[Any] = [(label, [(place, (LEX, []))]) for label, place in wrapper]
    for key, values in (("pieces", content["pieces"]), ("contraction.wrapper", around)):
        for i, value in enumerate(values):
            try:
                _piece_from_json(value).supertag(0)
            except (AMParserError, RecursionError) as error:
                reason = str(error) if isinstance(error, AMParserError) else "nested too deeply"
                raise ModelError(f"{where}: content.{key}[{i}]: {reason}") from None


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


def evidence_to_json(evidence: Evidence) -> dict[str, Any]:
    """What train has, as counts."""
    return {
        "seen": list(evidence.seen),
        "once": list(evidence.once),
        "fillers": [
            [*place, sorted(map(list, counts.items()))]
            for place, counts in sorted(evidence.fillers.items())
        ],
        "kinds": list(evidence.kinds),
        "below": [
            [*over, *place, sorted(map(list, counts.items()))]
            for (over, place), counts in sorted(evidence.below.items())
        ],
    }


def evidence_from_json(stored: EvidenceJson) -> Evidence:
    """The inverse."""
    fillers = {(tag, hole): Counter(dict(counts)) for tag, hole, counts in stored["fillers"]}
    below = {
        ((above, over_hole), (tag, hole)): Counter(dict(counts))
        for above, over_hole, tag, hole, counts in stored["below"]
    }
    return Evidence(stored["seen"], stored["once"], fillers, stored["kinds"], below)


def _labels(stored: dict[str, Any]) -> LexicalLabels:
    endings = tuple((cut, added) for cut, added in stored["endings"])
    rule = CopyRule(stored["joint"], stored["case"], endings)
    labels = LexicalLabels(rule, stored["quote"])
    for piece, words, counts in stored["table"]:
        lower = tuple(word.lower() for word in words)
        labels.table.setdefault((piece, lower), Counter()).update(counts)
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
