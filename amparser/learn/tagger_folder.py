"""A tagger parser on disk: what was induced and the settings as JSON, the weights beside it."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from amparser.errors import ModelError
from amparser.induction.constants import Contraction, Hole, Piece
from amparser.induction.derivations import Inventory
from amparser.induction.sorts import Counts, SortModel
from amparser.learn.tagging import TaggerParser, TaggerTraining, new_tagger
from amparser.lexicon.lexical_labels import CopyRule, LexicalLabels
from amparser.nn.tagger import Indexer, TaggerSettings, WordIndex

JSON_FILE = "parser.json"
WEIGHTS_FILE = "weights.safetensors"
FORMAT = 1


def save_tagger_parser(parser: TaggerParser, folder: str | Path) -> None:
    """Write a parser into a folder, which is made if need be."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    contraction = parser.inventory.contraction
    content = {
        "format": FORMAT,
        "settings": dataclasses.asdict(parser.settings),
        "pieces": [_piece_to_json(piece) for piece in parser.inventory.pieces],
        "contraction": {
            "wrapper": [list(place) for place in contraction.wrapper],
            "joined": sorted(map(list, contraction.joined)),
            "defaults": [[*place, label] for place, label in sorted(contraction.defaults.items())],
        },
        "labels": parser.inventory.labels.to_json(),
        "words": parser.indexer.index.numbers,
        "sorts": {
            "root": parser.sorts.root.tolist(),
            "tag": parser.sorts.tag.tolist(),
            "filler": [[*key, f.tolist()] for key, f in sorted(parser.sorts.filler.items())],
            "tag_counts": parser.sorts.counts.tag.tolist(),
        },
    }
    text = json.dumps(content, ensure_ascii=False)
    (folder / JSON_FILE).write_text(text + "\n", encoding="utf-8")
    weights = {
        f"{member}.{name}": value.contiguous()
        for member, tagger in enumerate(parser.taggers)
        for name, value in tagger.state_dict().items()
    }
    save_file(weights, folder / WEIGHTS_FILE)


def load_tagger_parser(folder: str | Path) -> TaggerParser:
    """Read a parser from its folder.

    Raises:
        ModelError: a file is missing, damaged or of another format.
    """
    folder = Path(folder)
    try:
        content = json.loads((folder / JSON_FILE).read_text(encoding="utf-8"))
        weights = load_file(folder / WEIGHTS_FILE)
        if content["format"] != FORMAT:
            raise ModelError(f"{folder}: format {content['format']}, expected {FORMAT}")
        network = TaggerSettings(**content["settings"].pop("network"))
        settings = TaggerTraining(**content["settings"], network=network)
        inventory = _inventory(content)
        index = WordIndex(content["words"], network.buckets)
        taggers = []
        for member in range(settings.members):
            tagger = new_tagger(inventory, index, network)
            prefix = f"{member}."
            tagger.load_state_dict(
                {k.removeprefix(prefix): v for k, v in weights.items() if k.startswith(prefix)}
            )
            tagger.eval()
            taggers.append(tagger)
        return TaggerParser(inventory, _sorts(content["sorts"]), taggers, Indexer(index), settings)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        raise ModelError(f"{folder}: no tagger parser: {error}") from None


def _inventory(content: dict[str, Any]) -> Inventory:
    pieces = tuple(_piece_from_json(piece) for piece in content["pieces"])
    stored = content["contraction"]
    contraction = Contraction(
        tuple((label, place) for label, place in stored["wrapper"]),
        frozenset((label, place) for label, place in stored["joined"]),
        {(label, place): default for label, place, default in stored["defaults"]},
    )
    return Inventory(pieces, contraction, _labels(content["labels"]))


def _labels(stored: dict[str, Any]) -> LexicalLabels:
    labels = LexicalLabels(CopyRule(stored["joint"], stored["case"]), stored["quote"])
    for piece, words, counts in stored["table"]:
        for literal, count in counts.items():
            for _ in range(count):
                labels.add(piece, words, literal)
    labels.spelled, labels.looked_up = stored["spelled"], stored["looked_up"]
    return labels


def _sorts(stored: dict[str, Any]) -> SortModel:
    filler = {(tag, hole): np.array(table) for tag, hole, table in stored["filler"]}
    root, tag = np.array(stored["root"]), np.array(stored["tag"])
    counts = Counts(np.zeros_like(root), np.array(stored["tag_counts"]), {})
    return SortModel(root, tag, filler, counts)


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
