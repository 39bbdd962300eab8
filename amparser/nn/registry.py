"""Encoders and sources of word vectors by name; importing this module loads none of them.

Another package adds one with an entry point of the group `amparser.encoders` or
`amparser.vectors`; see `amparser.registry`.
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


# `VectorSource`s, whose modules need torch.
VECTORS: Registry[Any] = Registry(
    "source of word vectors",
    "amparser.vectors",
    {
        "english": "amparser.nn.vectors.english:ENGLISH",
        "names": "amparser.nn.vectors.names:NAMES",
        "translated": "amparser.nn.vectors.translated:TRANSLATED",
    },
)

AUTO = "auto"
"""The setting that leaves the choice of sources to the words of train."""
USUAL = ("english", "names")
"""The sources of which `AUTO` chooses: those that need no installation."""
