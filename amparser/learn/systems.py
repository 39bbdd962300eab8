"""The systems that can be trained, and which of them a model folder or a file of settings holds."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from amparser.baselines.finetuned import load_finetuned
from amparser.baselines.from_scratch import load_pairs_model
from amparser.baselines.notation import Notation
from amparser.baselines.settings import SearchSettings
from amparser.benchmarks.monotonicity.classifiers.model import PROGRAM as NLI_PROGRAM
from amparser.errors import ConfigError, InputError, ModelError
from amparser.learn.checkpoint import MODEL, format_of

AMPARSER = "amparser"
FROM_SCRATCH = ("transformer", "lstm", "bilstm", "gru")
PRETRAINED = ("t5", "llama")
SEQ2SEQ = (*FROM_SCRATCH, *PRETRAINED)
CLASSIFIERS = ("lstm", "treelstm", "bert")
"""Of pairs of sentences; their `lstm` is another one than that which writes."""
SYSTEMS = tuple(dict.fromkeys((AMPARSER, *SEQ2SEQ, *CLASSIFIERS)))

_PARSER_FORMAT, _CLASSIFIER_FORMAT = format_of(MODEL), format_of(MODEL, NLI_PROGRAM)


class Prediction(Protocol):
    """What a model wrote for a sentence; see `amparser.baselines.from_scratch.Output`."""

    @property
    def text(self) -> str:
        """In the notation of its targets, well-formed or not."""

    @property
    def logp(self) -> float:
        """Natural logarithm of its probability."""

    @property
    def finished(self) -> bool:
        """Whether it ended before the length limit."""


class Seq2SeqParser(Protocol):
    """A model that writes a text for a sentence."""

    @property
    def system(self) -> str:
        """The name of the system."""

    @property
    def notation(self) -> Notation:
        """Of what it writes."""

    @property
    def config(self) -> Any:
        """The settings that it was trained with; `train.seed` and `decode` among them."""

    @property
    def data(self) -> Mapping[str, Any]:
        """What it was trained on."""

    @property
    def metrics(self) -> Mapping[str, Any]:
        """`best_epoch` and `epochs`."""

    def outputs(self, sentences: Sequence[Sequence[str]]) -> Sequence[Prediction]:
        """What it writes for tokenised sentences, in their order."""

    def with_search(self, settings: SearchSettings) -> Seq2SeqParser:
        """The same model with other settings of search."""


def systems_of(benchmark: str) -> tuple[str, ...]:
    """The systems that a benchmark has: pairs are classified, other meanings written."""
    return (AMPARSER, *(CLASSIFIERS if benchmark == "monotonicity" else SEQ2SEQ))


def system_of_model(folder: Path) -> str:
    """The system in a model folder; `classifies` says which of two with one name.

    Raises:
        ModelError: there is no model, or one of another program.
    """
    content = _head(folder)
    if content.get("format") == _PARSER_FORMAT:
        return AMPARSER
    system = content.get("system")
    known = CLASSIFIERS if content.get("format") == _CLASSIFIER_FORMAT else SEQ2SEQ
    if str(content.get("format")).startswith("amparser-") and system in known:
        return str(system)
    raise ModelError(f"{folder / 'model.json'}: no model of amparser")


def classifies(folder: Path) -> bool:
    """Whether the model in a folder is a classifier of pairs; raises ModelError as above."""
    return bool(_head(folder).get("format") == _CLASSIFIER_FORMAT)


def _head(folder: Path) -> dict[str, Any]:
    path = folder / "model.json"
    if not folder.is_dir():
        raise ModelError(f"{folder}: no such model folder")
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise ModelError(f"{path}: cannot read it: {error.strerror}") from None
    except ValueError:
        raise ModelError(f"{path}: truncated or not JSON") from None
    return content if isinstance(content, dict) else {}


def system_of_settings(path: Path) -> str:
    """The system that a file of settings is for; those that name none are the parser's.

    Raises:
        ConfigError: the file cannot be read, or names no system.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot read the settings: {error.strerror}") from None
    system = table.get("system", AMPARSER)
    if system not in SYSTEMS:
        raise ConfigError(f"{path}: system = {system!r}: expected one of {', '.join(SYSTEMS)}")
    return str(system)


def load_seq2seq(
    folder: Path, device: str = "auto", *, beam_size: int | None = None
) -> Seq2SeqParser:
    """The sequence-to-sequence model in a folder.

    Args:
        folder: of the model.
        device: where it computes.
        beam_size: instead of that in its settings.

    Raises:
        ModelError: the folder is missing, damaged, or holds no such model.
        InputError: there is no such device.
    """
    system = system_of_model(folder)
    if system == AMPARSER:
        raise InputError(f"{folder}: an AM dependency parser, expected another system")
    if classifies(folder):
        raise InputError(f"{folder}: {system} classifies pairs of sentences and writes no forms")
    model: Seq2SeqParser
    if system in PRETRAINED:
        model = load_finetuned(folder, device)
    else:
        model = load_pairs_model(folder, device)
    if beam_size is None:
        return model
    return model.with_search(replace(model.config.decode, beam_size=beam_size))
