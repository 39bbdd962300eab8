"""Frozen BERT with integer weights, which are faster than floats on a CPU.

Weights are stored as 4-bit integers and multiplied as 7-bit integers; see `packed_weights`. The
inputs of each matrix are rounded to 8-bit integers. The module needs no library but torch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from amparser.nn.packed_weights import BLOCKS, SCALE, below, of_blocks, packed

_HEADS = 12


class States(NamedTuple):
    """Output of a model; the field is named as in transformers."""

    last_hidden_state: Tensor


class Config(NamedTuple):
    """Configuration of a model; the field is named as in transformers."""

    hidden_size: int


class WholeLinear(nn.Module):
    """Linear layer with integer weights and inputs.

    Each input row is rounded to integers from -127 to 127. With at most 2,096 inputs, all sums are
    below 2^24 and therefore exact in single precision: the result is the same on all CPUs.

    Args:
        codes: `[out, in]`, integers from -63 to 63.
        scales: `[out]`, scale of each row of codes.
        bias: `[out]`.
    """

    def __init__(self, codes: Tensor, scales: Tensor, bias: Tensor) -> None:
        super().__init__()
        for name, tensor in zip(
            ("codes", "scales", "bias"), (codes, scales.float(), bias.float()), strict=True
        ):
            self.register_buffer(name, tensor, persistent=False)
        self.codes: Tensor
        self.scales: Tensor
        self.bias: Tensor

    def forward(self, inputs: Tensor) -> Tensor:
        """Return `[.., out]` for inputs `[.., in]`."""
        rows = inputs.flatten(0, -2)
        steps = rows.abs().amax(dim=1, keepdim=True).clamp_min(1e-9) / 127
        whole = (rows / steps).round_()
        if rows.is_cpu and _has_instruction():
            sums = torch._int_mm(whole.to(torch.int8), self.codes.t()).float()
        else:
            sums = functional.linear(whole, self.codes.float())
        found = torch.addcmul(self.bias, sums.mul_(steps), self.scales)
        return found.reshape(*inputs.shape[:-1], -1)


def _has_instruction() -> bool:
    """Return whether the CPU multiplies bytes (VNNI); False if torch cannot tell."""
    asked: Callable[[], bool] = getattr(torch.cpu, "_is_vnni_supported", bool)
    return asked()


class Layer(nn.Module):
    """Layer of BERT: self-attention and a feed-forward layer.

    Args:
        tensors: packed weights, named as in torch's `TransformerEncoderLayer`.
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


class BlockEmbedding(nn.Module):
    """Frozen embeddings stored as 4-bit integers.

    Args:
        codes: `[V, size / 2]`; see `of_blocks`.
        scales: `[V, size / 32]`; see `of_blocks`.
    """

    def __init__(self, codes: Tensor, scales: Tensor) -> None:
        super().__init__()
        self.register_buffer("codes", codes, persistent=False)
        self.register_buffer("scales", scales, persistent=False)
        self.codes: Tensor
        self.scales: Tensor

    def forward(self, ids: Tensor) -> Tensor:
        """Return `[.., size]` for ids `[..]`."""
        return of_blocks(self.codes[ids], self.scales[ids])


class Bert(nn.Module):
    """Frozen BERT (Devlin et al. 2019) without its pooler.

    Args:
        tensors: weights. The matrices of layers and `words` are 4-bit integers (see `of_blocks`);
            their scales have the same name with the suffix `BLOCKS`. The embedding of token type 0
            is already added to `positions`.
    """

    def __init__(self, tensors: Mapping[str, Tensor], heads: int = _HEADS) -> None:
        super().__init__()
        depth = len({name.split(".")[1] for name in tensors if name.startswith("layers.")})
        self.words = BlockEmbedding(tensors["words"], tensors["words" + BLOCKS])
        positions = tensors["positions"].float()
        count, width = positions.shape
        self.position_embeddings = nn.Embedding(count, width, _weight=positions, _freeze=True)
        self.norm = _norm(tensors, "norm.")
        self.config = Config(self.position_embeddings.embedding_dim)
        self.layers = nn.ModuleList(
            Layer(_in_seven_bits(below(f"layers.{i}.", tensors)), heads) for i in range(depth)
        )

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> States:
        """Return states `[B, m, size]` of subwords `[B, m]`; the mask `[B, m]` is 0 on padding."""
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        states = self.norm(self.words(input_ids) + self.position_embeddings(places))
        seen = attention_mask[:, None, None, :] > 0
        for layer in self.layers:
            states = layer(states, seen)
        return States(states)


def _linear(tensors: Mapping[str, Tensor], name: str) -> WholeLinear:
    weight = f"{name}weight"
    return WholeLinear(tensors[weight], tensors[weight + SCALE], tensors[f"{name}bias"])


def _in_seven_bits(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    scales = {name for name in tensors if name.endswith(BLOCKS)}
    matrices = {name.removesuffix(BLOCKS) for name in scales}
    rows = {name: of_blocks(tensors[name], tensors[name + BLOCKS]) for name in matrices}
    return {name: tensors[name] for name in tensors.keys() - matrices - scales} | packed(rows)


def _norm(tensors: Mapping[str, Tensor], name: str) -> nn.LayerNorm:
    weight, bias = (tensors[name + kind].float() for kind in ("weight", "bias"))
    norm = nn.LayerNorm(len(weight), 1e-12)
    norm.load_state_dict({"weight": weight, "bias": bias})
    return norm
