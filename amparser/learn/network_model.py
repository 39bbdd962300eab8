"""The model folder of a parser: its network, lexicon and source inventory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NotRequired, TypedDict

from torch import Tensor

from amparser.errors import ModelError
from amparser.induction.inventory_codec import InventoryJson, check_inventory
from amparser.learn.model_folder import (
    MODEL,
    Head,
    built,
    checked_content,
    read_model,
    settings_of_head,
    write_model,
)
from amparser.learn.parser_settings import ParserSettings
from amparser.learn.settings import to_dict
from amparser.learn.system import PARSER
from amparser.lexicon.stored import LexiconJson, check_lexicon
from amparser.nn.device import device_from_name
from amparser.nn.network import Network
from amparser.nn.pretrained import PretrainedEncoder, pretrained_from_dict, read_pretrained
from amparser.nn.settings import Size
from amparser.nn.vocabulary import Vocabulary, vocabulary_from_dict
from amparser.schema import Count, Range


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
    """

    network: Network
    settings: ParserSettings
    lexicon: Mapping[str, Any]
    metrics: Mapping[str, Any]
    notation: str = ""
    benchmark: str = ""
    data: Mapping[str, Any] | None = None


class VocabularyJson(TypedDict):
    """What `Vocabulary.to_dict` writes."""

    words: list[str]
    counts: list[Count]


class ParserContent(TypedDict):
    """What `model.json` has of a parser."""

    supertag_count: Size
    operation_count: Size
    vocabulary: VocabularyJson
    lexicon: LexiconJson
    inventory: InventoryJson
    supertag_parts: NotRequired[list[list[Annotated[int, Range(0, below=10**6)]]] | None]
    pretrained: NotRequired[dict[str, Any] | None]


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


def head_of(model: NetworkModel) -> Head:
    """What a model folder says of a network."""
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
    return Head(
        PARSER,
        to_dict(model.settings),
        model.notation,
        model.benchmark,
        model.data or {},
        model.metrics,
        content,
    )


def save_network(folder: Path, model: NetworkModel) -> None:
    """Write a model folder."""
    write_model(folder, head_of(model), model.network.state_dict())


def load_network(folder: str | Path, device: str = "auto") -> NetworkModel:
    """Read a model folder.

    Raises:
        ModelError: files are missing, truncated, of another program, version or system, or
            do not belong together; one line that names the folder.
        ConfigError: the model needs an extra that is not installed.
        InputError: there is no such device.
    """
    folder = Path(folder)
    head, weights = read_model(folder, PARSER)
    return network_of(head, weights, folder, device)


def network_of(
    head: Head, weights: Mapping[str, Tensor], folder: Path, device: str
) -> NetworkModel:
    """The network of a model folder that has been read; raises what `load_network` raises."""
    target = device_from_name(device)
    where = folder / f"{MODEL}.json"
    settings = settings_of_head(head, ParserSettings(), folder)
    content = checked_content(head, ParserContent, folder)
    _check(content, settings, where)

    def build() -> Network:
        return build_network(
            settings,
            vocabulary_from_dict(content["vocabulary"]),
            supertag_count=content["supertag_count"],
            operation_count=content["operation_count"],
            supertag_parts=content.get("supertag_parts"),
            pretrained=content.get("pretrained"),
        )

    try:
        network = built(build, weights, folder, lambda network: network.state_dict())
    except ModelError as error:
        raise ModelError(f"{where}: {error}") from None
    network.to(target).eval()
    if network.pretrained is not None:
        network.pretrained.check(where)
    lexicon = {"lexicon": content["lexicon"], "inventory": content["inventory"]}
    return NetworkModel(
        network, settings, lexicon, head.metrics, head.notation, head.benchmark, head.data
    )


def _check(content: ParserContent, settings: ParserSettings, where: Path) -> None:
    """Raise ModelError, naming file and key, if parts of the content do not fit together."""
    check_lexicon(content["lexicon"], where, "content.lexicon")
    check_inventory(content["inventory"], where, "content.inventory")
    words = content["vocabulary"]["words"]
    if len(set(words)) < len(words) or len(words) != len(content["vocabulary"]["counts"]):
        raise ModelError(
            f"{where}: content.vocabulary: expected a list of different words and a list of "
            "their counts"
        )
    lexicon, count = content["lexicon"], content["supertag_count"]
    for key, found, expected in (
        ("supertag_count", count, len(lexicon["supertags"]) + 1),
        ("operation_count", content["operation_count"], len(lexicon["operations"])),
    ):
        if found != expected:
            raise ModelError(
                f"{where}: content.{key} = {found}: expected {expected}, as the lexicon has"
            )
    parts = content.get("supertag_parts")
    if parts is not None and (len(parts) != count or not all(parts)):
        raise ModelError(
            f"{where}: content.supertag_parts: expected a list of parts for each supertag"
        )
    if settings.encoder.pretrained and not content.get("pretrained"):
        raise ModelError(f"{where}: 'content.pretrained' is missing")
