"""The configuration of a parser: read from TOML, checked key by key.

A file names only what differs from the defaults, which stand here and in
`nn.settings` and nowhere else:

    [encoder]
    hidden_size = 256

    [train]
    epochs = 10
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from amparser.errors import ConfigError
from amparser.nn.settings import (
    EdgeSettings,
    EncoderSettings,
    Range,
    Rate,
    Size,
    SupertagSettings,
)

Section = TypeVar("Section")
"""A dataclass of settings, or of such dataclasses."""

RESTRICTIONS = ("words", "followers", "markers", "bare_forms", "sides", "displaced", "orders")
"""The settings of a lexicon that rule out what train never shows, each one thing."""

# Restrictions that were a part of another one, in models made before they had names.
_ONCE_PART_OF = {
    "followers": "words",
    "markers": "words",
    "bare_forms": "words",
    "displaced": "sides",
}

_BARE_WORD = re.compile(r"[A-Za-z./~][\w./~-]*")


@dataclass(frozen=True, slots=True)
class DataSettings:
    """What is trained on.

    Attributes:
        fraction: the share of train that is used, picked at random by `train.seed`.
        notation: of the meanings in the data files (`amparser.translate.notation`).
    """

    fraction: Annotated[float, Range(0.001, maximum=1)] = 1.0
    notation: Literal["cogs", "fol", "vf", "clf", "drs", "quantified"] = "cogs"


@dataclass(frozen=True, slots=True)
class LexiconSettings:
    """What is made of the supertags and words of the training trees.

    Attributes:
        polymorphic: supertags that differ only in the name of a source they
            expect open in an argument become one.
        words: a word has a supertag that it had; a rare one seldom has another.
        followers: behind an ignored word stands what stood behind it.
        markers: an operation by which markers alone hung takes nothing else.
        bare_forms: below a marker that only had uninflected words stands no inflected one.
        sides: the dependents of an operation stand on the side where they stood.
        displaced: only what was seen on the other side may stand away from its head.
        orders: the dependents on one side of a head keep the order seen there.
        frames: a frequent word keeps the roles of its supertags, not these themselves.
        word_count: how often a frequent word was seen in training.
        supertag_count: how often a frequent supertag or operation was.
    """

    polymorphic: bool = True
    words: bool = True
    followers: bool = True
    markers: bool = True
    bare_forms: bool = True
    sides: bool = True
    displaced: bool = True
    orders: bool = True
    frames: bool = False
    word_count: Size = 40
    supertag_count: Size = 20


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """How the network is trained.

    Attributes:
        epochs: at most this many.
        epoch_sentences: an epoch goes through a smaller training set so often
            that it has at least this many sentences.
        batch_tokens: padded tokens in a batch.
        learning_rate: of the first step; it falls linearly towards
            `final_learning_rate` times itself at the end of the last epoch.
        weight_decay: of AdamW.
        gradient_clip: the norm of the gradient is cut to this.
        patience: stop after this many epochs without a better dev figure.
        exchange: the share of sentences that, in each epoch anew, get one
            constituent of another sentence in the place of their own.
        seed: of the initial weights, the order of the batches, dropout and exchange.
        device: `auto` takes a GPU where there is one.
    """

    epochs: Size = 8
    epoch_sentences: Size = 10_000
    batch_tokens: Size = 1024
    learning_rate: Annotated[float, Range(0)] = 2e-3
    final_learning_rate: Annotated[float, Range(0)] = 0.05
    weight_decay: Rate = 0.0
    gradient_clip: Annotated[float, Range(0)] = 5.0
    patience: Size = 3
    exchange: Rate = 0.9
    seed: Annotated[int, Range(0)] = 1
    device: Literal["auto", "cpu", "cuda"] = "auto"


@dataclass(frozen=True, slots=True)
class DecodeSettings:
    """How scores become a tree.

    Attributes:
        decoder: the search, unless the command line names another.
        supertag_limit: the decoder sees this many best supertags a token.
    """

    decoder: Literal["astar-gap", "astar", "fixed-tree"] = "astar-gap"
    supertag_limit: Size = 6


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a parser."""

    data: DataSettings = field(default_factory=DataSettings)
    lexicon: LexiconSettings = field(default_factory=LexiconSettings)
    encoder: EncoderSettings = field(default_factory=EncoderSettings)
    supertag: SupertagSettings = field(default_factory=SupertagSettings)
    edge: EdgeSettings = field(default_factory=EdgeSettings)
    train: TrainSettings = field(default_factory=TrainSettings)
    decode: DecodeSettings = field(default_factory=DecodeSettings)


def config_from_toml(path: str | Path, base: Config | None = None) -> Config:
    """Read a file of settings over the defaults, or over `base`.

    Raises:
        ConfigError: naming the file, and the key with what it may be.
    """
    return section_from_toml(Config() if base is None else base, path)


def section_from_toml(base: Section, path: str | Path) -> Section:
    """The same for settings of any class: those of the file over `base`."""
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot read the settings: {error.strerror}") from None
    return section_from_dict(base, table, where=str(path))


def config_from_dict(
    table: Mapping[str, object], *, where: str = "settings", base: Config | None = None
) -> Config:
    """The inverse of `to_dict`; what is not named keeps its value in `base`.

    >>> config_from_dict({"edge": {"type": "biaffine"}}).edge.type
    'biaffine'
    """
    return section_from_dict(Config() if base is None else base, table, where=where)


def section_from_dict(base: Section, table: Mapping[str, object], *, where: str) -> Section:
    """Settings of any class with some of their values changed; ConfigError as above."""
    return _section(base, table, "", where)


def with_overrides(config: Section, overrides: Iterable[str]) -> Section:
    """Apply `section.key=value` texts in order; a value is written as in TOML.

    A single word or path needs no quotes:

    >>> with_overrides(Config(), ["train.epochs=2", "edge.type=biaffine"]).edge.type
    'biaffine'

    A key that only one section has needs no section:

    >>> with_overrides(Config(), ["batch_tokens=64"]).train.batch_tokens
    64
    """
    for override in overrides:
        key, equals, text = override.partition("=")
        parts = key.strip().split(".")
        if not equals or not all(parts):
            raise ConfigError(f"--set {override}: expected SECTION.KEY=VALUE")
        known = [name.split(".") for name in known_keys(config)]
        if len(parts) == 1 and parts not in known:
            found = [name for name in known if name[-1] == parts[0]]
            if len(found) > 1:
                choices = " or ".join(".".join(name) for name in found)
                raise ConfigError(f"--set {override}: say which, {choices}")
            parts = found[0] if found else parts
        value = _value_from_str(text, override)
        for part in reversed(parts):
            value = {part: value}
        assert isinstance(value, dict)
        config = section_from_dict(config, value, where=f"--set {override}")
    return config


def completed(table: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings of a model made before, each restriction in the state that it was in then.

    >>> completed({"lexicon": {"words": False}})["lexicon"]["markers"]
    False
    """
    lexicon = table.get("lexicon")
    if not isinstance(lexicon, Mapping):
        return table
    parts = {part: lexicon[whole] for part, whole in _ONCE_PART_OF.items() if whole in lexicon}
    return {**table, "lexicon": {**parts, **lexicon}}


def to_dict(config: object) -> dict[str, Any]:
    """The settings as nested dictionaries of JSON values, every key written out."""
    return asdict(config)  # type: ignore[call-overload, no-any-return]


def known_keys(section: Any) -> tuple[str, ...]:
    """The dotted names of all settings below a section, in order."""
    names: list[str] = []
    for entry in fields(section):
        value = getattr(section, entry.name)
        if is_dataclass(value):
            names += [f"{entry.name}.{below}" for below in known_keys(value)]
        else:
            names.append(entry.name)
    return tuple(names)


def _value_from_str(text: str, override: str) -> object:
    text = text.strip()
    if _BARE_WORD.fullmatch(text) and text not in ("true", "false", "inf", "nan"):
        return text
    try:
        table = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        table = {}
    if table.keys() != {"value"}:
        raise ConfigError(f"--set {override}: {text!r} is not one TOML value")
    return table["value"]


def _section(base: Section, table: Mapping[str, object], prefix: str, where: str) -> Section:
    hints = get_type_hints(type(base), include_extras=True)
    changes: dict[str, object] = {}
    for name, value in table.items():
        key = f"{prefix}{name}"
        if name not in hints:
            known = ", ".join(prefix + below for below in known_keys(base))
            raise ConfigError(f"{where}: unknown setting {key!r}; known are {known}")
        current = getattr(base, name)
        if is_dataclass(current):
            if not isinstance(value, Mapping):
                raise ConfigError(f"{where}: {key!r} is a section, not a value")
            changes[name] = _section(current, value, f"{key}.", where)
        else:
            changes[name] = _value(hints[name], value, key, where)
    return replace(base, **changes)  # type: ignore[type-var]


def _value(hint: Any, value: object, key: str, where: str) -> object:
    """The value as the hint's type, or a ConfigError that says what was expected."""
    allowed: Range | None = None
    if get_origin(hint) is Annotated:
        hint, allowed = get_args(hint)
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        if value not in choices or not isinstance(value, str):
            expected = f"one of {', '.join(choices)}"
            raise ConfigError(f"{where}: {key} = {value!r}: expected {expected}")
        return value
    # TOML writes 1 where a number may have a fraction; a truth value is no number.
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    expected = {int: "an integer", float: "a number", str: "text", bool: "true or false"}[hint]
    if type(value) is not hint:
        raise ConfigError(f"{where}: {key} = {value!r}: expected {expected}")
    if allowed is not None and not allowed.admits(value):  # type: ignore[arg-type]
        raise ConfigError(f"{where}: {key} = {value!r}: expected {expected}, {allowed}")
    return value
