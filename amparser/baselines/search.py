"""Greedy and beam search for the words of a target, whole batches at a time.

A search returns the words without END. An output that reaches the length limit without
END is not `finished`; its log-probability is that of its words only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from amparser.baselines.networks import Seq2SeqNetwork
from amparser.baselines.settings import SearchSettings
from amparser.baselines.vocabulary import BEGIN, END, PADDING, UNKNOWN


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """An output for a sentence.

    Attributes:
        words: their ids, without END.
        logp: the natural logarithm of its probability, including END if `finished`.
        finished: whether END came before the length limit.
    """

    words: tuple[int, ...]
    logp: float
    finished: bool

    def score(self, length_penalty: float) -> float:
        """`logp` divided by ((5 + length) / 6) ** alpha (Wu et al. 2016, equation 14)."""
        length = len(self.words) + self.finished
        divisor: float = ((5 + length) / 6) ** length_penalty
        return self.logp / divisor


@torch.no_grad()
def search(
    network: Seq2SeqNetwork, source: Tensor, lengths: Tensor, settings: SearchSettings
) -> list[Hypothesis]:
    """The best output that the settings' search finds for each sentence.

    Beam search is never worse than greedy search: the best outputs of both
    compete, finished ones before others, then by score.
    """
    network.eval()
    greedy = beam_search(network, source, lengths, replace(settings, beam_size=1))
    if settings.beam_size == 1:
        return greedy
    found = beam_search(network, source, lengths, settings)
    return [
        max((beam, single), key=lambda h: (h.finished, h.score(settings.length_penalty)))
        for beam, single in zip(found, greedy, strict=True)
    ]


@torch.no_grad()
def beam_search(
    network: Seq2SeqNetwork, source: Tensor, lengths: Tensor, settings: SearchSettings
) -> list[Hypothesis]:
    """The best of `beam_size` outputs per sentence that grow side by side; one is greedy search.

    A sentence is done when no unfinished output could still become better than the best
    finished one; an unfinished output only loses probability.
    """
    width, limit, alpha = settings.beam_size, settings.max_length, settings.length_penalty
    device, count = source.device, len(source)
    state = network.start(source, lengths)
    state = state.rows(torch.arange(count, device=device).repeat_interleave(width))
    # At first only row 0 of each sentence may go on, since all rows are the same.
    logps = torch.full((count, width), -torch.inf, device=device)
    logps[:, 0] = 0
    last = torch.full((count * width,), BEGIN, device=device)
    words: list[list[list[int]]] = [[[] for _ in range(width)] for _ in range(count)]
    ended: list[list[Hypothesis]] = [[] for _ in range(count)]
    sentences = list(range(count))
    # As log-probabilities are negative, the longest output has the highest score.
    best_divisor = ((5 + limit + 1) / 6) ** alpha
    for length in range(limit + 1):
        logits, state = network.step(last, state)
        size = logits.shape[1]
        candidates = logps[:, :, None] + _next_logp(logits).view(len(sentences), width, size)
        # Each row has one END, so of twice as many continuations `width` go on.
        best, places = candidates.flatten(1).topk(min(2 * width, width * size), 1)
        chosen_rows, chosen_words, chosen_logps, alive = [], [], [], []
        for place, (values, flat) in enumerate(zip(best.tolist(), places.tolist(), strict=True)):
            sentence = sentences[place]
            going, over = _continued(words[place], values, flat, width, size)
            ended[sentence] += over
            if length == limit:
                ended[sentence] = ended[sentence] or [
                    Hypothesis(tuple(row), logp, False)
                    for row, logp in zip(words[place], logps[place].tolist(), strict=True)
                ]
                continue
            bound = going[0][2] / best_divisor if going else -torch.inf
            if not going or any(h.score(alpha) >= bound for h in ended[sentence]):
                continue
            alive.append(place)
            words[place] = [[*words[place][beam], word] for beam, word, _ in going]
            words[place] += [[] for _ in range(width - len(going))]
            going += [(0, PADDING, -torch.inf)] * (width - len(going))
            chosen_rows += [place * width + beam for beam, _, _ in going]
            chosen_words += [word for _, word, _ in going]
            chosen_logps.append([logp for _, _, logp in going])
        if not alive:
            break
        index = torch.tensor(chosen_rows, device=device)
        if len(alive) < len(sentences):
            state = state.rows(index)
        elif width > 1:
            state = state.histories(index)
        last = torch.tensor(chosen_words, device=device)
        logps = torch.tensor(chosen_logps, device=device)
        words = [words[place] for place in alive]
        sentences = [sentences[place] for place in alive]
    return [max(some, key=lambda h: h.score(alpha)) for some in ended]


def _continued(
    words: Sequence[Sequence[int]],
    logps: Sequence[float],
    places: Sequence[int],
    width: int,
    size: int,
) -> tuple[list[tuple[int, int, float]], list[Hypothesis]]:
    """Output, word and log-probability of what goes on, the best first; the finished outputs."""
    going: list[tuple[int, int, float]] = []
    over = []
    for rank, (logp, place) in enumerate(zip(logps, places, strict=True)):
        beam, word = divmod(place, size)
        if logp == -torch.inf:
            continue
        if word == END:
            if rank < width:
                over.append(Hypothesis(tuple(words[beam]), logp, True))
        elif len(going) < width:
            going.append((beam, word, logp))
    return going, over


def _next_logp(logits: Tensor) -> Tensor:
    """Log-probabilities of the next word `[B, V]`; ids that no target has are impossible."""
    logp = logits.float().log_softmax(1)
    logp[:, [PADDING, BEGIN, UNKNOWN]] = -torch.inf
    return logp
