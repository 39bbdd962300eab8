"""Bidirectional LSTM that is fast on a CPU for sentences of very different lengths."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_sequence, unpack_sequence


class SentenceLSTM(nn.LSTM):
    """Bidirectional `nn.LSTM` over concatenated sentences, without padding.

    On a GPU, the sentences are torch's packed sequences. On a CPU, these would take twice the time;
    several sentences share a row of the batch instead, separated by free positions. An additional
    input closes the input and forget gates at free positions, so each sentence begins with a zero
    state in both directions.

    Args:
        hidden_size: width of each direction.
    """

    def __init__(self, input_size: int, hidden_size: int, layers: int, dropout: float) -> None:
        super().__init__(
            input_size,
            hidden_size,
            num_layers=layers,
            batch_first=True,
            bidirectional=True,
            dropout=dropout if layers > 1 else 0.0,
        )

    def forward(  # type: ignore[override]
        self, tokens: Tensor, lengths: Sequence[int]
    ) -> Tensor:
        """Return states `[T, 2 * hidden_size]` of `tokens`; `lengths` are positive and sum to T."""
        if tokens.device.type != "cpu":
            packed = pack_sequence(list(torch.split(tokens, list(lengths))), enforce_sorted=False)
            return torch.cat(unpack_sequence(super().forward(packed)[0]))
        width = max(lengths)
        rows, places = rows_of(lengths, width)
        # Free positions repeat the first token, which the closed gates ignore.
        sources = torch.zeros(rows * width, dtype=torch.long)
        sources[places] = torch.arange(len(tokens))
        empty = tokens.new_ones(rows * width, 1)
        empty[places] = 0.0
        gates = tokens.new_zeros(4 * self.hidden_size, 1)
        # This weight closes the gates: their sigmoid is 0.
        gates[: 2 * self.hidden_size] = -1e4
        start = tokens.new_zeros(2, rows, self.hidden_size)
        states = tokens.index_select(0, sources)
        for layer in range(self.num_layers):
            if layer:
                states = nn.functional.dropout(states, self.dropout, self.training)
            weights = []
            for parts in self.all_weights[2 * layer : 2 * layer + 2]:
                weights += [torch.cat([parts[0], gates], dim=1), *parts[1:]]
            states = torch.lstm(
                torch.cat([states, empty], dim=1).view(rows, width, -1),
                (start, start),
                weights,
                has_biases=True,
                num_layers=1,
                dropout=0.0,
                train=self.training,
                bidirectional=True,
                batch_first=True,
            )[0].flatten(0, 1)
        return states.index_select(0, places)


def rows_of(lengths: Sequence[int], width: int) -> tuple[int, Tensor]:
    """Place sentences in rows, longest first, with one free position between sentences.

    Args:
        lengths: sentence lengths.
        width: length of a row, at least the length of the longest sentence.

    Returns:
        The number of rows, and the position `[T]` of each token in the concatenated rows.

    >>> rows_of([2, 5, 2], 5)
    (2, tensor([5, 6, 0, 1, 2, 3, 4, 8, 9]))
    """
    ends: list[int] = []
    starts = [0] * len(lengths)
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        fitting = (row for row, end in enumerate(ends) if end + lengths[i] <= width)
        row = next(fitting, len(ends))
        if row == len(ends):
            ends.append(0)
        starts[i] = row * width + ends[row]
        ends[row] += lengths[i] + 1
    sizes = torch.tensor(lengths)
    before = sizes.cumsum(0) - sizes
    shift = (torch.tensor(starts) - before).repeat_interleave(sizes)
    return len(ends), torch.arange(len(shift)) + shift


def padded(flat: Tensor, lengths: Sequence[int]) -> Tensor:
    """Return `[T, ...]` as `[B, N, ...]`, padded with zeros."""
    return nn.utils.rnn.pad_sequence(list(torch.split(flat, list(lengths))), batch_first=True)


_LEVELS = 256


class Dropout(nn.Dropout):
    """Faster `nn.Dropout` for CPUs: it draws a random byte for each value instead of a float.

    It takes a quarter of the time of `nn.Dropout`. The probability is rounded to a multiple of
    1/256, and the remaining values are scaled up accordingly.
    """

    def forward(self, values: Tensor) -> Tensor:
        """Set random values to 0 and scale up the others; outside training, change nothing."""
        dropped = round(self.p * _LEVELS)
        if not self.training or not dropped or dropped == _LEVELS or values.device.type != "cpu":
            return super().forward(values)
        count = values.numel()
        # One random 64-bit number gives eight bytes.
        numbers = torch.randint(-(2**63), 2**63 - 1, (-(-count // 8),))
        kept = numbers.view(torch.uint8)[:count].view_as(values) >= dropped
        return values * kept.to(values.dtype).mul_(_LEVELS / (_LEVELS - dropped))
