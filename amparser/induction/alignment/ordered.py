"""Alignment of ordered targets with tokens by a hidden Markov model, trained by EM.

The nodes of a graph, in order, are emitted by the tokens of its sentence, as a translation's words
are emitted by source words (Vogel et al. 1996). Emissions depend on the token's features: its form
and, if the corpus has them, lemma and tags. A label that resembles the token is more probable.
Jumps from the token of one target to the next are learned separately for nodes, constants and
boxes. Graphs in text order are therefore aligned almost monotonically, and others are not forced
to be.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from amparser.decode.compiled import compiled
from amparser.induction.alignment.search import Float, Grid, Int, numbering, starts
from amparser.lexicon.spelling import common_letters

NODE, CONSTANT, BOX = range(3)

_CLIP = 8
_FLOOR = 1e-6


@dataclass(frozen=True)
class Target:
    """Item to align.

    Attributes:
        kind: `NODE`, `CONSTANT` or `BOX`.
        label: its label, which an annotated anchor may equal.
        text: the part that a token may spell, in lower case; empty for none.
        emitted: the label under which emission probabilities are learned.
    """

    kind: int
    label: str
    text: str
    emitted: str


@dataclass(frozen=True)
class Pair:
    """Sentence and its targets.

    Attributes:
        features: features of each token, at least one; a prefix names the layer
            (`lemma=fry`).
        spellings: spellings of each token in lower case: form, lemma.
        anchors: node label annotated at each token.
        targets: targets in order.
        given: token of each target (from 0) if it is known, else -1; may be empty.
    """

    features: Sequence[Sequence[str]]
    spellings: Sequence[Sequence[str]]
    anchors: Sequence[str]
    targets: Sequence[Target]
    given: Sequence[int] = ()


class Sentences(NamedTuple):
    """Data of concatenated rows apart from their pairs.

    Attributes:
        kind: kind of each target.
        token_start: offset of each row's tokens, `[R + 1]`.
        feature_end: number of features of the row up to and including each token.
        match: bonus of each target at each token from spelling, anchors and a given alignment; one
            flattened matrix `[targets, tokens]` per row.
        match_start: offset of each row's matrix, `[R + 1]`.
    """

    kind: Int
    token_start: Int
    feature_end: Int
    match: Float
    match_start: Int


def likeness(text: str, spelling: str) -> float:
    """Return the similarity of a label and a token: 1 if equal, less for a common prefix."""
    if not text:
        return 0.0
    if text == spelling:
        return 1.0
    common = common_letters(text, spelling)
    longer = max(len(text), len(spelling))
    return 0.5 * common / longer if common >= 3 and 2 * common >= longer else 0.0


def align_in_order(pairs: Sequence[Pair]) -> list[tuple[int, ...]]:
    """Return the token (from 0) of each target of each pair; a pair needs at least one token.

    Fully given pairs are returned as they are and not used for training.

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
    sentences, grid = _sentences(pairs), numbered.grid
    seen = np.bincount(grid.feature, minlength=len(numbered.features))[numbered.pair_feature]
    table = np.full(len(seen), 0.01)
    jumps = np.full((3, 2 * _CLIP + 1), 0.5)
    jumps[:, _CLIP - 1 : _CLIP + 3] = 1.0
    # Six rounds of EM; the first ignores the order.
    for number in range(6):
        # Smaller posteriors are dropped for speed.
        counts, jump_counts = _expected(grid, sentences, table, jumps, _FLOOR, 1e-3)
        table = counts / (seen + 1)
        if number >= 1:
            # Flatten the jump distribution, so that emissions weigh more.
            jumps = (jump_counts / jump_counts.sum(axis=1, keepdims=True)) ** 0.5
    tokens_of = _likeliest(grid, sentences, table, jumps, _FLOOR).tolist()
    ends = grid.unit_start.tolist()
    return [tuple(tokens_of[first:end]) for first, end in itertools.pairwise(ends)]


def _sentences(pairs: Sequence[Pair]) -> Sentences:
    remembered = cache(likeness)
    matches = [np.zeros(0)]
    for pair in pairs:
        bonus = np.zeros((len(pair.targets), len(pair.features)))
        for k, target in enumerate(pair.targets):
            for n, spellings in enumerate(pair.spellings):
                if target.text:
                    best = max((remembered(target.text, s) for s in spellings), default=0.0)
                    bonus[k, n] = 0.5 * best
                if target.kind == NODE and pair.anchors and pair.anchors[n] == target.label:
                    # An annotated anchor outweighs counts.
                    bonus[k, n] += 20.0
        for k, given in enumerate(pair.given):
            if given >= 0:
                # A given alignment outweighs everything else.
                bonus[k, given] += 1e6
        matches.append(bonus.ravel())
    kind = [target.kind for pair in pairs for target in pair.targets]
    ends = [np.cumsum([len(row) for row in pair.features]) for pair in pairs]
    return Sentences(
        np.array(kind, dtype=np.int64),
        starts(len(pair.features) for pair in pairs),
        np.concatenate([np.zeros(0, dtype=np.int64), *ends]),
        np.concatenate(matches),
        starts(len(match) for match in matches[1:]),
    )


@compiled
def _emissions(row: int, grid: Grid, sentences: Sentences, table: Float, floor: float) -> Float:
    """Return the unnormalised probability of each target of a row at each token, `[K, N]`."""
    ends = sentences.feature_end[sentences.token_start[row] : sentences.token_start[row + 1]]
    shape = grid.unit_start[row + 1] - grid.unit_start[row], len(ends)
    match = sentences.match[sentences.match_start[row] : sentences.match_start[row + 1]]
    emissions = match.reshape(shape) + floor
    pairs = grid.pair[grid.pair_start[row] : grid.pair_start[row + 1]].reshape(shape[0], -1)
    for k in range(shape[0]):
        first = 0
        for n in range(shape[1]):
            total = 0.0
            for i in range(first, ends[n]):
                total += table[pairs[k, i]]
            emissions[k, n] += total / (ends[n] - first)
            first = ends[n]
    return emissions


@compiled
def _transitions(count: int, jumps: Float) -> Float:
    """Return transition probabilities by kind, previous token and token, `[3, N, N]`."""
    clip = jumps.shape[1] // 2
    transitions = np.empty((len(jumps), count, count))
    for kind in range(len(jumps)):
        for i in range(count):
            for j in range(count):
                transitions[kind, i, j] = jumps[kind, min(max(j - i, -clip), clip) + clip]
            transitions[kind, i] /= transitions[kind, i].sum()
    return transitions


# Long, because it does forward and backward passes at once.
@compiled
def _expected(
    grid: Grid,
    sentences: Sentences,
    table: Float,
    jumps: Float,
    floor: float,
    least: float,
) -> tuple[Float, Float]:
    counts, jump_counts = np.zeros(len(table)), np.full(jumps.shape, 0.5)
    clip = jumps.shape[1] // 2
    for row in range(len(grid.unit_start) - 1):
        kinds = sentences.kind[grid.unit_start[row] : grid.unit_start[row + 1]]
        if len(kinds) == 0:
            continue
        emitted = _emissions(row, grid, sentences, table, floor)
        size, width = emitted.shape
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
        ends = sentences.feature_end[sentences.token_start[row] : sentences.token_start[row + 1]]
        pairs = grid.pair[grid.pair_start[row] : grid.pair_start[row + 1]].reshape(size, -1)
        for k in range(size):
            posterior = forward[k] * backward[k]
            posterior /= posterior.sum()
            for n in range(width):
                if posterior[n] > least:
                    for i in range(ends[n - 1] if n else 0, ends[n]):
                        counts[pairs[k, i]] += posterior[n]
            if k == 0:
                continue
            joint = steps[kinds[k]] * (emitted[k] * backward[k])
            for i in range(width):
                joint[i] *= forward[k - 1, i]
            joint /= joint.sum()
            for i in range(width):
                for j in range(max(0, i - clip), min(width, i + clip + 1)):
                    jump_counts[kinds[k], j - i + clip] += joint[i, j]
    return counts, jump_counts


@compiled
def _likeliest(grid: Grid, sentences: Sentences, table: Float, jumps: Float, floor: float) -> Int:
    tokens = np.zeros(len(grid.label), dtype=np.int64)
    for row in range(len(grid.unit_start) - 1):
        first = grid.unit_start[row]
        size = grid.unit_start[row + 1] - first
        if size == 0:
            continue
        scores = np.log(_emissions(row, grid, sentences, table, floor))
        width = scores.shape[1]
        steps = np.log(_transitions(width, jumps))
        pointers = np.zeros((size, width), dtype=np.int64)
        for k in range(1, size):
            step = steps[sentences.kind[first + k]]
            for j in range(width):
                through = scores[k - 1] + step[:, j]
                pointers[k, j] = through.argmax()
                scores[k, j] += through.max()
        at = scores[size - 1].argmax()
        for k in range(size - 1, -1, -1):
            tokens[first + k] = at
            at = pointers[k, at]
    return tokens
