"""Find the system of a model folder or of a settings file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from amparser.errors import ConfigError, ModelError, shown
from amparser.learn.model_folder import MODEL, read_head
from amparser.learn.settings import (
    UnknownSettingError,
    read_toml,
    section_from_dict,
    with_overrides,
)
from amparser.learn.system import PARSER, Model, System
from amparser.learn.system_registry import SYSTEMS


def system_of(folder: str | Path) -> System:
    """Return the system of a model folder. Raises ModelError if the folder is damaged."""
    name = read_head(Path(folder)).system
    if name not in SYSTEMS:
        known = ", ".join(SYSTEMS)
        where = Path(folder) / f"{MODEL}.json"
        raise ModelError(f"{where}: system = {shown(name)}: expected one of {known}")
    return SYSTEMS[name]


def load(folder: str | Path, device: str = "auto") -> Model:
    """Load the model in a folder, of any system.

    Raises:
        ModelError: the folder is missing, damaged or of another program.
        ConfigError: the model needs an extra that is not installed.
        InputError: the device does not exist.
    """
    return system_of(folder).load(Path(folder), device)


def system_name_of_settings(path: str | Path) -> str:
    """Return the name of the system in a settings file, by default the parser's.

    Raises ConfigError if the file cannot be read, or the name is unknown.
    """
    name = read_toml(path).get("system", PARSER)
    if not isinstance(name, str) or name not in SYSTEMS:
        known = ", ".join(SYSTEMS)
        raise ConfigError(f"{path}: system = {name!r}: expected one of {known}")
    return name


def possible_settings(
    system: System,
    path: str | Path | None = None,
    overrides: Sequence[str] = (),
    usual: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the settings of a system, for each possible preset.

    The setting `preset` is the name of a preset, or `auto`. With `auto`, a preset is possible if it
    has all settings that the file and the overrides change.

    Args:
        system: the system.
        path: settings file, or None.
        overrides: texts `section.key=value`, which have priority over the file.
        usual: default settings of the benchmark, for systems with presets; the file has priority
            over them. If they name a preset, they apply only to this preset.

    Returns:
        The settings by the name of the preset, which is empty for systems without presets.

    Raises:
        ConfigError: a key is unknown, or a value is invalid.
    """
    table = {} if path is None else read_toml(path)
    table.pop("system", None)
    variants: Mapping[str, Any] = getattr(system, "variants", {"": system})
    below: dict[str, Any] = {}
    fitting = ""
    if len(variants) > 1:
        below = dict(usual or {})
        fitting = below.pop("preset", AUTO)
        table.setdefault("preset", fitting)
        named, table, overrides = _preset(table, overrides, variants, path)
        variants = variants if named == AUTO else {named: variants[named]}
    found: dict[str, Any] = {}
    faults: list[ConfigError] = []
    for name in variants:
        try:
            base = variants[name].settings
            if fitting in (name, AUTO):
                base = section_from_dict(base, below, where="the benchmark's settings")
            base = section_from_dict(base, table, where=str(path))
            found[name] = with_overrides(base, overrides)
        except ConfigError as error:
            faults.append(error)
    if not found:
        # An error about an invalid value is more useful than one about a key of another preset.
        raise next((e for e in faults if not isinstance(e, UnknownSettingError)), faults[0])
    return found


def check_settings(system: System, possible: Mapping[str, Any]) -> None:
    """Raise an error if settings need something that is not installed (see `System`)."""
    check = getattr(system, "check_settings", None)
    if check is not None:
        for settings in possible.values():
            check(settings)


AUTO = "auto"
"""Value of the setting `preset`: the corpus decides which preset is used."""


def _preset(
    table: Mapping[str, Any],
    overrides: Sequence[str],
    known: Iterable[str],
    path: str | Path | None,
) -> tuple[str, dict[str, Any], list[str]]:
    table = dict(table)
    named, where = table.pop("preset", AUTO), f"{path}: preset"
    chosen = [one for one in overrides if one.partition("=")[0].strip() == "preset" and "=" in one]
    if chosen:
        named, where = chosen[-1].partition("=")[2].strip().strip("'\""), "--set preset"
    if named not in (AUTO, *known):
        expected = ", ".join((AUTO, *known))
        raise ConfigError(f"{where} = {shown(named)}: expected one of {expected}")
    return named, table, [one for one in overrides if one not in chosen]
