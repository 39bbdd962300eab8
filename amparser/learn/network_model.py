"""The model folder of a parser: its network, lexicon and source inventory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from amparser.nn.encoders.encoder import Encoder, encoder_from_dict
from amparser.nn.heads.arcs import ArcNeeds
from amparser.nn.heads.tags import TagNeeds
from amparser.nn.scorer import Ensemble, Needs
from amparser.nn.settings import Size
from amparser.schema import Range


@dataclass(frozen=True)
class NetworkModel:
    """Trained scorers with their lexicon and metadata.

    Attributes:
        network: the scorers, in evaluation mode, on their device.
        settings: the settings of its training.
        lexicon: `lexicon` and `inventory` as JSON values.
        metrics: `best_epoch`, `epochs` (the figures of each round) and `data` (a checksum).
        notation: the name of the notation of the training meanings, or empty.
        benchmark: the name of the benchmark, or empty.
        data: names and checksums of the files.
    """

    network: Ensemble
    settings: ParserSettings
    lexicon: Mapping[str, Any]
    metrics: Mapping[str, Any]
    notation: str = ""
    benchmark: str = ""
    data: Mapping[str, Any] | None = None


class ParserContent(TypedDict):
    """What `model.json` has of a parser."""

    supertag_count: Size
    operation_count: Size
    encoder: dict[str, Any]
    lexicon: LexiconJson
    inventory: InventoryJson
    supertag_parts: NotRequired[list[list[Annotated[int, Range(0, below=10**6)]]] | None]


def build_network(
    settings: ParserSettings,
    encoder: Callable[[], Encoder],
    *,
    supertag_count: int,
    operation_count: int,
    supertag_parts: Sequence[Sequence[int]] | None = None,
) -> Ensemble:
    """Scorers with fresh weights, drawn from torch's global generator.

    Args:
        settings: all settings.
        encoder: makes the encoder of each scorer.
        supertag_count: K of the lexicon, the empty supertag included.
        operation_count: O of the lexicon, IGNORE and ROOT included.
        supertag_parts: for each supertag the numbers of its parts (from 0), if supertags are
            scored by their parts; otherwise each is a separate class.

    Raises:
        ConfigError: an extra is not installed, or there is no such pretrained encoder.
    """
    supertag, edge = settings.supertag, settings.edge
    tags = TagNeeds(supertag_count, supertag.hidden_size, supertag.dropout, supertag_parts)
    arcs = ArcNeeds(
        edge.type,
        edge.hidden_size,
        edge.content_dropout,
        "random",
        operations=operation_count,
        operation_size=edge.operation_size,
        clip=edge.distance_clip,
        loss=edge.loss,
    )
    return Ensemble(Needs(tags, arcs), encoder, settings.train.members)


def head_of(model: NetworkModel) -> Head:
    """What a model folder says of a network."""
    needs = model.network.needs
    content = {
        "supertag_count": needs.tags.count,
        "operation_count": needs.arcs.operations,
        "supertag_parts": needs.tags.parts,
        "encoder": model.network.encoder.to_dict(),
        **model.lexicon,
    }
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
    _check(content, where)
    network = built(
        lambda: build_network(
            settings,
            lambda: encoder_from_dict(settings.encoder, content["encoder"], where),
            supertag_count=content["supertag_count"],
            operation_count=content["operation_count"],
            supertag_parts=content.get("supertag_parts"),
        ),
        weights,
        folder,
        lambda network: network.state_dict(),
    )
    network.to(target).eval()
    network.encoder.check(where)
    lexicon = {"lexicon": content["lexicon"], "inventory": content["inventory"]}
    return NetworkModel(
        network, settings, lexicon, head.metrics, head.notation, head.benchmark, head.data
    )


def _check(content: ParserContent, where: Path) -> None:
    """Raise ModelError, naming file and key, if parts of the content do not fit together."""
    check_lexicon(content["lexicon"], where, "content.lexicon")
    check_inventory(content["inventory"], where, "content.inventory")
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
