"""Which token each node and box of a graph comes from: a hidden Markov model, trained by EM.

The nodes of a graph, in order, are emitted by the tokens of its sentence, as the words of a
translation are by those of its source (Vogel et al. 1996). What a token emits depends on its
features, such as its form and, where a corpus has them, its lemma and tags; a label that looks
like a feature is likelier. Jumps from the token of one node to that of the next are learned apart
for nodes, constants and boxes, so that graphs in the order of the text are aligned almost
monotonically and others are not forced to be.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

NODE, CONSTANT, BOX = range(3)

_ROUNDS, _FREE_ROUNDS = 6, 2
_JUMP_POWER = 0.5
_CLIP = 8
_MATCH, _ANCHOR = 0.5, 20.0
_FLOOR = 1e-6


@dataclass(frozen=True)
class Target:
    """Something to align.

    Attributes:
        kind: `NODE`, `CONSTANT` or `BOX`.
        label: its label, which an anchor may equal.
        text: what of it a token may show, in lower case; empty for nothing.
        emitted: the label by which probabilities are learned.
    """

    kind: int
    label: str
    text: str
    emitted: str


@dataclass(frozen=True)
class Pair:
    """A sentence and what comes from it.

    Attributes:
        features: of each token; features of different layers differ, such as `lemma=fry`.
        spellings: of each token, all in lower case: form, lemma.
        anchors: of each token, labels of nodes that an annotator gave it.
        targets: in order.
        given: the token of each target if it is known, or -1.
    """

    features: Sequence[Sequence[str]]
    spellings: Sequence[Sequence[str]]
    anchors: Sequence[str]
    targets: Sequence[Target]
    given: Sequence[int] = ()


def likeness(text: str, spelling: str) -> float:
    """How much a label looks like a token: 1 if equal, less for a common beginning."""
    if not text:
        return 0.0
    if text == spelling:
        return 1.0
    common = 0
    for left, right in zip(text, spelling, strict=False):
        if left != right:
            break
        common += 1
    longer = max(len(text), len(spelling))
    return 0.5 * common / longer if common >= 3 and 2 * common >= longer else 0.0


def align(pairs: Sequence[Pair]) -> list[tuple[int, ...]]:
    """The token of each target of each pair, from 0; a pair has one token at least."""
    matches = [_matches(pair) for pair in pairs]
    table: dict[str, dict[str, float]] = {}
    seen = Counter(feature for pair in pairs for row in pair.features for feature in row)
    jumps = np.full((3, 2 * _CLIP + 1), 0.5)
    jumps[:, _CLIP - 1 : _CLIP + 3] = 1.0
    for number in range(_ROUNDS):
        counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        jump_counts = np.full_like(jumps, 0.5)
        for pair, match in zip(pairs, matches, strict=True):
            if pair.targets:
                _expect(pair, match, table, jumps, counts, jump_counts)
        table = {
            feature: {label: n / (seen[feature] + 1) for label, n in row.items()}
            for feature, row in counts.items()
        }
        if number >= _FREE_ROUNDS - 1:
            jumps = (jump_counts / jump_counts.sum(axis=1, keepdims=True)) ** _JUMP_POWER
    return [
        _viterbi(pair, _emissions(pair, match, table), jumps) if pair.targets else ()
        for pair, match in zip(pairs, matches, strict=True)
    ]


def _matches(pair: Pair) -> FloatArray:
    """`[K, N]`: what likeness and anchors add to the probability of a target at a token."""
    found = np.zeros((len(pair.targets), len(pair.features)))
    for k, target in enumerate(pair.targets):
        for n, spellings in enumerate(pair.spellings):
            best = max((likeness(target.text, s) for s in spellings), default=0.0)
            found[k, n] = _MATCH * best
            if target.kind == NODE and pair.anchors and pair.anchors[n] == target.label:
                found[k, n] += _ANCHOR
    for k, given in enumerate(pair.given):
        if given >= 0:
            found[k, given] += 1e6
    return found


def _emissions(pair: Pair, match: FloatArray, table: dict[str, dict[str, float]]) -> FloatArray:
    """`[K, N]`: the probability, up to a factor, of each target at each token."""
    found = match + _FLOOR
    for n, features in enumerate(pair.features):
        rows = [table.get(feature, {}) for feature in features]
        for k, target in enumerate(pair.targets):
            key = f"{target.kind} {target.emitted}"
            if table:
                found[k, n] += sum(row.get(key, 0.0) for row in rows) / len(rows)
            else:
                found[k, n] += 0.01
    return found


def _transitions(count: int, jumps: FloatArray) -> FloatArray:
    """`[N, N]`: from the token before to the token of a target."""
    offsets = np.arange(count)[None, :] - np.arange(count)[:, None]
    found: FloatArray = jumps[np.clip(offsets, -_CLIP, _CLIP) + _CLIP]
    found /= found.sum(axis=1, keepdims=True)
    return found


def _expect(
    pair: Pair,
    match: FloatArray,
    table: dict[str, dict[str, float]],
    jumps: FloatArray,
    counts: dict[str, dict[str, float]],
    jump_counts: FloatArray,
) -> None:
    """Add the expected counts of one pair (forward-backward)."""
    emitted = _emissions(pair, match, table)
    size, width = emitted.shape
    steps = [_transitions(width, jumps[kind]) for kind in range(3)]
    forward = np.empty_like(emitted)
    backward = np.ones_like(emitted)
    forward[0] = emitted[0] / emitted[0].sum()
    for k in range(1, size):
        row = (forward[k - 1] @ steps[pair.targets[k].kind]) * emitted[k]
        forward[k] = row / row.sum()
    for k in range(size - 2, -1, -1):
        row = steps[pair.targets[k + 1].kind] @ (emitted[k + 1] * backward[k + 1])
        backward[k] = row / row.sum()
    for k, target in enumerate(pair.targets):
        posterior = forward[k] * backward[k]
        posterior /= posterior.sum()
        key = f"{target.kind} {target.emitted}"
        for n in np.flatnonzero(posterior > 1e-3):
            for feature in pair.features[int(n)]:
                counts[feature][key] += float(posterior[n])
        if k:
            joint = forward[k - 1][:, None] * steps[target.kind]
            joint *= (emitted[k] * backward[k])[None, :]
            joint /= joint.sum()
            for offset in range(-min(width - 1, _CLIP), min(width - 1, _CLIP) + 1):
                jump_counts[target.kind, offset + _CLIP] += np.trace(joint, offset)


def _viterbi(pair: Pair, emitted: FloatArray, jumps: FloatArray) -> tuple[int, ...]:
    """The likeliest tokens."""
    size, width = emitted.shape
    steps = [np.log(_transitions(width, jumps[kind])) for kind in range(3)]
    scores = np.log(emitted)
    best = scores[0]
    pointers = np.zeros((size, width), dtype=np.int64)
    for k in range(1, size):
        through = best[:, None] + steps[pair.targets[k].kind]
        pointers[k] = through.argmax(axis=0)
        best = through.max(axis=0) + scores[k]
    at = int(best.argmax())
    tokens = [at]
    for k in range(size - 1, 0, -1):
        at = int(pointers[k, at])
        tokens.append(at)
    return tuple(reversed(tokens))
