"""The LSTM over sentences that share rows gives the states of packed sequences."""

from collections.abc import Sequence

import torch
from hypothesis import given, strategies as st
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_sequence, unpack_sequence

from amparser.nn.lstm import SentenceLSTM

LENGTHS = st.lists(st.integers(1, 9), min_size=1, max_size=8)


def packed_states(lstm: SentenceLSTM, tokens: Tensor, lengths: Sequence[int]) -> Tensor:
    reference = nn.LSTM(
        lstm.input_size,
        lstm.hidden_size,
        num_layers=lstm.num_layers,
        batch_first=True,
        bidirectional=True,
    )
    reference.load_state_dict(lstm.state_dict())
    packed = pack_sequence(list(tokens.split(list(lengths))), enforce_sorted=False)
    return torch.cat(unpack_sequence(reference(packed)[0]))


@given(LENGTHS, st.integers(1, 2), st.floats(0.1, 50))
def test_states_and_gradients_equal_those_of_packed_sequences(lengths, layers, scale) -> None:
    torch.manual_seed(0)
    lstm = SentenceLSTM(4, 5, layers, dropout=0.0)
    tokens = (scale * torch.randn(sum(lengths), 4)).requires_grad_()
    weight = torch.randn(sum(lengths), 10)
    found, expected = lstm(tokens, lengths), packed_states(lstm, tokens, lengths)
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)
    ours, theirs = (
        torch.autograd.grad((states * weight).sum(), tokens)[0] for states in (found, expected)
    )
    torch.testing.assert_close(ours, theirs, atol=1e-4, rtol=1e-3)


def test_dropout_between_layers_only_in_training() -> None:
    torch.manual_seed(0)
    lstm = SentenceLSTM(4, 5, 2, dropout=0.5)
    tokens = torch.randn(6, 4)
    assert not torch.equal(lstm(tokens, [4, 2]), lstm(tokens, [4, 2]))
    lstm.eval()
    assert torch.equal(lstm(tokens, [4, 2]), lstm(tokens, [4, 2]))
