"""Probe that shows whether the states of a frozen encoder help to predict the tags of train.

Two kernel ridge classifiers predict the tag of each token: one from the word, its letters and its
neighbours, the other also from the state of the frozen encoder. The tags of a sentence are
predicted from all other sentences. This has a closed form (Rifkin & Lippert 2007), so each
classifier needs only one matrix inverse.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from amparser.nn.encoders.spelling import letter_ngrams
from amparser.nn.pretrained import SharedEncoder, states_of
from amparser.nn.registry import USUAL_ENCODER
from amparser.nn.vectors.known import share_of_new, word_counts

_LEAST_NEW = 0.004
"""Minimum estimated share of unknown words in new sentences for running the probe."""


@dataclass(frozen=True, slots=True)
class Probe:
    """Numbers of tokens whose tags the two classifiers predict correctly.

    Attributes:
        count: number of all tokens.
        without: tokens that are correct without states.
        gained, lost: tokens that are correct only with states, and only without states.
    """

    count: int
    without: int
    gained: int
    lost: int

    @property
    def helps(self) -> bool:
        """True if `gained` - `lost` is greater than six standard errors (McNemar 1947).

        In experiments with three to six standard errors, parsers did not clearly improve.
        """
        return self.gained - self.lost > 6 * math.sqrt(self.gained + self.lost)

    def remark(self, name: str) -> str:
        """Return a line for the report that says whether the encoder is used, and why."""
        before = self.without / max(self.count, 1)
        after = before + (self.gained - self.lost) / max(self.count, 1)
        return (
            f"encoder: {name if self.helps else 'none'}; with states of {name} the constants of "
            f"{after:.1%} of held-out words are right, without them {before:.1%}"
        )


def probe_of(rows: Sequence[Any]) -> Probe | None:
    """Return the probe of `USUAL_ENCODER` on training rows.

    Args:
        rows: rows with `tokens` and `tags`.

    Returns:
        The probe, or None if the encoder cannot read a row, or if almost no word will be unknown.
    """
    if share_of_new(word_counts(row.tokens for row in rows)) < _LEAST_NEW:
        return None
    encoder = SharedEncoder(USUAL_ENCODER)
    if any(not hasattr(row, "tags") or encoder.problem(row.tokens) for row in rows):
        return None
    return probe(
        [row.tokens for row in rows], [row.tags for row in rows], partial(states_of, encoder)
    )


def probe(
    sentences: Sequence[Sequence[str]],
    tags: Sequence[Sequence[int]],
    states: Callable[[Sequence[Sequence[str]]], Sequence[Tensor]],
    most: int = 2_000,
) -> Probe:
    """Return how well tags of train are predicted with and without the states of an encoder.

    Args:
        sentences: non-empty sentences of train; only the first of equal sentences is used.
        tags: tag of each token.
        states: function that returns the states `[n, D]` of each sentence.
        most: maximum number of tokens to use.
    """
    tag_of = {tuple(s): t for s, t in zip(reversed(sentences), reversed(tags), strict=True)}
    chosen: list[tuple[str, ...]] = []
    count = 0
    for sentence in Random(0).sample(sorted(tag_of), len(tag_of)):
        if count + len(sentence) <= most:
            chosen.append(sentence)
            count += len(sentence)
    if not chosen:
        return Probe(0, 0, 0, 0)
    classes = torch.tensor([tag for sentence in chosen for tag in tag_of[sentence]])
    lengths = list(map(len, chosen))
    forms = sum(map(_products, _features(chosen)), torch.ones(count, count, dtype=torch.float64))
    centred = torch.cat([*states(chosen)]).double()
    centred -= centred.mean(dim=0)
    before = _right(forms, classes, lengths)
    after = _right(forms + _products(centred), classes, lengths)
    gained, lost = after & ~before, before & ~after
    return Probe(count, *(int(some.sum()) for some in (before, gained, lost)))


def _features(sentences: Sequence[Sequence[str]]) -> list[Tensor]:
    """Return features `[T, F]` of T tokens: letters, the word, the previous and the next word."""
    padded = [["", *(word.lower() for word in sentence), ""] for sentence in sentences]
    words, before, after = (
        [word for row in padded for word in row[start : len(row) - 2 + start]]
        for start in (1, 0, 2)
    )
    buckets = 4096
    letters = torch.zeros(len(words), buckets, dtype=torch.float64)
    for row, word in zip(letters, words, strict=True):
        row[letter_ngrams(word, buckets)] = 1.0
    numbers = {word: i for i, word in enumerate(dict.fromkeys(["", *words]))}
    ids = torch.tensor([[numbers[word] for word in column] for column in (words, before, after)])
    return [letters, *(one_hot(column).double() for column in ids)]


def _products(features: Tensor) -> Tensor:
    """Return the cosines `[T, T]` of the rows of features `[T, F]`."""
    unit = torch.nn.functional.normalize(features, dim=1)
    return unit @ unit.T


def _right(kernel: Tensor, classes: Tensor, lengths: Sequence[int], ridge: float = 0.3) -> Tensor:
    """Return `[T]` bool: whether each token's class is predicted correctly.

    The prediction does not use the token's own sentence.
    """
    kernel = kernel + ridge * torch.eye(len(kernel), dtype=kernel.dtype)
    inverse = torch.cholesky_inverse(torch.linalg.cholesky(kernel))
    gold = one_hot(classes).to(kernel.dtype)
    weights = inverse @ gold
    predicted = []
    start = 0
    for length in lengths:
        part = slice(start, start + length)
        # Closed form of the prediction errors in a sentence that is held out.
        residual = torch.linalg.solve(inverse[part, part], weights[part])
        predicted.append((gold[part] - residual).argmax(dim=1))
        start += length
    return torch.cat(predicted) == classes
