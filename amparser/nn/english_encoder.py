"""The encoder that comes with the package: the first layers of all-MiniLM-L6-v2, in seven bits.

MiniLM (Wang et al. 2020) is a small BERT; all-MiniLM-L6-v2 was trained on pairs of English
sentences. Its states are used as they are, so a model folder names the file instead of copying it.
`tests/benchmarks/distil_encoder.py` writes the file.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import torch
from safetensors.torch import load
from torch import Tensor, nn

from amparser import __version__
from amparser.errors import ConfigError
from amparser.nn.packed_weights import unpacked
from amparser.nn.vectors.source import Origin
from amparser.nn.wordpieces import WordPieces

PIECES = "pieces"
"""The tensor with the subwords, one a line."""
_HEADS = 12
_EPSILON = 1e-12
_FILE = Path(__file__).with_suffix(".safetensors")


class States(NamedTuple):
    """What models of transformers answer with."""

    last_hidden_state: Tensor


class Config(NamedTuple):
    """What models of transformers say of themselves."""

    hidden_size: int


class Bert(nn.Module):
    """BERT (Devlin et al. 2019) without its pooler.

    Args:
        pieces: how many subwords have an embedding.
        positions: how many subwords a sentence has at most.
        size: width of its states.
        inner: width of the layer inside each layer.
        layers: how many.
        heads: of attention.
    """

    def __init__(
        self, pieces: int, positions: int, size: int, inner: int, layers: int, heads: int = _HEADS
    ) -> None:
        super().__init__()
        self.config = Config(size)
        self.words = nn.Embedding(pieces, size)
        self.position_embeddings = nn.Embedding(positions, size)
        self.norm = nn.LayerNorm(size, _EPSILON)
        layer = nn.TransformerEncoderLayer(
            size, heads, inner, activation="gelu", layer_norm_eps=_EPSILON, batch_first=True
        )
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)

    @classmethod
    def of(cls, tensors: dict[str, Tensor], layers: int = 0) -> Bert:
        """With these weights, and so many of their layers; 0 for all.

        Raises:
            ConfigError: they are of fewer layers.
        """
        numbers = {int(name.split(".")[2]) for name in tensors if name.startswith("layers.")}
        if layers > len(numbers):
            raise ConfigError(
                f"encoder.pretrained_layers = {layers}: expected at most {len(numbers)}"
            )
        count = layers or len(numbers)
        inner, size = tensors["layers.layers.0.linear1.weight"].shape
        pieces, positions = (len(tensors[f"{n}.weight"]) for n in ("words", "position_embeddings"))
        with torch.device("meta"):
            made = cls(pieces, positions, size, inner, count)
        kept = {name: tensors[name] for name in made.state_dict()}
        made.load_state_dict(kept, assign=True)
        return made

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> States:
        """States `[B, m, size]` of subwords `[B, m]`; the mask `[B, m]` is 0 at padding."""
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        embedded = self.norm(self.words(input_ids) + self.position_embeddings(places))
        return States(self.layers(embedded, src_key_padding_mask=attention_mask == 0))


class EnglishEncoder:
    """A `Checkpoint` whose weights are in this package."""

    name, size, trainable, missing = "english", 384, False, None

    @cached_property
    def sha256(self) -> str:
        """See `Checkpoint`."""
        return hashlib.sha256(_FILE.read_bytes()).hexdigest()

    def origin(self) -> Origin:
        """See `Checkpoint`."""
        licence = "Apache-2.0 (of all-MiniLM-L6-v2)"
        return Origin(self.name, "amparser", __version__, licence, self.sha256)

    def read(self, layers: int = 0) -> tuple[Bert, WordPieces]:
        """See `Checkpoint`."""
        tensors = unpacked(load(_FILE.read_bytes()), _FILE)
        pieces = tensors.pop(PIECES).numpy().tobytes().decode().split("\n")
        return Bert.of({name: one.float() for name, one in tensors.items()}, layers), WordPieces(
            pieces
        )


ENGLISH = EnglishEncoder()
