"""Model folders: safetensors and JSON, written atomically.

    model.safetensors        the weights
    model.json               everything else, and the checksum of the weights
    log.jsonl                one line per round
    .amparser/checkpoint-0003.*   weights, JSON and the optimizer's state during training

The `model.json` of every system has `system`, `settings`, `notation`, `benchmark`, `data`,
`metrics`, and under `content` the system's own data. It is written last. Its checksum of the
weights makes sure that files of different models are not combined. It also contains checksums of
its own values: if a value was changed by accident, the error names its key. If `checksums` is
removed, values may be changed, and only their types are checked. Pickle is never used.

Each file begins with its format, `amparser-...`; only files with such a beginning are replaced.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypedDict, TypeVar

import torch
from safetensors import SafetensorError
from safetensors.torch import load as tensors_from_bytes, save as tensors_to_bytes
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from amparser import __version__
from amparser.conditions import Count, OneOf
from amparser.corpora.splitting import Splitting
from amparser.errors import ConfigError, InputError, ModelError, nesting, shown
from amparser.files import begins, json_of, prepare_folder, regular, write_atomically
from amparser.learn.confidence import Confidence
from amparser.learn.reranker import Reranker
from amparser.learn.settings import Section, section_from_dict, to_dict
from amparser.lexicon.local_shapes import Attested, LocalShapes
from amparser.nn.packed_weights import unpacked
from amparser.notations.registry import NOTATIONS
from amparser.schema import from_json, to_json

if TYPE_CHECKING:
    from amparser.corpora.corpus import Corpus

Network = TypeVar("Network")

LOG = "log.jsonl"
"""Log of a training run: one line per round."""
LOG_FORMAT = "amparser-log"
MODEL = "model"
FORMAT_VERSION = 7
CHECKSUMS = "checksums"

_DEPTHS = {"settings": 9, "content": 1}
"""Depth to which entries nested in a key of `model.json` have their own checksums (default 0)."""
_DRAWING = frozenset({"uniform_", "normal_", "trunc_normal_", "fill_", "zero_", "div", "mul"})
_HEADER = ("format", "format_version", "package_version", "commit", "dirty", "weights_sha256")


class MetricsJson(TypedDict, total=False):
    """Figures of a training run.

    `held_out` describes the sentences of train on which the confidence was calibrated before the
    final training.
    """

    best_epoch: Count
    epochs: list[dict[str, Any]]
    data: str
    held_out: dict[str, Any]


@dataclass(frozen=True)
class Head:
    """Fields of every model folder.

    Attributes:
        data: names and checksums of the training files.
        metrics: `best_epoch`, `epochs` (figures of each round) and `data` (a checksum).
        content: the system's own data.
        confidence: model of the confidence (see `amparser.learn.confidence`), or None.
        splitting: tokenizer of raw text (see `amparser.corpora.splitting`), or None.
        style: style in which answers are written, if the notation has several.
        order: argument order of functions with a variable number of arguments.
        unordered: functions with unordered arguments (see `amparser.notations.unordered`).
        shapes: constraints on answers (see `amparser.lexicon.local_shapes`), or None.
        attested: parts that occur in train (see `amparser.lexicon.local_shapes`), or None.
        examples: three sentences of train, which the page of `serve` displays.
        reranker: scores of whole meanings (see `amparser.learn.reranker`), or None.
        newer: fields that older model folders do not have.
    """

    newer: ClassVar = frozenset(
        ["style", "order", "unordered", "shapes", "attested", "examples", "reranker"]
    )

    system: str
    settings: Mapping[str, Any]
    notation: Annotated[str, OneOf(NOTATIONS, or_empty=True)] = ""
    benchmark: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    metrics: MetricsJson = field(default_factory=MetricsJson)
    content: Mapping[str, Any] = field(default_factory=dict)
    confidence: Confidence | None = None
    splitting: Splitting | None = None
    style: str = ""
    order: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unordered: Mapping[str, int] = field(default_factory=dict)
    shapes: LocalShapes | None = None
    attested: Attested | None = None
    examples: Sequence[str] = ()
    reranker: Reranker | None = None


def write_model(folder: Path, head: Head, tensors: Mapping[str, Tensor]) -> None:
    """Write `model.safetensors` and `model.json`."""
    write_pair(folder, MODEL, to_json(head, Head), tensors)


def prepare_model_folder(folder: Path) -> None:
    """Create a model folder; raise InputError if a training run must not write to it."""
    for name in (f"{MODEL}.json", f"{MODEL}.safetensors", LOG):
        prepare_folder(folder, [name], is_ours=is_ours(folder / name))


def check_same_data(folder: Path, data: Mapping[str, Any]) -> None:
    """Raise InputError if a folder contains a finished model of other data files."""
    try:
        known = read_head(folder).data
    except ModelError:  # there is no model, or it has another version
        return
    if {one["sha256"] for one in known.values()} != {one["sha256"] for one in data.values()}:
        raise InputError(
            f"{folder}: a model of other data ({', '.join(one['file'] for one in known.values())});"
            " --replace replaces it, and --output names another folder"
        )


def is_ours(path: Path) -> bool:
    """Return whether a file is part of a model or a checkpoint, according to its content."""
    format_ = LOG_FORMAT if path.name == LOG else format_of(path.stem)
    return any(begins(path, f'"format":{space}"{format_}"') for space in ("", " "))


def head_of(
    system: str, settings: Any, corpus: Corpus, metrics: MetricsJson, content: Mapping[str, Any]
) -> Head:
    """Return the content of `model.json` for a model that was trained on a corpus."""
    rows = [(one.tokens, one.meaning) for one in corpus.train if one.meaning is not None]
    written: dict[str, Any] = {"examples": corpus.samples()}
    if name := settings.data.notation:
        notation = NOTATIONS[name]
        written |= {
            "style": notation.style_of([text for _, text in rows[:200]]),
            "order": notation.order_of(rows, corpus.unordered),
            "unordered": notation.unordered_of(rows, corpus.unordered),
        }
    of_corpus = (name, corpus.benchmark, corpus.files)
    return Head(system, to_dict(settings), *of_corpus, metrics, content, **written)


def read_model(folder: Path, system: str) -> tuple[Head, dict[str, Tensor]]:
    """Read a folder that `write_model` has written for a model of the given system.

    Raises:
        ModelError: files are missing or truncated, do not belong together, or belong to another
            program, version or system; the message is one line and names the folder.
    """
    head = read_head(folder)
    if head.system != system:
        raise ModelError(f"{folder}: a model of {head.system!r}, expected {system}")
    return head, read_pair(folder, MODEL)[1]


def read_head(folder: Path) -> Head:
    """Read `model.json`; raise ModelError as `read_model` does."""
    path = folder / f"{MODEL}.json"
    if not folder.is_dir():
        what = "a file, expected a model folder" if folder.exists() else "no such model folder"
        raise ModelError(f"{folder}: {what}")
    if not path.exists():
        raise ModelError(f"{folder}: not a model folder: {path.name} is missing")
    content = read_pair_json(path)
    head = from_json(content, Head, path, error=ModelError)
    metrics = head.metrics
    if "epochs" in metrics and metrics.get("best_epoch", 0) > len(metrics["epochs"]):
        raise ModelError(f"{path}: metrics.best_epoch: expected one of metrics.epochs")
    return head


def settings_of_head(head: Head, defaults: Section, folder: Path) -> Section:
    """Return the settings of a model; raise ModelError if its system does not know one of them."""
    try:
        return section_from_dict(defaults, head.settings, where=str(folder / f"{MODEL}.json"))
    except ConfigError as error:
        raise ModelError(str(error)) from None


def write_pair(
    folder: Path, name: str, content: Mapping[str, Any], tensors: Mapping[str, Tensor]
) -> None:
    """Write `name.safetensors`, then `name.json` with the checksum of the first file."""
    from amparser.provenance import program

    format_ = format_of(name)
    weights = tensors_to_bytes(
        {k: t.detach().cpu().contiguous() for k, t in tensors.items()}, {"format": format_}
    )
    head = {
        "format": format_,
        "format_version": FORMAT_VERSION,
        **program(),
        "weights_sha256": hashlib.sha256(weights).hexdigest(),
    }
    kept = json.loads(json.dumps(content))  # JSON turns keys into strings
    whole = {**head, CHECKSUMS: dict(_checksums(kept)), **content}
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n"
    write_atomically(folder / f"{name}.safetensors", weights)
    write_atomically(folder / f"{name}.json", text.encode())


def read_pair(folder: Path, name: str) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Read two files that `write_pair` has written; raise ModelError for any other files."""
    path, weights_path = folder / f"{name}.json", folder / f"{name}.safetensors"
    content = read_pair_json(path)
    try:
        weights = _weights(weights_path)
    except OSError as error:
        raise ModelError(f"{weights_path}: cannot read the weights: {error.strerror}") from None
    if hashlib.sha256(weights).hexdigest() != content.get("weights_sha256"):
        raise ModelError(
            f"{weights_path}: truncated, damaged or of another training run: "
            f"its checksum is not weights_sha256 in {path.name}"
        )
    try:
        return content, unpacked(tensors_from_bytes(weights), weights_path)
    except SafetensorError as error:
        raise ModelError(f"{weights_path}: not a safetensors file: {error}") from None


def _weights(path: Path) -> bytes:
    if (size := _inside(path).stat().st_size) > _memory():
        raise ModelError(f"{path}: its {size} bytes exceed this machine's memory")
    return path.read_bytes()


def _memory() -> float:
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return inf


def _inside(path: Path) -> Path:
    """Return a file of a model folder; raise OSError for a device, pipe or link out of the folder.

    In the Hugging Face cache, links to another folder of the same repository are allowed.
    """
    folder = path.parent.resolve()
    around = folder.parents[1] if folder.parent.name == "snapshots" else folder
    if not path.resolve().is_relative_to(around):
        raise OSError(None, "a link that leads out of the model folder")
    return regular(path)


def format_of(name: str) -> str:
    """Return the format that the JSON file of a pair must name.

    >>> format_of("checkpoint-0003")
    'amparser-checkpoint'
    """
    return f"amparser-{name.partition('-')[0]}"


def read_pair_json(path: Path) -> dict[str, Any]:
    """Read the JSON file of a pair; raise ModelError for any other file."""
    try:
        content = json_of(_inside(path), error=ModelError)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror}") from None
    expected = format_of(path.stem)
    found = content.get("format") if isinstance(content, dict) else None
    if found != expected:
        raise ModelError(f"{path}: not an {expected} file: format = {shown(found)}")
    version = content.get("format_version")
    if type(version) is not int or version != FORMAT_VERSION:
        raise ModelError(
            f"{path}: format_version = {shown(version)}: amparser {__version__} reads "
            f"{FORMAT_VERSION}; train the model again: amparser train ... --output DIR"
        )
    if CHECKSUMS in content:
        _check_unaltered(content, path)
    return dict(content)


def _checksums(content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in content.items():
        if key not in (*_HEADER, CHECKSUMS):
            yield from _checksums_inside(key, value, _DEPTHS.get(key, 0))


def _checksums_inside(key: str, value: object, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and depth:
        for inner, part in value.items():
            yield from _checksums_inside(f"{key}.{inner}", part, depth - 1)
        return
    text = json.dumps(value, sort_keys=True)
    # A prefix of the checksum is enough to detect accidental changes.
    yield key, hashlib.sha256(text.encode()).hexdigest()[:16]


def _check_unaltered(content: dict[str, Any], path: Path) -> None:
    expected = from_json(content[CHECKSUMS], dict[str, str], path, CHECKSUMS, error=ModelError)
    with nesting(ModelError, f"{path}: nested too deeply"):
        found = dict(_checksums(content))
    for key in sorted(expected.keys() | found.keys()):
        if expected.get(key) != found.get(key):
            raise ModelError(
                f"{path}: {key[:200]} was changed: its checksum differs; remove "
                f"{CHECKSUMS!r} to read it anyway"
            )


def trained_parameters(network: nn.Module) -> dict[str, nn.Parameter]:
    """Return the trained parameters by name; parameters with several names occur once."""
    return {name: p for name, p in network.named_parameters() if p.requires_grad}


def built(
    build: Callable[[], Network],
    weights: Mapping[str, Tensor],
    folder: Path,
    tensors_of: Callable[[Network], Mapping[str, Tensor]],
) -> Network:
    """Build a network with the weights of a model folder, in evaluation mode.

    The network is first built on the meta device, so that shapes are checked before memory is
    allocated.

    Args:
        build: function that returns the untrained network.
        weights: the weights in the folder.
        folder: the folder, for messages.
        tensors_of: function that returns the stored tensors of a network by name.

    Raises:
        ModelError: the shapes do not fit, or a weight is too large; the message names the file
            and the tensor.
    """
    where = folder / f"{MODEL}.safetensors"
    with torch.random.fork_rng(devices=[]):
        try:
            with torch.device("meta"), _Undrawn():
                check_tensors(tensors_of(build()), weights, where)
        except RuntimeError as error:  # the size in bytes overflows
            reason = str(error).partition("\n")[0]
            raise ModelError(f"{where}: the weights do not fit the settings: {reason}") from None
        network = build()
    load_tensors(tensors_of(network), weights, where)
    return network


class _Undrawn(TorchFunctionMode):
    """Mode that skips random initialisation, which would make torch load its compiler."""

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        if func is torch.randn:
            func = torch.empty
        elif getattr(func, "__name__", "") in _DRAWING:
            return args[0] if args else (kwargs or {})["tensor"]
        return func(*args, **(kwargs or {}))


def load_tensors(
    expected: Mapping[str, Tensor], weights: Mapping[str, Tensor], where: object
) -> None:
    """Copy weights into tensors with the same names; raise as `check_tensors` does."""
    check_tensors(expected, weights, where)
    for name, tensor in weights.items():
        expected[name].detach().copy_(tensor)


def check_tensors(
    expected: Mapping[str, Tensor], weights: Mapping[str, Tensor], where: object
) -> None:
    """Raise ModelError, naming a tensor, unless weights have the expected names and shapes."""
    for name in sorted(expected.keys() ^ weights.keys()):
        state = "is missing" if name in expected else "belongs to another network"
        raise ModelError(f"{where}: the tensor {name!r} {state}")
    for name, tensor in sorted(weights.items()):
        if tensor.shape != expected[name].shape:
            raise ModelError(
                f"{where}: the tensor {name!r} has shape {list(tensor.shape)}, "
                f"expected {list(expected[name].shape)}"
            )
        half = tensor.dtype == torch.float16 and expected[name].dtype == torch.float32
        if tensor.dtype != expected[name].dtype and not half:
            raise ModelError(
                f"{where}: the tensor {name!r} is of {tensor.dtype}, "
                f"expected {expected[name].dtype}"
            )
        # Products of weights above 1e19 overflow.
        if not torch.isfinite(tensor.float().square()).all():
            raise ModelError(f"{where}: the tensor {name!r} has values that are too large")
