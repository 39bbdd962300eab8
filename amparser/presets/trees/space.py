"""Search space of a sentence's derivations, and its restriction to limits on choices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.decode.chart import Float, Tokens, Variants
from amparser.decode.next_best import Limits
from amparser.lexicon.encoded import CONTINUE_TAG, FIRST_FRAGMENT, IGNORE_TAG, NOBODY, Encoded

CONSTANT, PLACE = "constant", "place"
"""Choices of each token (see `choices_of`)."""
IMPOSSIBLE = -1e8
"""Score of a forbidden choice."""


class Candidate(NamedTuple):
    """Candidate constant at a token.

    Attributes:
        logp: its log-probability (natural log).
        closed: `[2^H]`, score of each set of closed ports (bits); -inf if too improbable.
    """

    token: int
    tag: int
    logp: float
    closed: Float

    @property
    def states(self) -> int:
        """The number of sets of unfilled ports that a chart item may have."""
        some = self.closed > -np.inf
        for part in (some.reshape(-1, 2, 1 << port) for port in range(len(some).bit_length() - 1)):
            part[:, 1] |= part[:, 0]
        return int(some.sum())

    def barred(self, limits: Limits) -> NDArray[np.bool_]:
        """Return a mask of the sets of closed ports that limits exclude, `[2^H]`."""
        sets = {(self.tag, closed): closed for closed in range(len(self.closed))}
        return limits.barred((self.token, CONSTANT), sets)


class Space(NamedTuple):
    """All derivations of a sentence, before limits.

    Attributes:
        candidates: constant of each variant.
        variants: constants and their copies, as input of a decoder.
    """

    tokens: Tokens
    candidates: Sequence[Candidate]
    variants: Variants
    decoder: str


def choices_of(derivation: Encoded) -> list[tuple[tuple[int, str], tuple[int, int]]]:
    """Return the choices of each token: its constant and closed ports, then its head and port."""
    choices = []
    for t, tag in enumerate(derivation.tags):
        choices.append(((t, CONSTANT), (tag, derivation.closed[t])))
        if tag >= FIRST_FRAGMENT:
            choices.append(((t, PLACE), (derivation.heads[t], derivation.ports[t])))
    return choices


def limited(space: Space, limits: Limits) -> Space:
    """Return the space within limits: the scores of all other choices make them impossible."""
    tokens, variants = space.tokens, space.variants
    ignored, continues, arc = (part.copy() for part in tokens[:3])
    closed, pair = variants.closed.copy(), variants.pair.copy()
    for row, candidate in zip(closed, space.candidates, strict=True):
        row[: len(candidate.closed)][candidate.barred(limits)] = -np.inf
    pair[closed.max(1) == -np.inf] = -np.inf
    places = product(sorted(set(variants.token.tolist())), range(pair.shape[1]))
    number = {place: i for i, place in enumerate(places)}
    for t in range(len(ignored)):
        for scores, tag in ((ignored, IGNORE_TAG), (continues, CONTINUE_TAG)):
            if not limits.allow((t, CONSTANT), (tag, 0)):
                scores[t] = 2 * IMPOSSIBLE
        if not limits.allow((t, PLACE), (NOBODY, NOBODY)):
            arc[t, 0] = 2 * IMPOSSIBLE
        for head, port in compress(number, limits.barred((t, PLACE), number)):
            pair[np.ix_(variants.token == head, [port], variants.token == t)] = -np.inf
    return space._replace(
        tokens=Tokens(ignored, continues, arc, tokens.root),
        variants=variants._replace(closed=closed, pair=pair),
    )


class TokenBound:
    """Upper bound of the scores of each token of a space, within limits."""

    def __init__(self, space: Space) -> None:
        tokens, variants = space.tokens, space.variants
        self._candidates, self._closed = space.candidates, variants.closed
        self._spans = variants.logp.max(1) + variants.span.max(1)
        known, first = np.unique(variants.token, return_index=True)
        fits = variants.place >= 0
        filler = np.append(variants.filler.max((1, 2)), -np.inf)[np.where(fits, variants.place, -1)]
        below = np.maximum.reduceat(variants.pair + filler[:, :, None], first, axis=0)
        below += tokens.arc[variants.token][:, known + 1].T[:, None]
        root = variants.root + tokens.arc[variants.token, 0] + tokens.root.max()
        # `[V, heads * H + 1]`: the root is last.
        self._above = np.append(below.reshape(-1, len(root)), root[None], axis=0).T
        places = product(known.tolist(), range(below.shape[1]))
        self._place = {place: i for i, place in enumerate((*places, (NOBODY, NOBODY)))}
        self._rows = {t: np.flatnonzero(variants.token == t) for t in range(len(tokens.ignored))}
        self._no_constant = {IGNORE_TAG: tokens.ignored, CONTINUE_TAG: tokens.continues}

    def __call__(self, limits: Limits, token: int) -> float:
        """Return the maximum of what a token can add to the score within limits."""
        rows, constant = self._rows[token], (token, CONSTANT)
        most = [
            float(scores[token])
            for tag, scores in self._no_constant.items()
            if limits.allow(constant, (tag, 0))
        ]
        if len(rows):
            closed, above = self._closed[rows], self._above[rows]
            if constant in limits.only or constant in limits.never:
                for row, v in zip(closed, rows.tolist(), strict=True):
                    candidate = self._candidates[v]
                    row[: len(candidate.closed)][candidate.barred(limits)] = -np.inf
            above[:, limits.barred((token, PLACE), self._place)] = -np.inf
            most.append(float((self._spans[rows] + closed.max(1) + above.max(1)).max()))
        return max(most, default=-np.inf)
