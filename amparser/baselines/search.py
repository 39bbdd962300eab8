"""Greedy and beam search for the words of a target, whole batches at a time.

A search returns the words without END. An output that reaches the length limit without
END is not `finished`; its log-probability is that of its words only.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor

from amparser.baselines.networks import Seq2SeqNetwork, selected
from amparser.baselines.settings import SearchSettings
from amparser.baselines.vocabulary import BEGIN, END, PADDING, UNKNOWN


class Hypothesis(NamedTuple):
    """An output for a sentence.

    Attributes:
        finished: whether END came before the length limit.
        logp: the natural logarithm of its probability, including END if `finished`.
        words: their ids, without END.
    """

    finished: bool
    logp: float
    words: tuple[int, ...]


@torch.no_grad()
def search(
    network: Seq2SeqNetwork, source: Tensor, lengths: Tensor, settings: SearchSettings
) -> list[Hypothesis]:
    """Return the best output that the settings' search finds for each sentence.

    Beam search is never worse than greedy search: the best outputs of both
    compete, finished ones before others, then by log-probability.
    """
    network.eval()
    greedy = beam_search(network, source, lengths, replace(settings, beam_size=1))
    if settings.beam_size == 1:
        return greedy
    found = beam_search(network, source, lengths, settings)
    return [max(both) for both in zip(found, greedy, strict=True)]


@torch.no_grad()
def beam_search(
    network: Seq2SeqNetwork, source: Tensor, lengths: Tensor, settings: SearchSettings
) -> list[Hypothesis]:
    """Return the best of `beam_size` outputs per sentence that grow side by side.

    A finished output keeps its place and its log-probability while others grow and lose
    probability. A sentence is done when its best output is finished.
    """
    width, limit = settings.beam_size, settings.max_length
    found: dict[int, Hypothesis] = {}
    sentences = torch.arange(len(source), device=source.device)
    state = selected(network.start(source, lengths), sentences.repeat_interleave(width))
    # At first only one row of each sentence may go on, since all rows are the same.
    logps = torch.full((len(source), width), -torch.inf, device=source.device)
    logps[:, 0] = 0
    words = torch.full((len(source), width, 1), BEGIN, device=source.device)
    for length in range(limit + 1):
        logits, state = network.step(words[:, :, -1].flatten(), state)
        size = logits.shape[1]
        candidates = logps[:, :, None] + _next_logp(logits, words[:, :, -1].flatten()).view(
            len(sentences), width, size
        )
        before = logps
        logps, places = candidates.flatten(1).topk(width, 1)
        rows = places // size
        words = words.gather(1, rows[:, :, None].expand(-1, -1, length + 1))
        words = torch.cat([words, (places % size)[:, :, None]], 2)
        if length == limit:
            before = before.gather(1, rows)
            for place, sentence in enumerate(sentences.tolist()):
                beam = zip(
                    words[place].tolist(),
                    logps[place].tolist(),
                    before[place].tolist(),
                    strict=True,
                )
                found[sentence] = max(_hypothesis(*row) for row in beam)
            break
        over = (words[:, 0, 1:] == END).any(1)
        for place in over.nonzero()[:, 0].tolist():
            logp = float(logps[place, 0])
            found[int(sentences[place])] = _hypothesis(words[place, 0].tolist(), logp, logp)
        going = (~over).nonzero()[:, 0]
        if not len(going):
            break
        state = selected(state, (going[:, None] * width + rows[going]).flatten())
        sentences, logps, words = sentences[going], logps[going], words[going]
    return [found[number] for number in range(len(source))]


def _hypothesis(words: list[int], logp: float, before: float) -> Hypothesis:
    """Return the output of a row that begins with BEGIN; `before` is without its last word."""
    if END in words:
        return Hypothesis(True, logp, tuple(words[1 : words.index(END)]))
    return Hypothesis(False, before, tuple(words[1:-1]))


def _next_logp(logits: Tensor, last: Tensor) -> Tensor:
    """Return log-probabilities of the next word `[B, V]`; after END comes padding for sure."""
    logp = logits.float().log_softmax(1)
    logp[:, [PADDING, BEGIN, UNKNOWN]] = -torch.inf
    over = (last == END) | (last == PADDING)
    logp[over] = -torch.inf
    logp[over, PADDING] = 0
    return logp
