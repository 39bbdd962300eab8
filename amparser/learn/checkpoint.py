"""Model folders and checkpoints: safetensors beside JSON, written whole or not at all.

    model.safetensors        the weights
    model.json               everything else, and the checksum of the weights
    checkpoint-0003.*        the same during training, with the optimizer's state
    log.jsonl                a line an epoch

The JSON file is written last and names the checksum of the weights: a folder
whose two files do not belong together is refused. No file is a pickle.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as tensors_from_bytes
from safetensors.torch import save as tensors_to_bytes
from torch import Tensor, nn

from amparser import __version__
from amparser.errors import ConfigError, InputError, ModelError
from amparser.learn.config import Config, completed, config_from_dict, to_dict
from amparser.nn.device import device_from_name
from amparser.nn.network import Network
from amparser.nn.pretrained import PretrainedEncoder, pretrained_from_dict, read_pretrained
from amparser.nn.vocabulary import Vocabulary, vocabulary_from_dict

MODEL = "model"
PROGRAM = "amparser"
"""Opens the name of a file's format; another kind of model has another one."""
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Model:
    """A trained network and what came with it.

    Attributes:
        network: in evaluation mode, on its device.
        config: the settings that it was trained with.
        lexicon: the lexicon as JSON values, as the caller of `train` gave it.
        metrics: `best_epoch`, `epochs` (the figures of each epoch) and `data`
            (a checksum of the examples).
    """

    network: Network
    config: Config
    lexicon: Mapping[str, Any]
    metrics: Mapping[str, Any]


def build_network(
    config: Config,
    vocabulary: Vocabulary,
    *,
    supertag_count: int,
    operation_count: int,
    supertag_parts: Sequence[Sequence[int]] | None = None,
    pretrained: Mapping[str, Any] | None = None,
) -> Network:
    """A network with fresh weights, drawn from torch's global generator.

    A pretrained encoder comes with its weights from the folder in the settings, or
    fresh, as `pretrained` describes it.

    Raises:
        ConfigError: there is no such encoder, or an extra is not installed.
        ModelError: the description is not that of an encoder.
    """
    encoder: PretrainedEncoder | None = None
    if config.encoder.pretrained:
        frozen = not config.encoder.pretrained_learning_rate
        if pretrained is None:
            encoder = read_pretrained(config.encoder.pretrained, frozen=frozen)
        else:
            encoder = pretrained_from_dict(pretrained, frozen=frozen)
    return Network(
        vocabulary,
        supertag_count=supertag_count,
        operation_count=operation_count,
        supertag_parts=supertag_parts,
        encoder=config.encoder,
        supertag=config.supertag,
        edge=config.edge,
        pretrained=encoder,
    )


def prepare_folder(folder: Path) -> None:
    """Make the folder and see that files can be written there; raises InputError if not."""
    probe = folder / ".writable"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise InputError(f"{folder}: cannot write a model there: {error.strerror}") from None


def save_model(folder: Path, model: Model) -> None:
    """Write `model.safetensors` and `model.json`."""
    network = model.network
    content = {
        "config": to_dict(model.config),
        "supertag_count": network.supertag_count,
        "operation_count": network.operation_count,
        "supertag_parts": network.supertag_parts,
        "vocabulary": network.vocabulary.to_dict(),
        "lexicon": model.lexicon,
        "metrics": model.metrics,
    }
    if network.pretrained is not None:
        content["pretrained"] = network.pretrained.to_dict()
    write_pair(folder, MODEL, content, network.state_dict())


def load_model(folder: str | Path, device: str = "auto") -> Model:
    """Read a model folder.

    Raises:
        ModelError: when files are missing, truncated, of another program or
            version, or do not belong together; one line that names the folder.
        ConfigError: when the model needs an extra that is not installed.
        InputError: when there is no such device.
    """
    folder = Path(folder)
    target = device_from_name(device)
    content, weights = read_pair(folder, MODEL)
    where = folder / f"{MODEL}.json"
    for key in ("supertag_count", "operation_count"):
        if type(content.get(key)) is not int or content[key] < 1:
            raise ModelError(f"{where}: {key!r} is missing")
    for key in ("config", "lexicon", "metrics"):
        if not isinstance(content.get(key), dict):
            raise ModelError(f"{where}: {key!r} is missing")
    try:
        config = config_from_dict(completed(content["config"]), where=str(where))
        vocabulary = vocabulary_from_dict(content.get("vocabulary"))
    except ConfigError as error:
        raise ModelError(str(error)) from None
    except ModelError as error:
        raise ModelError(f"{where}: {error}") from None
    parts, pretrained = _supertag_parts(content, where), _pretrained(content, config, where)
    try:
        with torch.random.fork_rng(devices=[]):
            network = build_network(
                config,
                vocabulary,
                supertag_count=content["supertag_count"],
                operation_count=content["operation_count"],
                supertag_parts=parts,
                pretrained=pretrained,
            )
    except ModelError as error:
        raise ModelError(f"{where}: {error}") from None
    load_weights(network, weights, where=folder / f"{MODEL}.safetensors")
    network.to(target).eval()
    return Model(network, config, content["lexicon"], content["metrics"])


def _supertag_parts(content: Mapping[str, Any], where: Path) -> list[list[int]] | None:
    parts = content.get("supertag_parts")
    if parts is None:
        return None
    rows: list[list[int]] = parts if isinstance(parts, list) else []
    if len(rows) != content["supertag_count"] or not all(
        isinstance(row, list) and row and all(type(p) is int and 0 <= p < 10**6 for p in row)
        for row in rows
    ):
        raise ModelError(f"{where}: 'supertag_parts' has no list of parts for each supertag")
    return rows


def _pretrained(
    content: Mapping[str, Any], config: Config, where: Path
) -> Mapping[str, Any] | None:
    value = content.get("pretrained")
    if config.encoder.pretrained and not isinstance(value, dict):
        raise ModelError(f"{where}: 'pretrained' is missing")
    return value


def load_weights(network: nn.Module, weights: Mapping[str, Tensor], where: object) -> None:
    """Put weights into a network; raises ModelError naming the first that does not fit."""
    expected = network.state_dict()
    for name in sorted(expected.keys() ^ weights.keys()):
        state = "is missing" if name in expected else "belongs to another network"
        raise ModelError(f"{where}: the tensor {name!r} {state}")
    for name, tensor in sorted(weights.items()):
        if tensor.shape != expected[name].shape:
            raise ModelError(
                f"{where}: the tensor {name!r} has shape {list(tensor.shape)}, "
                f"expected {list(expected[name].shape)}"
            )
    network.load_state_dict(dict(weights))


def write_pair(
    folder: Path,
    name: str,
    content: Mapping[str, Any],
    tensors: Mapping[str, Tensor],
    *,
    program: str = PROGRAM,
) -> None:
    """Write `name.safetensors`, then `name.json` with its checksum."""
    weights = tensors_to_bytes({k: t.detach().cpu().contiguous() for k, t in tensors.items()})
    head = {
        "format": format_of(name, program),
        "format_version": FORMAT_VERSION,
        "package_version": __version__,
        "weights_sha256": hashlib.sha256(weights).hexdigest(),
    }
    text = json.dumps({**head, **content}, ensure_ascii=False, indent=1) + "\n"
    write_atomically(folder / f"{name}.safetensors", weights)
    write_atomically(folder / f"{name}.json", text.encode())


def read_pair(
    folder: Path, name: str, *, program: str = PROGRAM
) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The inverse of `write_pair`; raises ModelError on whatever it would not have written."""
    if not folder.is_dir():
        raise ModelError(f"{folder}: no such model folder")
    path, weights_path = folder / f"{name}.json", folder / f"{name}.safetensors"
    content = read_json(path, format_of(name, program))
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


def format_of(name: str, program: str = PROGRAM) -> str:
    """The format of a pair's JSON file, as the file names it.

    >>> format_of("checkpoint-0003")
    'amparser-checkpoint'
    """
    return f"{program}-{name.partition('-')[0]}"


def read_json(path: Path, expected_format: str) -> dict[str, Any]:
    """The content of one of this module's JSON files; raises ModelError when it is none."""
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise ModelError(f"{path}: cannot read it: {error.strerror}") from None
    except ValueError:
        raise ModelError(f"{path}: truncated or not JSON") from None
    if not isinstance(content, dict) or content.get("format") != expected_format:
        raise ModelError(f"{path}: not an {expected_format} file")
    version = content.get("format_version")
    if version != FORMAT_VERSION:
        raise ModelError(
            f"{path}: format version {version!r}; amparser {__version__} reads {FORMAT_VERSION}"
        )
    return content


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file by another that is complete and on the disk."""
    partial = path.with_name(f".{path.name}.partial")
    with partial.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
    # The rename itself lasts once the folder is on the disk too.
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
