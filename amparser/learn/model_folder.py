"""Model folders: safetensors beside JSON, written whole or not at all.

    model.safetensors        the weights
    model.json               everything else, and the checksum of the weights
    checkpoint-0003.*        the same during training, with the optimizer's state
    log.jsonl                one line per round

The `model.json` of all systems has `system`, `settings`, `notation`, `benchmark`, `data`,
`metrics`, and under `content` whatever else the system needs. It is written last and holds the
checksum of the weights: a folder whose two files do not belong together is rejected. No file is
a pickle.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load as tensors_from_bytes
from safetensors.torch import save as tensors_to_bytes
from torch import Tensor, nn

from amparser import __version__
from amparser.errors import ConfigError, ModelError
from amparser.files import write_atomically
from amparser.learn.settings import Section, section_from_dict
from amparser.notations.registry import UNNAMED
from amparser.provenance import program

MODEL = "model"
FORMAT_VERSION = 2

# The formats of version 1, in which each kind of system had its own.
_FORMAT = "amparser-model"
_OTHERS_OF_VERSION_1 = (
    "amparser-seq2seq-model",
    "amparser-pretrained-model",
    "amparser-nli-model",
)


@dataclass(frozen=True)
class Head:
    """The fields that every model folder has.

    Attributes:
        system: the name of the system.
        settings: the settings of its training, as nested dictionaries.
        notation: the name of the notation of its answers, or empty.
        benchmark: the name of the benchmark that it was trained on, or empty.
        data: names and checksums of the files that it was trained on.
        metrics: `best_epoch`, `epochs` (the figures of each round) and `data` (a checksum).
        content: whatever else the system needs.
    """

    system: str
    settings: Mapping[str, Any]
    notation: str = ""
    benchmark: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    metrics: Mapping[str, Any] = field(default_factory=dict)
    content: Mapping[str, Any] = field(default_factory=dict)


def write_model(folder: Path, head: Head, tensors: Mapping[str, Tensor]) -> None:
    """Write `model.safetensors` and `model.json`."""
    write_pair(folder, MODEL, asdict(head), tensors)


def read_model(folder: Path, *systems: str) -> tuple[Head, dict[str, Tensor]]:
    """Read what `write_model` wrote.

    Args:
        folder: the model folder.
        systems: the systems that the model may be of; any, if none is named.

    Raises:
        ModelError: files are missing, truncated, of another program, version or system, or
            do not belong together; one line that names the folder.
    """
    head = read_head(folder)
    if systems and head.system not in systems:
        expected = " or ".join(systems)
        raise ModelError(f"{folder}: a model of {head.system!r}, expected {expected}")
    _, tensors = read_pair(folder, MODEL)
    return head, tensors


def read_head(folder: Path) -> Head:
    """The content of `model.json`; raises ModelError as `read_model` does."""
    if not folder.is_dir():
        raise ModelError(f"{folder}: no such model folder")
    path = folder / f"{MODEL}.json"
    content = read_pair_json(path)
    if content["format_version"] == 1:
        content = _of_version_1(content, path)
    for key in ("settings", "data", "metrics", "content"):
        if not isinstance(content.get(key), dict):
            raise ModelError(f"{path}: {key!r} is missing")
    for key in ("system", "notation", "benchmark"):
        if not isinstance(content.get(key), str):
            raise ModelError(f"{path}: {key!r} is missing")
    keys = ("system", "settings", "notation", "benchmark", "data", "metrics", "content")
    return Head(**{key: content[key] for key in keys})


def settings_of_head(head: Head, defaults: Section, folder: Path) -> Section:
    """The settings of a model; raises ModelError if they do not belong to its system."""
    try:
        return section_from_dict(defaults, head.settings, where=str(folder / f"{MODEL}.json"))
    except ConfigError as error:
        raise ModelError(str(error)) from None


def _of_version_1(old: dict[str, Any], path: Path) -> dict[str, Any]:
    """The `model.json` of a parser of version 1 as one of this version."""
    lexicon = old.get("lexicon")
    if not isinstance(old.get("config"), dict) or not isinstance(lexicon, dict):
        missing = "config" if not isinstance(old.get("config"), dict) else "lexicon"
        raise ModelError(f"{path}: {missing!r} is missing")
    kept = ("supertag_count", "operation_count", "supertag_parts", "vocabulary", "pretrained")
    network = {key: old[key] for key in kept if key in old}
    return {
        "system": "amparser",
        "settings": _named_restrictions(old["config"]),
        "notation": lexicon.get("notation", UNNAMED),
        "benchmark": "",
        "data": lexicon.get("data", {}),
        "metrics": old.get("metrics"),
        "content": {
            **network,
            "lexicon": lexicon.get("lexicon"),
            "inventory": lexicon.get("inventory"),
        },
    }


# Restrictions that were part of another restriction in version 1.
_ONCE_PART_OF = {
    "followers": "words",
    "markers": "words",
    "bare_forms": "words",
    "displaced": "sides",
}


def _named_restrictions(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of version 1, with each restriction in its state of then."""
    lexicon = settings.get("lexicon")
    if not isinstance(lexicon, dict):
        return settings
    parts = {part: lexicon[whole] for part, whole in _ONCE_PART_OF.items() if whole in lexicon}
    return {**settings, "lexicon": {**parts, **lexicon}}


def write_pair(
    folder: Path, name: str, content: Mapping[str, Any], tensors: Mapping[str, Tensor]
) -> None:
    """Write `name.safetensors`, then `name.json` with its checksum."""
    weights = tensors_to_bytes({k: t.detach().cpu().contiguous() for k, t in tensors.items()})
    head = {
        "format": format_of(name),
        "format_version": FORMAT_VERSION,
        **program(),
        "weights_sha256": hashlib.sha256(weights).hexdigest(),
    }
    text = json.dumps({**head, **content}, ensure_ascii=False, indent=1) + "\n"
    write_atomically(folder / f"{name}.safetensors", weights)
    write_atomically(folder / f"{name}.json", text.encode())


def read_pair(folder: Path, name: str) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The inverse of `write_pair`; raises ModelError on any other files."""
    path, weights_path = folder / f"{name}.json", folder / f"{name}.safetensors"
    content = read_pair_json(path)
    try:
        weights = weights_path.read_bytes()
    except OSError as error:
        raise ModelError(f"{weights_path}: cannot read the weights: {error.strerror}") from None
    if hashlib.sha256(weights).hexdigest() != content.get("weights_sha256"):
        raise ModelError(
            f"{weights_path}: truncated, damaged or of another training: "
            f"its checksum is not the one in {path.name}"
        )
    try:
        return content, tensors_from_bytes(weights)
    except SafetensorError as error:
        raise ModelError(f"{weights_path}: not a safetensors file: {error}") from None


def format_of(name: str) -> str:
    """The format of a pair's JSON file, as the file names it.

    >>> format_of("checkpoint-0003")
    'amparser-checkpoint'
    """
    return f"amparser-{name.partition('-')[0]}"


def read_pair_json(path: Path) -> dict[str, Any]:
    """The content of the JSON file of a pair; raises ModelError on any other file."""
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise ModelError(f"{path}: cannot read it: {error.strerror}") from None
    except ValueError:
        raise ModelError(f"{path}: truncated or not JSON") from None
    expected = format_of(path.stem)
    found = content.get("format") if isinstance(content, dict) else None
    if found in _OTHERS_OF_VERSION_1:
        raise ModelError(
            f"{path}: a model of version 1, of which only parsers can be read; train it anew: "
            "amparser train BENCHMARK --system SYSTEM --output DIR"
        )
    if found != expected:
        raise ModelError(f"{path}: not an {expected} file")
    version = content.get("format_version")
    # Checkpoints of version 1 come from another training loop.
    readable = (1, FORMAT_VERSION) if found == _FORMAT else (FORMAT_VERSION,)
    if version not in readable:
        expected = " and ".join(map(str, readable))
        raise ModelError(
            f"{path}: format version {version!r}; amparser {__version__} reads {expected}"
        )
    return dict(content)


def trained_parameters(network: nn.Module) -> dict[str, nn.Parameter]:
    """The parameters that are trained, by name; tied ones occur once."""
    return {name: p for name, p in network.named_parameters() if p.requires_grad}


def load_tensors(
    expected: Mapping[str, Tensor], weights: Mapping[str, Tensor], where: object
) -> None:
    """Copy weights into tensors of the same names; raises ModelError naming the first misfit."""
    for name in sorted(expected.keys() ^ weights.keys()):
        state = "is missing" if name in expected else "belongs to another network"
        raise ModelError(f"{where}: the tensor {name!r} {state}")
    for name, tensor in sorted(weights.items()):
        if tensor.shape != expected[name].shape:
            raise ModelError(
                f"{where}: the tensor {name!r} has shape {list(tensor.shape)}, "
                f"expected {list(expected[name].shape)}"
            )
    for name, tensor in weights.items():
        expected[name].detach().copy_(tensor)
