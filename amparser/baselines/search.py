"""Batched greedy and beam search for the words of a target."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from amparser.baselines.networks import Seq2SeqNetwork, selected
from amparser.baselines.settings import SearchSettings
from amparser.baselines.vocabulary import BEGIN, END, PADDING, UNKNOWN


class Hypothesis(NamedTuple):
    """Output: word ids without END; `logp` includes END if the output is finished."""

    finished: bool
    logp: float
    words: tuple[int, ...]


@torch.no_grad()
def search(network: Seq2SeqNetwork, source: Tensor, settings: SearchSettings) -> list[Hypothesis]:
    """Return the best hypothesis for each sentence of `source` `[B, n]`."""
    network.eval()
    count, width = len(source), settings.beam_size
    sentences = torch.arange(count, device=source.device)[:, None]
    state = selected(network.start(source), sentences.expand(-1, width).flatten())
    # All hypotheses of a sentence are equal at first: extend only one of them.
    logps = torch.full((count, width), -torch.inf, device=source.device)
    logps[:, 0] = 0
    words = torch.full((count, width, 1), BEGIN, device=source.device)
    for length in range(1, settings.max_length + 2):
        logits, state = network.step(words[:, :, -1].flatten(), state)
        size = logits.shape[1]
        new = _next_logp(logits, words[:, :, -1].flatten()).view(count, width, size)
        best, places = (logps[:, :, None] + new).flatten(1).topk(width, 1)
        rows = places // size
        before, logps = logps.gather(1, rows), best
        words = words.gather(1, rows[:, :, None].expand(-1, -1, length))
        words = torch.cat([words, (places % size)[:, :, None]], 2)
        if (words[:, 0] == END).any(1).all():
            break
        state = selected(state, (sentences * width + rows).flatten())
    beams = zip(words.tolist(), logps.tolist(), before.tolist(), strict=True)
    return [max(map(_hypothesis, *beam)) for beam in beams]


def _hypothesis(words: list[int], logp: float, before: float) -> Hypothesis:
    """Return a hypothesis; `before` is the log probability without the last word."""
    if END in words:
        return Hypothesis(True, logp, tuple(words[1 : words.index(END)]))
    return Hypothesis(False, before, tuple(words[1:-1]))


def _next_logp(logits: Tensor, last: Tensor) -> Tensor:
    """Return log probabilities `[B, V]` of the next word, which is padding after END."""
    logp = logits.float().log_softmax(1)
    logp[:, [PADDING, BEGIN, UNKNOWN]] = -torch.inf
    over = (last == END) | (last == PADDING)
    logp[over] = -torch.inf
    logp[over, PADDING] = 0
    return logp
