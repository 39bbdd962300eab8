"""The sources of word vectors by name; importing this module loads none of them.

Another package adds a source with an entry point of the group `amparser.vectors`;
see `amparser.registry`.
"""

from __future__ import annotations

from typing import Any

from amparser.registry import Registry

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
