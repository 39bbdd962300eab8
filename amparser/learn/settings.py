"""Settings: dataclasses with sections, whose values are read from TOML files and checked.

The settings of a system are a dataclass of sections; `System.settings` has the defaults. This
module contains the sections that several systems have. A settings file contains only values that
differ from the defaults:

    system = "transformer"
    [train]
    max_steps = 10000

The annotation of a field states all conditions on its value: the type, the choices of a `Literal`
or of a registry (`OneOf`), and the `Range` of a number. `amparser train --list-settings` prints the
description of each field, which is its entry under `Attributes` in a docstring.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from difflib import get_close_matches
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeVar, get_type_hints

from amparser.conditions import Count, OneOf, Range
from amparser.errors import ConfigError, shown
from amparser.files import regular
from amparser.nn.settings import Rate, Size
from amparser.notations.registry import NOTATIONS
from amparser.resources import settings_path
from amparser.schema import described, from_json

Section = TypeVar("Section")
"""A dataclass of settings, or of such dataclasses."""

_BARE_WORDS = re.compile(r"[A-Za-z./~][\w./~-]*( [A-Za-z][\w./~-]*)*")
_NAMES = re.compile(r"(\w+(?:, \w+)*): (.*)")


@dataclass(frozen=True, slots=True)
class DataSettings:
    """Settings of the training data.

    Attributes:
        notation: notation of the meanings; empty for the corpus's own.
        fraction: share of train that is used, chosen at random by `train.seed`.
        held_out: share of train that is used as dev if the dev file is missing.
        raw: `always` if sentences are raw text, `never` if spaces separate their tokens; `auto`
            recognises raw text by its punctuation if meanings do not refer to tokens.
        also: further training files, or folders with `train`, separated by spaces; paths are
            relative to the data folder. Examples that have the name of a dev or test example in any
            of the folders are left out, because they may be translations of it.
        without: file with the names of examples to leave out, one per line; by default
            `banned-ids.txt` next to the data folder, if `also` is set and there is such a file.
        unordered: functions with unordered arguments, separated by commas. Functions whose
            arguments train has in both orders are recognised and need not be named.
        schema: JSON Schema of meanings in JSON; its path is relative to the data folder. Examples
            that contradict it are left out, and answers may use all of its keys and values.
    """

    notation: Annotated[str, OneOf(NOTATIONS, or_empty=True)] = ""
    fraction: Annotated[float, Range(0.001, maximum=1)] = 1.0
    held_out: Annotated[float, Range(0.001, maximum=0.5)] = 0.1
    raw: Literal["auto", "always", "never"] = "auto"
    also: str = ""
    without: str = ""
    unordered: str = ""
    schema: str = ""


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """Settings of the training of a network.

    Attributes:
        epochs: maximum number of passes through train; 0 for no limit.
        max_steps: maximum number of updates of the weights; 0 for no limit.
        epoch_sentences: minimum number of sentences per epoch; a smaller training set is repeated.
        batch_size: maximum number of sentences in a batch; 0 for no limit.
        batch_tokens: maximum number of padded tokens in a batch, targets included; 0 for no limit.
        accumulate: number of batches in one update.
        learning_rate: peak learning rate; with `noam`, the factor.
        schedule: learning rate after warm-up: `constant`; `linear`, which falls to zero at the last
            step; `fall`, which falls linearly over all epochs to a small share of the peak; or
            `noam` (Vaswani et al. 2017, equation 3).
        warmup_steps: number of steps in which the learning rate rises linearly.
        adam_beta2: decay of AdamW's second moment.
        gradient_clip: maximum norm of the gradient; 0 for no clipping.
        validate_every: steps between two evaluations on dev, each with a checkpoint; 0 for one
            after each epoch.
        select: epoch whose weights are used: `last`, or the one with the best `loss` or
            `accuracy` on dev.
        patience: number of evaluations on dev after which training stops if the figure of `select`
            has not improved; 0 for no limit.
        seed: seed of the initial weights, the order of the batches and dropout.
        device: device of the network; `auto` uses a GPU if there is one.
    """

    epochs: Count = 0
    max_steps: Count = 50_000
    epoch_sentences: Count = 0
    batch_size: Count = 128
    batch_tokens: Count = 0
    accumulate: Size = 1
    learning_rate: Annotated[float, Range(0)] = 1e-4
    schedule: Literal["constant", "linear", "fall", "noam"] = "constant"
    warmup_steps: Count = 0
    adam_beta2: Annotated[float, Range(0, 1)] = 0.999
    gradient_clip: Annotated[float, Range(0)] = 1.0
    validate_every: Count = 500
    select: Literal["last", "loss", "accuracy"] = "last"
    patience: Count = 0
    seed: Count = 1
    device: Literal["auto", "cpu", "cuda"] = "auto"

    # These values may differ between systems, but settings files cannot change them.
    final_learning_rate: ClassVar[float] = 0.05
    """Share of the peak learning rate at the end of the schedule `fall`."""
    weight_decay: ClassVar[float] = 0.0
    """Weight decay of AdamW."""
    fused: ClassVar[bool] = False
    """Switch for the fused AdamW of torch, which is faster; weights differ in their last digits."""

    def times(self, count: int) -> int:
        """Return how often an epoch repeats a training set of `count` sentences."""
        return max(1, -(-self.epoch_sentences // count))


_REMOVED: Mapping[str, Sequence[object]] = {
    "encoder.vector_names": (False,),
    "train.precision": ("float32", "bfloat16"),
}
"""Removed settings, which older models may have, with the values that can be ignored."""


class UnknownSettingError(ConfigError):
    """Error for an unknown setting."""


class Setting(NamedTuple):
    """Setting as `amparser train --list-settings` prints it.

    Attributes:
        key: dotted name, such as `train.epochs`.
        default: default value, as written in TOML.
        values: allowed values.
    """

    key: str
    default: str
    values: str
    about: str


def describe_settings(settings: Any) -> list[Setting]:
    """Return all settings of a section, in order; the values of `settings` are the defaults."""
    rows = []
    for prefix, owner, name, value in _leaves(settings, ""):
        hint = get_type_hints(type(owner), include_extras=True)[name]
        about = _about(type(owner), name)
        rows.append(Setting(f"{prefix}{name}", _toml(value), described(hint), about))
    return rows


def read_toml(path: str | Path) -> dict[str, Any]:
    """Read a settings file without checking its keys; raise ConfigError if it cannot be read."""
    try:
        return tomllib.loads(regular(settings_path(path)).read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text") from None
    except RecursionError:
        raise ConfigError(f"{path}: nested too deeply") from None
    except ValueError as error:  # the TOML is invalid, or a number has too many digits
        raise ConfigError(f"{path}: not TOML: {error}") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot read the settings: {error.strerror or error}") from None


def section_from_dict(
    base: Section, table: Mapping[str, object], *, where: str = "settings", prefix: str = ""
) -> Section:
    """Return settings with changed values. Raises ConfigError if a key or value is invalid.

    Removed settings of older models are ignored if their values are listed in `_REMOVED`.

    Args:
        base: the settings to change.
        table: changed values, as in `to_dict`; all other values are kept.
        where: the file or option, for messages.
        prefix: name of the section, with a dot.
    """
    hints = get_type_hints(type(base), include_extras=True)
    names = {one.name for one in fields(base)}  # type: ignore[arg-type]
    changes: dict[str, object] = {}
    for name, value in table.items():
        key = f"{prefix}{name}"
        if name not in names:
            if value in _REMOVED.get(key, ()):
                continue
            known = [prefix + below for below in known_keys(base)]
            raise UnknownSettingError(f"{where}: unknown setting {shown(key)}; {_hint(key, known)}")
        current = getattr(base, name)
        if is_dataclass(current):
            if not isinstance(value, Mapping):
                raise ConfigError(f"{where}: {key!r} is a section, not a value")
            changes[name] = section_from_dict(current, value, where=where, prefix=f"{key}.")
        else:
            changes[name] = from_json(value, hints[name], where, key, error=ConfigError)
    return replace(base, **changes)  # type: ignore[type-var]


def with_overrides(settings: Section, overrides: Iterable[str]) -> Section:
    """Return settings changed by texts `section.key=value`; values are written as in TOML.

    A value that is one word or path needs no quotes. The section may be omitted if only one section
    has the key:

    >>> from amparser.nn.settings import EdgeSettings
    >>> with_overrides(EdgeSettings(), ["type=biaffine", "hidden_size=32"]).type
    'biaffine'

    Raises:
        ConfigError: a text is malformed, or a key is unknown or ambiguous.
    """
    for override in overrides:
        key, equals, text = override.partition("=")
        parts = key.strip().split(".")
        if not equals or not all(parts):
            raise ConfigError(f"--set {override[:100]}: expected SECTION.KEY=VALUE")
        known = [name.split(".") for name in known_keys(settings)]
        if len(parts) == 1 and parts not in known:
            found = [name for name in known if name[-1] == parts[0]]
            if len(found) > 1:
                choices = " or ".join(".".join(name) for name in found)
                raise ConfigError(f"--set {override[:100]}: say which, {choices}")
            parts = found[0] if found else parts
        value = _value_from_str(text, override)
        for part in reversed(parts):
            value = {part: value}
        assert isinstance(value, dict)
        settings = section_from_dict(settings, value, where=f"--set {override[:100]}")
    return settings


def to_dict(settings: object) -> dict[str, Any]:
    """Return the settings as nested dictionaries of JSON values, with every key."""
    return asdict(settings)  # type: ignore[call-overload, no-any-return]


def known_keys(section: Any) -> tuple[str, ...]:
    """Return the dotted names of all settings in a section, in order."""
    return tuple(f"{prefix}{name}" for prefix, _, name, _ in _leaves(section, ""))


def _leaves(section: Any, prefix: str) -> Iterator[tuple[str, Any, str, Any]]:
    for entry in fields(section):
        value = getattr(section, entry.name)
        if is_dataclass(value):
            yield from _leaves(value, f"{prefix}{entry.name}.")
        else:
            yield prefix, section, entry.name, value


def _toml(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def _about(owner: type, name: str) -> str:
    for one in owner.__mro__:
        _, _, text = cleandoc(one.__doc__ or "").partition("Attributes:\n")
        entries = re.split(r"\n {4}(?=\S)", "\n" + text.rstrip())
        for entry in entries:
            match = _NAMES.match(" ".join(entry.split()))
            if match and name in match[1].split(", "):
                return match[2]
    return ""


def _value_from_str(text: str, override: str) -> object:
    text = text.strip()
    if _BARE_WORDS.fullmatch(text) and text not in ("true", "false", "inf", "nan"):
        return text
    try:
        table = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        table = {}
    if table.keys() != {"value"}:
        raise ConfigError(f"--set {override[:100]}: {shown(text)} is not one TOML value")
    return table["value"]


def _hint(key: str, known: Sequence[str]) -> str:
    last = key.rpartition(".")[2]
    alike = [name for name in known if last in (name.partition(".")[0], name.rpartition(".")[2])]
    spelled = get_close_matches(last, [name.rpartition(".")[2] for name in known])
    near = [name for name in known if name.rpartition(".")[2] in spelled]
    found = ", ".join((alike or get_close_matches(key, known) or near)[:5])
    return f"did you mean {found}?" if found else f"known are {', '.join(known)}"


@dataclass(frozen=True, slots=True)
class PredictionTrainSettings(TrainSettings):
    """Settings of the training of a network that predicts classes.

    Attributes:
        label_smoothing: share of the target probability that is distributed evenly over all
            classes.
    """

    label_smoothing: Rate = 0.0
