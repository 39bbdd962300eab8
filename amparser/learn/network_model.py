"""The model folder of a parser: its network, lexicon and source inventory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from amparser.errors import ModelError
from amparser.learn.model_folder import (
    MODEL,
    Head,
    load_tensors,
    read_model,
    settings_of_head,
    write_model,
)
from amparser.learn.parser_settings import ParserSettings
from amparser.learn.report import TrainingReport
from amparser.learn.settings import to_dict
from amparser.nn.device import device_from_name
from amparser.nn.network import Network
from amparser.nn.pretrained import PretrainedEncoder, pretrained_from_dict, read_pretrained
from amparser.nn.vocabulary import Vocabulary, vocabulary_from_dict

SYSTEM = "amparser"


@dataclass(frozen=True)
class NetworkModel:
    """A trained network with its lexicon and metadata.

    Attributes:
        network: the network, in evaluation mode, on its device.
        settings: the settings of its training.
        lexicon: `lexicon` and `inventory` as JSON values.
        metrics: `best_epoch`, `epochs` (the figures of each round) and `data` (a checksum).
        notation: the name of the notation of the training meanings, or empty.
        benchmark: the name of the benchmark, or empty.
        data: names and checksums of the files.
        report: the report of its training; None if the model was loaded.
    """

    network: Network
    settings: ParserSettings
    lexicon: Mapping[str, Any]
    metrics: Mapping[str, Any]
    notation: str = ""
    benchmark: str = ""
    data: Mapping[str, Any] | None = None
    report: TrainingReport | None = None


def build_network(
    settings: ParserSettings,
    vocabulary: Vocabulary,
    *,
    supertag_count: int,
    operation_count: int,
    supertag_parts: Sequence[Sequence[int]] | None = None,
    pretrained: Mapping[str, Any] | None = None,
) -> Network:
    """A network with fresh weights, drawn from torch's global generator.

    A pretrained encoder has the weights of the folder in the settings, or fresh ones
    if `pretrained` describes it.

    Raises:
        ConfigError: there is no such encoder, or an extra is not installed.
        ModelError: the description is not that of an encoder.
    """
    encoder: PretrainedEncoder | None = None
    if settings.encoder.pretrained:
        frozen = not settings.encoder.pretrained_learning_rate
        if pretrained is None:
            encoder = read_pretrained(settings.encoder.pretrained, frozen=frozen)
        else:
            encoder = pretrained_from_dict(pretrained, frozen=frozen)
    return Network(
        vocabulary,
        supertag_count=supertag_count,
        operation_count=operation_count,
        supertag_parts=supertag_parts,
        encoder=settings.encoder,
        supertag=settings.supertag,
        edge=settings.edge,
        pretrained=encoder,
    )


def save_network(folder: Path, model: NetworkModel) -> None:
    """Write a model folder."""
    network = model.network
    content = {
        "supertag_count": network.supertag_count,
        "operation_count": network.operation_count,
        "supertag_parts": network.supertag_parts,
        "vocabulary": network.vocabulary.to_dict(),
        **model.lexicon,
    }
    if network.pretrained is not None:
        content["pretrained"] = network.pretrained.to_dict()
    head = Head(
        SYSTEM,
        to_dict(model.settings),
        model.notation,
        model.benchmark,
        model.data or {},
        model.metrics,
        content,
    )
    write_model(folder, head, network.state_dict())


def load_network(folder: str | Path, device: str = "auto") -> NetworkModel:
    """Read a model folder.

    Raises:
        ModelError: files are missing, truncated, of another program, version or system, or
            do not belong together; one line that names the folder.
        ConfigError: the model needs an extra that is not installed.
        InputError: there is no such device.
    """
    folder = Path(folder)
    target = device_from_name(device)
    head, weights = read_model(folder, SYSTEM)
    content, where = head.content, folder / f"{MODEL}.json"
    settings = settings_of_head(head, ParserSettings(), folder)
    for key in ("supertag_count", "operation_count"):
        if type(content.get(key)) is not int or content[key] < 1:
            raise ModelError(f"{where}: {key!r} is missing")
    for key in ("lexicon", "inventory"):
        if not isinstance(content.get(key), dict):
            raise ModelError(f"{where}: {key!r} is missing")
    parts, pretrained = _supertag_parts(content, where), _pretrained(content, settings, where)
    try:
        vocabulary = vocabulary_from_dict(content.get("vocabulary"))
        with torch.random.fork_rng(devices=[]):
            network = build_network(
                settings,
                vocabulary,
                supertag_count=content["supertag_count"],
                operation_count=content["operation_count"],
                supertag_parts=parts,
                pretrained=pretrained,
            )
    except ModelError as error:
        raise ModelError(f"{where}: {error}") from None
    load_tensors(network.state_dict(), weights, folder / f"{MODEL}.safetensors")
    network.to(target).eval()
    lexicon = {key: content[key] for key in ("lexicon", "inventory")}
    return NetworkModel(
        network, settings, lexicon, head.metrics, head.notation, head.benchmark, head.data
    )


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
    content: Mapping[str, Any], settings: ParserSettings, where: Path
) -> Mapping[str, Any] | None:
    value = content.get("pretrained")
    if settings.encoder.pretrained and not isinstance(value, dict):
        raise ModelError(f"{where}: 'pretrained' is missing")
    return value
