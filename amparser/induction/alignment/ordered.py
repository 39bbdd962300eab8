"""Alignment of ordered targets with tokens by a hidden Markov model, trained by EM.

The targets are the nodes, constants and boxes of a graph in the order of its text. The tokens of
the sentence emit them, as source words emit a translation in the model of Vogel et al. (1996).
Emission probabilities depend on the token's features: its form and, if the corpus has them, its
lemma and tags. A target whose label resembles the token is more probable. The distribution of jumps
(from the token of one target to the token of the next) is learned separately for nodes, constants
and boxes. The alignment is thus almost monotonic if the corpus lists nodes in the order of the
words.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from amparser.decode.compiled import compiled
from amparser.induction.alignment.search import Float, Int, numbering
from amparser.lexicon.spelling import common_letters

NODE, CONSTANT, BOX = range(3)

_CLIP = 8
"""Maximum length of a jump in tokens; longer jumps count as jumps of this length."""


@dataclass(frozen=True)
class Target:
    """Node, constant or box to align with a token.

    Attributes:
        kind: `NODE`, `CONSTANT` or `BOX`.
        label: the target's label, which is compared with `Pair.anchors`.
        text: the part of the label that a token may spell, in lower case; empty if there is none.
        emitted: the label for which emission probabilities are learned.
    """

    kind: int
    label: str
    text: str
    emitted: str


@dataclass(frozen=True)
class Pair:
    """Sentence and its targets.

    Attributes:
        features: one or more features of each token; a prefix names the annotation layer, as in
            `lemma=fry`.
        spellings: form and lemma of each token, in lower case.
        anchors: for each token, the node label with which the corpus annotates it.
        targets: targets in order.
        given: token of each target (from 0) if it is known, else -1; may be empty.
    """

    features: Sequence[Sequence[str]]
    spellings: Sequence[Sequence[str]]
    anchors: Sequence[str]
    targets: Sequence[Target]
    given: Sequence[int] = ()


class Sentence(NamedTuple):
    """Arrays of a `Pair` with K targets, N tokens and F features of its tokens.

    Attributes:
        kind: kind of each target, `[K]`.
        pairs: index of each combination of a target's label and a feature, `[K, F]`.
        feature_end: end offset of each token's features, `[N]`.
        match: emission bonus of each target at each token, from spelling, annotated labels and a
            given alignment, `[K, N]`.
    """

    kind: Int
    pairs: Int
    feature_end: Int
    match: Float


def likeness(text: str, spelling: str) -> float:
    """Return the similarity of a label and a token: 1 if equal, up to 0.5 for a common prefix."""
    if not text:
        return 0.0
    if text == spelling:
        return 1.0
    common = common_letters(text, spelling)
    longer = max(len(text), len(spelling))
    return 0.5 * common / longer if common >= 3 and 2 * common >= longer else 0.0


def align_in_order(pairs: Sequence[Pair]) -> list[tuple[int, ...]]:
    """Return the token (from 0) of each target of each pair; a pair needs at least one token.

    Pairs whose alignment is completely known keep it; the model is not trained on them.

    Complexity: O(targets * tokens^2) for each pair and round.
    """
    open_pairs = [i for i, pair in enumerate(pairs) if not pair.given or min(pair.given) < 0]
    if len(open_pairs) < len(pairs):
        tokens_of = [tuple(pair.given) for pair in pairs]
        aligned = align_in_order([pairs[i] for i in open_pairs])
        for i, tokens in zip(open_pairs, aligned, strict=True):
            tokens_of[i] = tokens
        return tokens_of
    numbered = numbering(
        [
            (
                [f"{target.kind} {target.emitted}" for target in pair.targets],
                [feature for features in pair.features for feature in features],
            )
            for pair in pairs
        ]
    )
    grid = numbered.grid
    spans = itertools.pairwise(grid.pair_start.tolist())
    remembered = cache(likeness)
    sentences = [
        _sentence(pair, grid.pair[first:end], remembered)
        for pair, (first, end) in zip(pairs, spans, strict=True)
    ]
    seen = np.bincount(grid.feature, minlength=len(numbered.features))[numbered.pair_feature]
    table = np.full(len(seen), 0.01)
    jumps = np.full((3, 2 * _CLIP + 1), 0.5)
    jumps[:, _CLIP - 1 : _CLIP + 3] = 1.0
    # Six rounds of EM; the first ignores the order.
    for number in range(6):
        counts, jump_counts = np.zeros(len(table)), np.full(jumps.shape, 0.5)
        for sentence in sentences:
            _count(sentence, table, jumps, counts, jump_counts)
        table = counts / (seen + 1)
        if number >= 1:
            # Flatten the jump distribution, so that emissions weigh more.
            jumps = (jump_counts / jump_counts.sum(axis=1, keepdims=True)) ** 0.5
    return [tuple(_likeliest(sentence, table, jumps).tolist()) for sentence in sentences]


def _sentence(pair: Pair, indices: Int, likeness: Callable[[str, str], float]) -> Sentence:
    bonus = np.zeros((len(pair.targets), len(pair.features)))
    for k, target in enumerate(pair.targets):
        for n, spellings in enumerate(pair.spellings):
            if target.text:
                best = max((likeness(target.text, s) for s in spellings), default=0.0)
                bonus[k, n] = 0.5 * best
            if target.kind == NODE and pair.anchors and pair.anchors[n] == target.label:
                # An annotated label outweighs the learned emission probabilities.
                bonus[k, n] += 20.0
    for k, given in enumerate(pair.given):
        if given >= 0:
            # A given alignment outweighs everything else.
            bonus[k, given] += 1e6
    ends = np.cumsum([len(row) for row in pair.features])
    kind = np.array([target.kind for target in pair.targets], dtype=np.int64)
    return Sentence(kind, indices.reshape(len(kind), ends[-1]), ends, bonus)


@compiled
def _emissions(sentence: Sentence, table: Float) -> Float:
    """Return the unnormalised probability of each target at each token, `[K, N]`."""
    emissions = sentence.match + 1e-6
    for k in range(len(emissions)):
        first = 0
        for n, end in enumerate(sentence.feature_end):
            total = 0.0
            for i in range(first, end):
                total += table[sentence.pairs[k, i]]
            emissions[k, n] += total / (end - first)
            first = end
    return emissions


@compiled
def _transitions(count: int, jumps: Float) -> Float:
    """Return transition probabilities by kind, previous token and token, `[3, N, N]`."""
    transitions = np.empty((len(jumps), count, count))
    for kind in range(len(jumps)):
        for i in range(count):
            for j in range(count):
                transitions[kind, i, j] = jumps[kind, min(max(j - i, -_CLIP), _CLIP) + _CLIP]
            transitions[kind, i] /= transitions[kind, i].sum()
    return transitions


# This function is long because it does the forward and the backward pass together.
@compiled
def _count(
    sentence: Sentence, table: Float, jumps: Float, counts: Float, jump_counts: Float
) -> None:
    kinds, ends = sentence.kind, sentence.feature_end
    emitted = _emissions(sentence, table)
    size, width = emitted.shape
    if size == 0:
        return
    steps = _transitions(width, jumps)
    forward, backward = np.empty((size, width)), np.ones((size, width))
    forward[0] = emitted[0] / emitted[0].sum()
    for k in range(1, size):
        forward[k] = 0.0
        for i in range(width):
            forward[k] += forward[k - 1, i] * steps[kinds[k], i]
        forward[k] *= emitted[k]
        forward[k] /= forward[k].sum()
    for k in range(size - 2, -1, -1):
        ahead = emitted[k + 1] * backward[k + 1]
        for i in range(width):
            backward[k, i] = (steps[kinds[k + 1], i] * ahead).sum()
        backward[k] /= backward[k].sum()
    for k in range(size):
        posterior = forward[k] * backward[k]
        posterior /= posterior.sum()
        for n in range(width):
            # Ignore smaller posteriors for speed.
            if posterior[n] > 1e-3:
                for i in range(ends[n - 1] if n else 0, ends[n]):
                    counts[sentence.pairs[k, i]] += posterior[n]
        if k == 0:
            continue
        joint = steps[kinds[k]] * (emitted[k] * backward[k])
        for i in range(width):
            joint[i] *= forward[k - 1, i]
        joint /= joint.sum()
        for i in range(width):
            for j in range(max(0, i - _CLIP), min(width, i + _CLIP + 1)):
                jump_counts[kinds[k], j - i + _CLIP] += joint[i, j]


@compiled
def _likeliest(sentence: Sentence, table: Float, jumps: Float) -> Int:
    scores = np.log(_emissions(sentence, table))
    size, width = scores.shape
    tokens = np.zeros(size, dtype=np.int64)
    if size == 0:
        return tokens
    steps = np.log(_transitions(width, jumps))
    pointers = np.zeros((size, width), dtype=np.int64)
    for k in range(1, size):
        step = steps[sentence.kind[k]]
        for j in range(width):
            through = scores[k - 1] + step[:, j]
            pointers[k, j] = through.argmax()
            scores[k, j] += through.max()
    at = scores[size - 1].argmax()
    for k in range(size - 1, -1, -1):
        tokens[k] = at
        at = pointers[k, at]
    return tokens
