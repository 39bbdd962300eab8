"""The place of the data that comes with the package, and of generated data; optional libraries.

`grammars/` and `training/` are at the top of the checkout, and inside the
package once it is installed from a wheel; `models/` is inside it in both.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from amparser.errors import ConfigError, InputError, one_of

_PACKAGE = Path(__file__).resolve().parent


def package_data(*names: str) -> Path:
    """The first file or folder that there is, such as `grammars` or a folder of `models/`.

    Raises:
        InputError: this installation has no such data.
    """
    folders = [_PACKAGE, _PACKAGE / "_data"]
    # Next to an installed package are other packages: look there only in a checkout.
    if (_PACKAGE.parent / "pyproject.toml").is_file():
        folders.append(_PACKAGE.parent)
    for name in names:
        for folder in folders:
            if (folder / name).exists():
                return folder / name
    raise InputError(f"{names[0]}: no such data in this installation of amparser")


def settings_path(path: str | Path) -> Path:
    """A file of settings; that of the package, such as `training/default.toml`, if none is here."""
    path = Path(path)
    if path.exists() or path.is_absolute() or ".." in path.parts or path.parts[:1] != ("training",):
        return path
    try:
        return package_data(str(path))
    except InputError:
        return path


def folder_of_records() -> Path:
    """Return `training/results` here, else the package's records."""
    here = Path("training/results")
    return here if here.is_dir() else package_data(str(here))


def cache_folder() -> Path:
    """The folder of files that can be generated anew, such as generated corpora."""
    return user_cache_path("amparser")


def bundled_model(name: str | None = None) -> Path:
    """The folder of a model that comes with the package; by default the one in `models/default`.

    Raises:
        InputError: there is no such model.
    """
    folder = package_data("models")
    if name is None:
        name = (folder / "default").read_text(encoding="utf-8").strip()
    if not (folder / name / "model.json").is_file():
        known = one_of(name, (path.name for path in bundled_models()))
        raise InputError(f"no bundled model {name!r}, {known}")
    return folder / name


def bundled_models() -> tuple[Path, ...]:
    """The folders of all models that come with the package, by name."""
    return tuple(sorted(path.parent for path in package_data("models").glob("*/model.json")))


def library(module: str, needed_by: str, extra: str) -> Any:
    """A module of a library that an extra of the package installs.

    Args:
        module: its name.
        needed_by: what needs it, with which the message begins.
        extra: the name of the extra.

    Raises:
        ConfigError: it is not installed; the message has the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        lacking = f"{needed_by} needs {error.name or module}, which is not installed"
        raise ConfigError(f"{lacking}: pip install 'amparser[{extra}]'") from None
