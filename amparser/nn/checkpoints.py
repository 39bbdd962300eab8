"""Frozen encoders that packages ship, by name; a model folder names their weights."""

from __future__ import annotations

from typing import Any, Protocol

from amparser.nn.vectors.source import Outside
from amparser.registry import Registry


class Checkpoint(Outside, Protocol):
    """An encoder that a package ships; its weights are not trained."""

    def read(self) -> tuple[Any, Any]:
        """Return a model and a tokenizer, as `PretrainedEncoder` takes them.

        Raises:
            ConfigError: they are not installed, or damaged.
        """


CHECKPOINTS: Registry[Checkpoint] = Registry(
    "checkpoint", "amparser.checkpoints", {"english": "amparser.nn.english_encoder:ENGLISH"}
)
