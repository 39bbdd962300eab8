"""The encoders by name; importing this module loads none of them.

Another package adds an encoder with an entry point of the group `amparser.encoders`;
see `amparser.registry`.
"""

from __future__ import annotations

from typing import Any

from amparser.registry import Registry

# Subclasses of `Encoder`, whose module needs settings, which need these names.
ENCODERS: Registry[Any] = Registry(
    "encoder",
    "amparser.encoders",
    {"words-letters": "amparser.nn.encoders.words_letters:WordsLetters"},
)
