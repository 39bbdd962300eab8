"""Registries of encoders and of sources of word vectors, which are imported on first use.

Other packages add entries through the entry point groups `amparser.encoders` and
`amparser.vectors`; see `amparser.registry`.
"""

from __future__ import annotations

from typing import Any

from amparser.registry import Registry

# `Any` stands for `type[Encoder]`, which would be a circular import.
ENCODERS: Registry[Any] = Registry(
    "encoder",
    "amparser.encoders",
    {"words-letters": "amparser.nn.encoders.words_letters:WordsLetters"},
)


# `Any` stands for `VectorSource`, whose import would load torch.
VECTORS: Registry[Any] = Registry(
    "source of word vectors",
    "amparser.vectors",
    {
        "english": "amparser.nn.vectors.english:ENGLISH",
        "names": "amparser.nn.vectors.names:NAMES",
    },
)

AUTO = "auto"
"""Value of `encoder.vectors` and `encoder.pretrained`: the training set decides."""
USUAL = ("english", "names")
"""Sources of vectors that `AUTO` may choose; they are part of the package."""
USUAL_ENCODER = "multilingual"
"""Pretrained encoder that `AUTO` may choose; it is part of the package."""
