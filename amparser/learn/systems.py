"""Finding the system of a model folder or of a file of settings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from amparser.errors import ConfigError, ModelError
from amparser.learn.model_folder import MODEL, read_head
from amparser.learn.network_model import SYSTEM
from amparser.learn.settings import read_toml, section_from_toml, with_overrides
from amparser.learn.system import Model, System
from amparser.learn.system_registry import SYSTEMS
from amparser.schema import shown


def system_of(folder: str | Path) -> System:
    """The system of a model folder.

    Raises:
        ModelError: the folder is missing, damaged, of another program or of an unknown system.
    """
    name = read_head(Path(folder)).system
    if name not in SYSTEMS:
        known = ", ".join(SYSTEMS)
        where = Path(folder) / f"{MODEL}.json"
        raise ModelError(f"{where}: system = {shown(name)}: expected one of {known}")
    return SYSTEMS[name]


def load(folder: str | Path, device: str = "auto") -> Model:
    """The model in a folder, of any system.

    Raises:
        ModelError: the folder is missing, damaged or of another program.
        ConfigError: the model needs an extra that is not installed.
        InputError: there is no such device.
    """
    return system_of(folder).load(Path(folder), device)


def system_name_of_settings(path: str | Path) -> str:
    """The name of the system that a file of settings is for; by default the parser.

    Raises:
        ConfigError: the file cannot be read, or names an unknown system.
    """
    name = read_toml(path).get("system", SYSTEM)
    if not isinstance(name, str) or name not in SYSTEMS:
        known = ", ".join(SYSTEMS)
        raise ConfigError(f"{path}: system = {name!r}: expected one of {known}")
    return name


def read_settings(
    path: str | Path, overrides: Sequence[str] = (), *, system: str | None = None
) -> tuple[System, Any]:
    """The system that a file of settings is for, and its settings.

    Args:
        path: the path of the file.
        overrides: `SECTION.KEY=VALUE` texts, which override the file.
        system: the name of the system that the file must be for.

    Raises:
        ConfigError: the file cannot be read, has an unknown key or a value that is not
            allowed, or is for another system; names the file and the key.
    """
    name = system_name_of_settings(path)
    if system is not None and name != system:
        raise ConfigError(f"{path}: settings of {name!r}, expected those of {system!r}")
    chosen = SYSTEMS[name]
    return chosen, with_overrides(section_from_toml(chosen.settings, path), overrides)
