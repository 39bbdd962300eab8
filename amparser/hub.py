"""Lookup of models by name: packaged models, folders, and Hugging Face's hub (extra `hub`).

    NAME                      a packaged model
    runs/NAME                 a folder
    user/name@revision        a branch, tag or commit of a model on the hub
    hf:user/name              the main branch of a model on the hub

A name is looked up as a folder with a model, then as a packaged model, then as any other folder. A
name without `@` or `hf:` is never sent to the hub, because it may be a mistyped path.
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
"""Patterns of the files that are downloaded with a model from the hub."""
LEFT_OUT = ("checkpoint-*", ".*")

_PART = r"[A-Za-z0-9][\w.-]*"
_ON_HUB = re.compile(rf"(?:{PREFIX})?({_PART}/{_PART})(?:@({_PART}(?:/{_PART})*))?")


def model_folder(name: str | Path | None = None) -> Path:
    """Return the folder of a model; download it into the hub's cache if needed.

    Raises:
        ModelError: there is no such model.
        ConfigError: the model is on the hub, and huggingface-hub is not installed.
    """
    if (local := local_folder(name)) is not None:
        return local
    text = str(name)
    if (text.startswith(PREFIX) or "@" in text) and (match := _ON_HUB.fullmatch(text)):
        return _downloaded(match[1], match[2])
    if text.startswith(PREFIX):
        raise ModelError(f"{text}: expected hf:USER/NAME or hf:USER/NAME@REVISION")
    # A name without a slash may be the mistyped name of a packaged model.
    known = one_of(text, (folder.name for folder in bundled_models()))
    also = f", and no packaged model of this name: {known}" if Path(text).name == text else ""
    raise ModelError(f"{text}: no such model folder{also}")


def local_folder(name: str | Path | None = None) -> Path | None:
    """Return the folder of a model on this machine, or None if there is none."""
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
        name = repository if revision is None else f"{repository}@{revision}"
        raise ModelError(f"{name}: not loaded from the hub: {_line(error)}") from None
    return Path(path)


def _library() -> Any:
    return library("huggingface_hub", "a model on the hub", "hub")


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
