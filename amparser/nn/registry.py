"""Registries of encoders and of sources of word vectors, which are imported on first use.

Other packages add entries through the entry point groups `amparser.encoders` and
`amparser.vectors`; see `amparser.registry`.
"""

from __future__ import annotations

from typing import Any

from amparser.registry import Registry

# `type[Encoder]` instead of `Any` would be a circular import.
ENCODERS: Registry[Any] = Registry(
    "encoder",
    "amparser.encoders",
    {"words-letters": "amparser.nn.encoders.words_letters:WordsLetters"},
)


# Importing `VectorSource` for the type would load torch.
VECTORS: Registry[Any] = Registry(
    "source of word vectors",
    "amparser.vectors",
    {
        "english": "amparser.nn.vectors.english:ENGLISH",
        "names": "amparser.nn.vectors.names:NAMES",
    },
)

AUTO = "auto"
"""Value of `encoder.vectors` and `encoder.pretrained`: choose from the training set."""
USUAL = ("english", "names")
"""Packaged sources of vectors that `AUTO` may choose."""
USUAL_ENCODER = "multilingual"
"""Packaged encoder that `AUTO` may choose."""
