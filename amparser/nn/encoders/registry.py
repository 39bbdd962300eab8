"""The encoders by name; importing this module loads none of them.

Another package adds an encoder with an entry point of the group `amparser.encoders`;
see `amparser.registry`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from amparser.registry import Registry

if TYPE_CHECKING:
    from amparser.nn.encoders.encoder import Encoder

ENCODERS: Registry[type[Encoder]] = Registry(
    "encoder",
    "amparser.encoders",
    {"words-letters": "amparser.nn.encoders.words_letters:WordsLetters"},
)
