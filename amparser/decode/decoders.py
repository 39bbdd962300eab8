"""Registry of decoders by name; a decoder is imported when it is used.

Another package adds a decoder with an entry point of the group `amparser.decoders`; see
`amparser.registry`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from amparser.errors import InputError, one_of
from amparser.registry import Registry

# The type is `Any`, because decoders of different presets have different protocols (`decoder`).
DECODERS: Registry[Any] = Registry(
    "decoder",
    "amparser.decoders",
    {
        "astar-gap": "amparser.decode.astar_gap:ASTAR_GAP",
        "astar": "amparser.decode.astar:ASTAR",
        "fixed-tree": "amparser.decode.fixed_tree:FIXED_TREE",
        "wrap": "amparser.decode.wrap:WRAP",
        "tree": "amparser.decode.arborescence:TREE",
        "projective": "amparser.decode.wrap:PROJECTIVE",
    },
)


@dataclass(frozen=True, slots=True)
class DecodersOf:
    """Names of the decoders that can be used for a preset; listing them imports all decoders.

    >>> list(DecodersOf("graph"))
    ['tree']
    """

    preset: str

    def __iter__(self) -> Iterator[str]:
        return (name for name in DECODERS if self._fits(name))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in DECODERS and self._fits(name)

    def check(self, name: str) -> str:
        """Return the name of a decoder for the preset; raise InputError for any other name."""
        if name in self:
            return name
        known = name in DECODERS
        fault = (
            f"decoder {name!r} does not fit this model" if known else f"unknown decoder {name!r}"
        )
        raise InputError(f"{fault}, {one_of(name, self)}")

    def _fits(self, name: str) -> bool:
        return self.preset in getattr(DECODERS[name], "presets", ("node",))
