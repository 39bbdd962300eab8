"""Models by name: packaged models, folders, and models on Hugging Face's hub (extra `hub`).

    NAME                      a model of the package
    runs/NAME                 a folder
    user/name@revision        on the hub: a branch, tag or commit
    hf:user/name              on the hub: the main branch

A folder with a model comes first, and a model of the package before any other folder. A name
without `@` and `hf:` is never asked of the hub, so a mistyped path stays on this machine.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from amparser.errors import ModelError, one_of
from amparser.resources import bundled_model, bundled_models, library

PREFIX = "hf:"
CARD = "README.md"
FILES = ("*.json", "*.safetensors", "*.txt", "*.model", CARD)
"""The files of a model folder that are passed on."""
LEFT_OUT = ("checkpoint-*", ".*")

_PART = r"[A-Za-z0-9][\w.-]*"
_ON_HUB = re.compile(rf"(?:{PREFIX})?({_PART}/{_PART})(?:@({_PART}(?:/{_PART})*))?")


def model_folder(name: str | Path | None = None) -> Path:
    """The folder of a model; one on the hub is downloaded into the hub's cache.

    Args:
        name: a folder, or a name as above (default: the default model of the package).

    Raises:
        ModelError: there is no such model.
        ConfigError: the model is on the hub, and huggingface-hub is not installed.
    """
    if (found := local_folder(name)) is not None:
        return found
    text = str(name)
    if (text.startswith(PREFIX) or "@" in text) and (match := _ON_HUB.fullmatch(text)):
        return _downloaded(match[1], match[2])
    if text.startswith(PREFIX):
        raise ModelError(f"{text}: expected hf:USER/NAME or hf:USER/NAME@REVISION")
    # A name without a folder may be meant as that of a model of the package.
    known = one_of(text, (folder.name for folder in bundled_models()))
    also = f", and no model of the package: {known}" if Path(text).name == text else ""
    raise ModelError(f"{text}: no such model folder{also}")


def local_folder(name: str | Path | None = None) -> Path | None:
    """The folder of a model that needs no hub; None if there is none of this name."""
    if name is None:
        return bundled_model()
    path = Path(name)
    packaged = next((folder for folder in bundled_models() if folder.name == str(name)), None)
    if path.exists() and (packaged is None or (path / "model.json").exists()):
        return path
    return packaged


def _downloaded(repository: str, revision: str | None) -> Path:
    hub = _library()
    try:
        path = hub.snapshot_download(
            repository,
            revision=revision,
            allow_patterns=list(FILES),
            ignore_patterns=list(LEFT_OUT),
        )
    except Exception as error:
        shown = repository if revision is None else f"{repository}@{revision}"
        raise ModelError(f"{shown}: not loaded from the hub: {_line(error)}") from None
    return Path(path)


def _library() -> Any:
    return library("huggingface_hub", "a model on the hub", "hub")


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
