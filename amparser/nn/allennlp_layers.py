"""Layers of AllenNLP, from its maintained subset `allennlp-light` (extra `allennlp`).

AllenNLP is imported only when the settings name one of its layers.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from amparser.nn.heads.pairs import PairScorer, content_layer
from amparser.nn.lstm import padded
from amparser.nn.settings import EncoderSettings
from amparser.resources import library


def _allennlp(module: str, setting: str) -> Any:
    return library(f"allennlp_light.modules.{module}", setting, "allennlp")


class AllenNLPContext(nn.Module):
    """Adapter from a `Seq2SeqEncoder` of AllenNLP to the interface of this package's layers."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, tokens: Tensor, lengths: Sequence[int]) -> Tensor:
        """Return states `[T, S]` of embeddings `[T, input_size]`; `lengths` (positive) sum to T."""
        sizes = torch.tensor(lengths, device=tokens.device)
        mask = torch.arange(max(lengths), device=tokens.device) < sizes[:, None]
        states: Tensor = self.layer(padded(tokens, lengths), mask)
        return states[mask]


def allennlp_context(settings: EncoderSettings, input_size: int) -> tuple[AllenNLPContext, int]:
    """Return the layer named by `encoder.type = "allennlp-..."` and the width S of its states.

    The setting `hidden_size` is the width of one direction (LSTM), of the inner feed-forward layer
    (transformer), or of each layer (feed-forward). Raises ConfigError without AllenNLP.
    """
    layers = _allennlp("seq2seq_encoders", f"encoder.type = {settings.type!r}")
    hidden, depth = settings.hidden_size, settings.layers
    inner = settings.dropout if depth > 1 else 0.0
    encoder: Any
    match settings.type.removeprefix("allennlp-"):
        case "lstm" | "gru" as name:
            layer = getattr(layers, f"{name.capitalize()}Seq2SeqEncoder")
            encoder = layer(input_size, hidden, depth, dropout=inner, bidirectional=True)
        case "alternating-lstm":
            # AllenNLP's layers alternate in direction: two of them form a bidirectional layer.
            encoder = layers.StackedAlternatingLstmSeq2SeqEncoder(input_size, hidden, 2 * depth)
        case "stacked-bidirectional-lstm":
            encoder = layers.StackedBidirectionalLstmSeq2SeqEncoder(input_size, hidden, depth)
        case "transformer":
            with warnings.catch_warnings():
                # torch warns that a faster implementation does not fit AllenNLP's batches.
                warnings.filterwarnings("ignore", message="enable_nested_tensor is True")
                encoder = layers.PytorchTransformer(
                    input_size,
                    depth,
                    feedforward_hidden_dim=hidden,
                    num_attention_heads=_attention_heads(input_size),
                    positional_encoding="sinusoidal",
                    dropout_prob=settings.dropout,
                )
        case _:
            activations = importlib.import_module("allennlp_light.nn").Activation
            relu = activations.by_name("relu")()
            feedforward = _allennlp("feedforward", settings.type).FeedForward
            encoder = layers.FeedForwardEncoder(
                feedforward(input_size, depth, hidden, relu, settings.dropout)
            )
    return AllenNLPContext(encoder), int(encoder.get_output_dim())


def _attention_heads(size: int) -> int:
    return next(count for count in (8, 4, 2, 1) if size % count == 0)


class AllenNLPBilinearScorer(PairScorer):
    """Scorer of pairs by AllenNLP's `BilinearMatrixAttention` with biases.

    Raises ConfigError if AllenNLP is not installed.
    """

    def __init__(self, size: int, hidden_size: int, dropout: float) -> None:
        super().__init__()
        layers = _allennlp("matrix_attention", "edge.type = 'allennlp-bilinear'")
        self.attention = layers.BilinearMatrixAttention(
            hidden_size, hidden_size, use_input_biases=True
        )
        self.head = content_layer(size, hidden_size, dropout)
        self.dependent = content_layer(size, hidden_size, dropout)

    def pairs(self, heads: Tensor, dependents: Tensor, distances: Tensor) -> Tensor:
        """Score every dependent with every head, `[B, d, m]`; distances are ignored."""
        scores: Tensor = self.attention(dependents, heads)
        return scores
