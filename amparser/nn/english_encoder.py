"""The packaged encoder: the first layers of all-MiniLM-L6-v2 in seven bits.

MiniLM (Wang et al. 2020) is a small BERT; all-MiniLM-L6-v2 was trained on pairs of English
sentences. Its weights are frozen, so a model folder names the file instead of copying it.
`tests/benchmarks/distil_encoder.py` writes the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import torch
from safetensors.torch import load
from torch import Tensor, nn
from torch.nn import functional

from amparser.nn.packed_weights import SCALE, unpacked
from amparser.nn.vectors.source import InPackage
from amparser.nn.wordpieces import WordPieces

PIECES = "pieces"
"""Name of the tensor with the subwords, one per line."""
_HEADS = 12
_FILE = Path(__file__).with_suffix(".safetensors")


class States(NamedTuple):
    """Output of a model, with the field name of transformers."""

    last_hidden_state: Tensor


class Config(NamedTuple):
    """Configuration of a model, with the field name of transformers."""

    hidden_size: int


class WholeLinear(nn.Module):
    """Linear layer with integer weights and inputs, which CPUs multiply many times faster.

    Each input row is rounded to integers from -127 to 127, independently of the batch. With at most
    2,096 inputs all sums stay below 2^24, which single precision holds exactly. So the result is
    bit-identical on CPUs without an integer instruction.

    Args:
        codes: `[out, in]`, integers from -63 to 63.
        scales: `[out]`, scale of each row of codes.
        bias: `[out]`.
    """

    def __init__(self, codes: Tensor, scales: Tensor, bias: Tensor) -> None:
        super().__init__()
        for name, one in {"codes": codes, "scales": scales.float(), "bias": bias.float()}.items():
            self.register_buffer(name, one, persistent=False)
        self.codes: Tensor
        self.scales: Tensor
        self.bias: Tensor

    def forward(self, inputs: Tensor) -> Tensor:
        """Return `[.., out]` for inputs `[.., in]`."""
        rows = inputs.flatten(0, -2)
        # 127 is the largest signed 8-bit integer.
        steps = rows.abs().amax(dim=1, keepdim=True).clamp_min(1e-9) / 127
        whole = (rows / steps).round_()
        if rows.is_cpu and _has_instruction():
            sums = torch._int_mm(whole.to(torch.int8), self.codes.t()).float()
        else:
            sums = functional.linear(whole, self.codes.float())
        found = torch.addcmul(self.bias, sums.mul_(steps), self.scales)
        return found.reshape(*inputs.shape[:-1], -1)


def _has_instruction() -> bool:
    """Return whether the CPU has a dot product of bytes (VNNI); False if torch cannot tell."""
    asked: Callable[[], bool] = getattr(torch.cpu, "_is_vnni_supported", bool)
    return asked()


class Layer(nn.Module):
    """A layer of BERT: self-attention and a feed-forward layer.

    Args:
        tensors: packed weights, named as in torch's `TransformerEncoderLayer`.
        heads: number of attention heads.
    """

    def __init__(self, tensors: Mapping[str, Tensor], heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.inputs = _linear(tensors, "self_attn.in_proj_")
        self.output = _linear(tensors, "self_attn.out_proj.")
        self.up, self.down = _linear(tensors, "linear1."), _linear(tensors, "linear2.")
        self.norms = nn.ModuleList(_norm(tensors, name) for name in ("norm1.", "norm2."))

    def forward(self, states: Tensor, seen: Tensor) -> Tensor:
        """Return states `[B, m, size]`; `seen` `[B, 1, 1, m]` is the attention mask."""
        parts = self.inputs(states).reshape(*states.shape[:2], 3, self.heads, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        attended = functional.scaled_dot_product_attention(query, key, value, attn_mask=seen)
        states = self.norms[0](states + self.output(attended.transpose(1, 2).flatten(2)))
        inner = functional.gelu(self.up(states))
        found: Tensor = self.norms[1](states + self.down(inner))
        return found


class Bert(nn.Module):
    """Frozen BERT (Devlin et al. 2019) without its pooler.

    Args:
        tensors: packed weights (`amparser.nn.packed_weights`).
        heads: number of attention heads.
    """

    def __init__(self, tensors: Mapping[str, Tensor], heads: int = _HEADS) -> None:
        super().__init__()
        count = len({name.split(".")[2] for name in tensors if name.startswith("layers.")})
        outside = {name: one for name, one in tensors.items() if not name.startswith("layers.")}
        whole = {name: one.float() for name, one in unpacked(outside, _FILE).items()}
        self.words = _embedding(whole["words.weight"])
        self.position_embeddings = _embedding(whole["position_embeddings.weight"])
        self.norm = _norm(whole, "norm.")
        self.config = Config(self.words.embedding_dim)
        self.layers = nn.ModuleList(
            Layer(_below(tensors, f"layers.layers.{i}."), heads) for i in range(count)
        )

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> States:
        """Return states `[B, m, size]` of subwords `[B, m]`; the mask `[B, m]` is 0 on padding."""
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        states = self.norm(self.words(input_ids) + self.position_embeddings(places))
        seen = attention_mask[:, None, None, :] > 0
        for layer in self.layers:
            states = layer(states, seen)
        return States(states)


def _below(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {n.removeprefix(prefix): one for n, one in tensors.items() if n.startswith(prefix)}


def _linear(tensors: Mapping[str, Tensor], name: str) -> WholeLinear:
    weight = f"{name}weight"
    return WholeLinear(tensors[weight], tensors[weight + SCALE], tensors[f"{name}bias"])


def _embedding(weight: Tensor) -> nn.Embedding:
    rows, width = weight.shape
    return nn.Embedding(rows, width, _weight=weight, _freeze=True)


def _norm(tensors: Mapping[str, Tensor], name: str) -> nn.LayerNorm:
    weight, bias = (tensors[name + kind].float() for kind in ("weight", "bias"))
    norm = nn.LayerNorm(len(weight), 1e-12)
    norm.load_state_dict({"weight": weight, "bias": bias})
    return norm


class EnglishEncoder(InPackage):
    """A `Checkpoint` whose weights ship with this package."""

    size = 384

    def read(self) -> tuple[Bert, WordPieces]:
        """See `Checkpoint`."""
        tensors = load(self.content)
        pieces = tensors.pop(PIECES).numpy().tobytes().decode().split("\n")
        return Bert(tensors), WordPieces(pieces)


ENGLISH = EnglishEncoder("english", _FILE, "Apache-2.0 (of all-MiniLM-L6-v2)")
