"""Registry of frozen encoders shipped by packages.

A model folder stores the name and checksum of such an encoder, never its weights.
"""

from __future__ import annotations

from typing import Any, Protocol

from amparser.nn.vectors.source import Outside
from amparser.registry import Registry


class Checkpoint(Outside, Protocol):
    """A frozen encoder shipped by a package."""

    def read(self) -> tuple[Any, Any]:
        """Return the model and the tokenizer that `PretrainedEncoder` expects.

        Raises:
            ConfigError: the package is not installed, or its files are damaged.
        """


CHECKPOINTS: Registry[Checkpoint] = Registry(
    "checkpoint", "amparser.checkpoints", {"english": "amparser.nn.english_encoder:ENGLISH"}
)
