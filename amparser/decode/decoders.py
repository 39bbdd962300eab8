"""The decoders by name; importing this module loads none of them.

Another package adds a decoder with an entry point of the group `amparser.decoders`;
see `amparser.registry`.
"""

from __future__ import annotations

from amparser.decode.decoder import Decoder
from amparser.registry import Registry

DECODERS: Registry[Decoder] = Registry(
    "decoder",
    "amparser.decoders",
    {
        "astar-gap": "amparser.decode.astar_gap:ASTAR_GAP",
        "astar": "amparser.decode.astar:ASTAR",
        "fixed-tree": "amparser.decode.fixed_tree:FIXED_TREE",
    },
)
