"""A packaged encoder of English: the first layers of all-MiniLM-L6-v2 in seven bits.

MiniLM (Wang et al. 2020) is a small BERT; all-MiniLM-L6-v2 was trained on pairs of English
sentences. Its weights are frozen, so a model folder names the file instead of copying it.
`tests/benchmarks/distil_encoder.py` writes the file.
"""

from __future__ import annotations

from pathlib import Path

from safetensors.torch import load

from amparser.nn.bert import Bert
from amparser.nn.packed_weights import unpacked
from amparser.nn.vectors.source import InPackage
from amparser.nn.wordpieces import WordPieces

PIECES = "pieces"
"""Name of the tensor with the subwords, one per line."""
_NAMES = {"words.weight": "words", "position_embeddings.weight": "positions"}
"""Names of tensors in the file that differ from those of `Bert`."""
_FILE = Path(__file__).with_suffix(".safetensors")


class EnglishEncoder(InPackage):
    """A `Checkpoint` whose weights ship with this package."""

    size = 384

    def read(self) -> tuple[Bert, WordPieces]:
        """See `Checkpoint`."""
        tensors = load(self.content)
        pieces = tensors.pop(PIECES).numpy().tobytes().decode().split("\n")
        inner = {name: tensor for name, tensor in tensors.items() if name.startswith("layers.")}
        outer = {name: tensor for name, tensor in tensors.items() if name not in inner}
        layers = {name.replace("layers.layers.", "layers."): inner[name] for name in inner}
        whole = {_NAMES.get(name, name): one for name, one in unpacked(outer, _FILE).items()}
        return Bert(layers | whole), WordPieces(pieces)


ENGLISH = EnglishEncoder("english", _FILE, "Apache-2.0 (of all-MiniLM-L6-v2)")
