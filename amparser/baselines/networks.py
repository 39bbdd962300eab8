"""Encoder-decoder networks from a sentence to a target, which is decoded word by word.

The recurrent networks use global attention and input feeding (Luong, Pham & Manning 2015, sections
3.1 and 3.3). With decoder state h and encoder states s, the attentional state is

    h~ = tanh(W [softmax(h s) s; h])

The Transformer (Vaswani et al. 2017) uses torch's layers and absolute positions.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Literal, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn.functional import linear
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from amparser.baselines.settings import NetworkSettings
from amparser.baselines.vocabulary import PADDING
from amparser.errors import ConfigError

Tensors: TypeAlias = dict[str, Tensor]
"""Tensors of a decoder's state by name; the first axis of each tensor is the batch."""


def selected(state: Tensors, rows: Tensor) -> Tensors:
    """Select rows of a state by the indices `rows`, `[R]`; indices may repeat."""
    return {name: tensor.index_select(0, rows) for name, tensor in state.items()}


class Seq2SeqNetwork(nn.Module, ABC):
    """Encoder-decoder network over word ids."""

    @abstractmethod
    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return logits `[B, m, V]` of the word after each position of `target` `[B, m]`.

        `source` `[B, n]` has the ids of the sentences.
        """

    @abstractmethod
    def start(self, source: Tensor) -> Tensors:
        """Return the decoder's state before the first word."""

    @abstractmethod
    def step(self, words: Tensor, state: Tensors) -> tuple[Tensor, Tensors]:
        """Read one word `[B]` per row; return the next word's logits `[B, V]` and the new state."""


class RecurrentNetwork(Seq2SeqNetwork):
    """LSTM, bidirectional LSTM or GRU with attention."""

    def __init__(
        self,
        system: Literal["lstm", "bilstm", "gru"],
        settings: NetworkSettings,
        source_size: int,
        target_size: int,
    ) -> None:
        super().__init__()
        width, size = settings.embedding_size, settings.hidden_size
        directions = 2 if system == "bilstm" else 1
        if size % directions:
            raise ConfigError(f"network.hidden_size = {size}: a bilstm needs an even number")
        layer: type[nn.LSTM] | type[nn.GRU] = nn.GRU if system == "gru" else nn.LSTM
        # With a single layer, torch would warn about dropout between layers.
        between = settings.dropout if settings.layers > 1 else 0.0
        shape = {"num_layers": settings.layers, "dropout": between, "batch_first": True}
        self.source_embedding = nn.Embedding(source_size, width, padding_idx=PADDING)
        self.target_embedding = nn.Embedding(target_size, width, padding_idx=PADDING)
        self.encoder = layer(width, size // directions, bidirectional=directions == 2, **shape)
        self.input_feeding = settings.input_feeding
        self.decoder = layer(width + size * settings.input_feeding, size, **shape)
        self.attentional = nn.Linear(2 * size, size, bias=False)
        self.output = nn.Linear(size, target_size)
        self.dropout = nn.Dropout(settings.dropout)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """See the base class. Input feeding reads the target word by word."""
        state = self.start(source)
        words = self.dropout(self.target_embedding(target))
        attentional = []
        for part in words.split(1, 1) if self.input_feeding else [words]:
            states, state = self._advance(part, state)
            attentional.append(states)
        return self.output(torch.cat(attentional, 1))  # type: ignore[no-any-return]

    def start(self, source: Tensor) -> Tensors:
        """Return the encoder's states and the decoder's initial state."""
        words = self.dropout(self.source_embedding(source))
        mask = source != PADDING
        lengths = mask.sum(1).cpu()
        packed = pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
        states, last = self.encoder(packed)
        padded, _ = pad_packed_sequence(states, batch_first=True, total_length=source.shape[1])
        state: Tensors = {"states": padded, "mask": mask}
        parts = last if isinstance(last, tuple) else (last,)
        state |= {name: self._side_by_side(part) for name, part in zip("hc", parts, strict=False)}
        if self.input_feeding:
            state["fed"] = padded.new_zeros(len(source), self.decoder.hidden_size)
        return state

    def step(self, words: Tensor, state: Tensors) -> tuple[Tensor, Tensors]:
        """See the base class."""
        embedded = self.dropout(self.target_embedding(words))[:, None]
        states, state = self._advance(embedded, state)
        return self.output(states[:, 0]), state

    def _advance(self, words: Tensor, state: Tensors) -> tuple[Tensor, Tensors]:
        """Return attentional states `[B, m, H]` (m = 1 with input feeding) and the new state."""
        if self.input_feeding:
            words = torch.cat([words, state["fed"][:, None]], 2)
        before = tuple(state[name].transpose(0, 1).contiguous() for name in "hc" if name in state)
        states, last = self.decoder(words, before if "c" in state else before[0])
        parts = last if isinstance(last, tuple) else (last,)
        after = state | {n: part.transpose(0, 1) for n, part in zip("hc", parts, strict=False)}
        memory = state["states"]
        scores = torch.bmm(states, memory.transpose(1, 2))
        weights = scores.masked_fill(~state["mask"][:, None], -torch.inf).softmax(2)
        both = torch.cat([torch.bmm(weights, memory), states], 2)
        attended = self.dropout(torch.tanh(self.attentional(both)))
        if self.input_feeding:
            after["fed"] = attended[:, -1]
        return attended, after

    def _side_by_side(self, last: Tensor) -> Tensor:
        """Reshape states `[layers * directions, B, H]` to `[B, layers, directions * H]`."""
        layers, rows = self.decoder.num_layers, last.shape[1]
        parts = last.view(layers, -1, rows, last.shape[2]).permute(2, 0, 1, 3)
        return parts.reshape(rows, layers, -1)


class TransformerNetwork(Seq2SeqNetwork):
    """Transformer with the same number of encoder and decoder layers."""

    def __init__(self, settings: NetworkSettings, source_size: int, target_size: int) -> None:
        super().__init__()
        size, heads = settings.hidden_size, settings.heads
        if size % heads or size % 2:
            raise ConfigError(
                f"network.hidden_size = {size}: expected an even multiple of "
                f"network.heads = {heads}"
            )
        shape = (size, heads, settings.feedforward_size, settings.dropout)
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(*shape, batch_first=True),
            settings.layers,
            enable_nested_tensor=False,
        )
        self.decoder = nn.ModuleList(
            nn.TransformerDecoderLayer(*shape, batch_first=True) for _ in range(settings.layers)
        )
        self.source_embedding = nn.Embedding(source_size, size, padding_idx=PADDING)
        self.target_embedding = nn.Embedding(target_size, size, padding_idx=PADDING)
        self.output = None if settings.tied_embedding else nn.Linear(size, target_size)
        if settings.tied_embedding:
            self.bias = nn.Parameter(torch.zeros(target_size))
        self.dropout = nn.Dropout(settings.dropout)
        root = math.sqrt(size)
        self.word_scale, self.position_scale = (
            (root, 1.0) if settings.scaling == "up" else (1.0, 1 / root)
        )
        # torch's layers are copies of one layer, so their weights must be drawn again.
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
        # Csordas et al. (2021): He's initialization for `down`, 1 / sqrt(width) for `up`.
        spread = (1 if settings.scaling == "up" else math.sqrt(2)) / root
        for embedding in (self.source_embedding, self.target_embedding):
            nn.init.normal_(embedding.weight, std=spread)
            with torch.no_grad():
                embedding.weight[PADDING].zero_()

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """See the base class."""
        state = self.start(source)
        return self._scored(self._decoded(target, state["memory"], state["mask"]))

    def start(self, source: Tensor) -> Tensors:
        """Return the encoder's states and an empty target."""
        mask = source != PADDING
        words = self._embedded(self.source_embedding, source)
        memory = self.encoder(words, src_key_padding_mask=~mask)
        return {"memory": memory, "mask": mask, "written": source[:, :0]}

    def step(self, words: Tensor, state: Tensors) -> tuple[Tensor, Tensors]:
        """See the base class. Each step reads all words of the target so far again."""
        written = torch.cat([state["written"], words[:, None]], 1)
        states = self._decoded(written, state["memory"], state["mask"])
        return self._scored(states[:, -1]), state | {"written": written}

    def _decoded(self, target: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        states = self._embedded(self.target_embedding, target)
        later = torch.ones(2 * target.shape[1:], dtype=torch.bool, device=target.device).triu(1)
        for layer in self.decoder:
            states = layer(
                states, memory, tgt_mask=later, memory_key_padding_mask=~mask, tgt_is_causal=True
            )
        return states

    def _scored(self, states: Tensor) -> Tensor:
        if self.output is None:
            return linear(states, self.target_embedding.weight, self.bias)
        return self.output(states)  # type: ignore[no-any-return]

    def _embedded(self, embedding: nn.Embedding, words: Tensor) -> Tensor:
        vectors = embedding(words) * self.word_scale
        positions = sinusoids(words.shape[1], vectors.shape[2]).to(vectors)
        return self.dropout(vectors + positions * self.position_scale)  # type: ignore[no-any-return]


def sinusoids(count: int, size: int) -> Tensor:
    """Return sinusoidal positions, `[count, size]` (Vaswani et al. 2017, 3.5)."""
    positions = torch.arange(count, dtype=torch.float32)[:, None]
    rates = torch.exp(torch.arange(0, size, 2) * (-math.log(10_000.0) / size))
    angles = positions * rates
    return torch.stack([angles.sin(), angles.cos()], 2).flatten(1)
