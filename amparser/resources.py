"""Locations of packaged and generated data, and import of optional libraries.

`grammars/` and `training/` are at the top of a checkout, but inside an installed package. `models/`
is inside the package in both cases.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from amparser.errors import ConfigError, InputError, one_of

_PACKAGE = Path(__file__).resolve().parent


def package_data(*names: str) -> Path:
    """Return the path of the first name that exists; raise InputError if none does."""
    folders = [_PACKAGE, _PACKAGE / "_data"]
    # The parent folder of an installed package belongs to other packages, so it is searched only in
    # a checkout.
    if (_PACKAGE.parent / "pyproject.toml").is_file():
        folders.append(_PACKAGE.parent)
    for name in names:
        for folder in folders:
            if (folder / name).exists():
                return folder / name
    raise InputError(f"{names[0]}: no such data in this installation of amparser")


def settings_path(path: str | Path) -> Path:
    """Return the path of a settings file, or else of the packaged file with this name."""
    path = Path(path)
    if path.exists() or path.is_absolute() or ".." in path.parts or path.parts[:1] != ("training",):
        return path
    try:
        return package_data(str(path))
    except InputError:
        return path


def folder_of_records() -> Path:
    """Return `training/results` of the current folder, or the packaged records."""
    here = Path("training/results")
    return here if here.is_dir() else package_data(str(here))


def cache_folder() -> Path:
    """Return the folder of files that can be regenerated, such as generated corpora."""
    return user_cache_path("amparser")


def bundled_model(name: str | None = None) -> Path:
    """Return the folder of a packaged model (default: the model named in `models/default`).

    Raises InputError if there is no such model.
    """
    folder = package_data("models")
    if name is None:
        name = (folder / "default").read_text(encoding="utf-8").strip()
    if not (folder / name / "model.json").is_file():
        known = one_of(name, (path.name for path in bundled_models()))
        raise InputError(f"no bundled model {name!r}, {known}")
    return folder / name


def bundled_models() -> tuple[Path, ...]:
    """Return the folders of all packaged models, sorted by name."""
    return tuple(sorted(path.parent for path in package_data("models").glob("*/model.json")))


def library(module: str, needed_by: str, extra: str) -> Any:
    """Import an optional module. If it is missing, raise ConfigError with the pip command."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        lacking = f"{needed_by} needs {error.name or module}, which is not installed"
        raise ConfigError(f"{lacking}: pip install 'amparser[{extra}]'") from None
