"""Registries of encoders and of word vector sources. Importing this module loads none of them.

Other packages add entries through the entry point groups `amparser.encoders` and
`amparser.vectors`; see `amparser.registry`.
"""

from __future__ import annotations

from typing import Any

from amparser.registry import Registry

# Any stands for `type[Encoder]`: the encoder module imports the settings, which import this one.
ENCODERS: Registry[Any] = Registry(
    "encoder",
    "amparser.encoders",
    {"words-letters": "amparser.nn.encoders.words_letters:WordsLetters"},
)


# Any stands for `VectorSource`, whose module imports torch.
VECTORS: Registry[Any] = Registry(
    "source of word vectors",
    "amparser.vectors",
    {
        "english": "amparser.nn.vectors.english:ENGLISH",
        "names": "amparser.nn.vectors.names:NAMES",
    },
)

AUTO = "auto"
"""Value of `encoder.vectors` and `encoder.pretrained` that lets the training set choose."""
USUAL = ("english", "names")
"""Sources that `AUTO` may choose; they need no installation."""
USUAL_ENCODER = "multilingual"
"""Pretrained encoder that `AUTO` may choose."""
