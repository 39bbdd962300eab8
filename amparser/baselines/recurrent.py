"""LSTM and GRU with global attention, dot product, and input feeding.

Luong, Pham & Manning 2015, sections 3.1 and 3.3: with the decoder's state h and the
encoder's states s, a = softmax(h s), c = a s, h~ = tanh(W [c; h]). The next word is
predicted from h~, which is part of the next input.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from amparser.baselines.network import DecoderState, Seq2SeqNetwork, Tensors, source_mask
from amparser.baselines.settings import NetworkSettings
from amparser.baselines.vocabulary import PADDING
from amparser.errors import ConfigError


class RecurrentNetwork(Seq2SeqNetwork):
    """A recurrent encoder and decoder with equally many layers.

    The encoder's last states (both directions concatenated) are the decoder's first.
    """

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
        # torch warns if dropout between layers is asked for and there is only one.
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

    def forward(self, source: Tensor, lengths: Tensor, target: Tensor) -> Tensor:
        """See the base class; word by word with input feeding, else all at once."""
        state = self.start(source, lengths)
        words = self.dropout(self.target_embedding(target))
        if not self.input_feeding:
            return self.output(self._advance(words, state)[0])  # type: ignore[no-any-return]
        found = []
        for position in range(target.shape[1]):
            states, state = self._advance(words[:, position : position + 1], state)
            found.append(states)
        return self.output(torch.cat(found, 1))  # type: ignore[no-any-return]

    def start(self, source: Tensor, lengths: Tensor) -> DecoderState:
        """The encoder's states, and its last one."""
        words = self.dropout(self.source_embedding(source))
        packed = pack_padded_sequence(words, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, last = self.encoder(packed)
        padded, _ = pad_packed_sequence(states, batch_first=True, total_length=source.shape[1])
        memory = {"states": padded, "mask": source_mask(source, lengths)}
        names = ("h", "c") if isinstance(last, tuple) else ("h",)
        parts = last if isinstance(last, tuple) else (last,)
        history: Tensors = {
            name: self._side_by_side(part) for name, part in zip(names, parts, strict=True)
        }
        if self.input_feeding:
            history["fed"] = padded.new_zeros(len(source), self.decoder.hidden_size)
        return DecoderState(memory, history)

    def step(self, words: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        """See the base class."""
        embedded = self.dropout(self.target_embedding(words))[:, None]
        states, state = self._advance(embedded, state)
        return self.output(states[:, 0]), state

    def _advance(self, words: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        """Attentional states `[B, m, H]` after m embedded words; m is 1 with input feeding."""
        history = state.history
        if self.input_feeding:
            words = torch.cat([words, history["fed"][:, None]], 2)
        hidden = history["h"].transpose(0, 1).contiguous()
        if "c" in history:
            cell = history["c"].transpose(0, 1).contiguous()
            states, (hidden, cell) = self.decoder(words, (hidden, cell))
            after = {"h": hidden.transpose(0, 1), "c": cell.transpose(0, 1)}
        else:
            states, hidden = self.decoder(words, hidden)
            after = {"h": hidden.transpose(0, 1)}
        memory, mask = state.memory["states"], state.memory["mask"]
        scores = torch.bmm(states, memory.transpose(1, 2))
        weights = scores.masked_fill(~mask[:, None], -torch.inf).softmax(2)
        both = torch.cat([torch.bmm(weights, memory), states], 2)
        attended = self.dropout(torch.tanh(self.attentional(both)))
        if self.input_feeding:
            after["fed"] = attended[:, -1]
        return attended, DecoderState(state.memory, after)

    def _side_by_side(self, last: Tensor) -> Tensor:
        """`[layers * directions, B, H]` of the encoder as `[B, layers, directions * H]`."""
        layers, rows = self.decoder.num_layers, last.shape[1]
        return (
            last.view(layers, -1, rows, last.shape[2]).permute(2, 0, 1, 3).reshape(rows, layers, -1)
        )
