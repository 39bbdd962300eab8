"""Search space: all derivations of a sentence, or those that respect limits on choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from amparser.decode.chart import Float, Tokens, Variants
from amparser.decode.next_best import Limits
from amparser.lexicon.encoded import CONTINUE_TAG, FIRST_FRAGMENT, IGNORE_TAG, NOBODY, Encoded

CONSTANT, PLACE = "constant", "place"
"""Names of the choices at each token; see `choices_of`."""
IMPOSSIBLE = -1e8
"""Score of a forbidden choice."""


class Candidate(NamedTuple):
    """Candidate constant at a token.

    Attributes:
        logp: log-probability (natural log) of the constant.
        closed: score of each set of ports (as bits) that defaults fill, `[2^H]`; -inf if it is too
            improbable.
    """

    token: int
    tag: int
    logp: float
    closed: Float

    @property
    def states(self) -> int:
        """Number of sets of ports that may be unfilled in an item of the chart."""
        some = self.closed > -np.inf
        for part in (some.reshape(-1, 2, 1 << port) for port in range(len(some).bit_length() - 1)):
            part[:, 1] |= part[:, 0]
        return int(some.sum())


class Space(NamedTuple):
    """All derivations of a sentence.

    Attributes:
        tokens: scores of the tokens.
        candidates: the candidate constants.
        variants: the candidates as input of a decoder, in the same order.
        decoder: name of the decoder.
    """

    tokens: Tokens
    candidates: Sequence[Candidate]
    variants: Variants
    decoder: str


def choices_of(derivation: Encoded) -> list[tuple[tuple[int, str], tuple[int, int]]]:
    """Return (choice, value) pairs of a derivation.

    The choices at a token are its constant with the ports that defaults fill (`CONSTANT`), and its
    head with the head's port (`PLACE`).
    """
    choices = []
    for t, tag in enumerate(derivation.tags):
        choices.append(((t, CONSTANT), (tag, derivation.closed[t])))
        if tag >= FIRST_FRAGMENT:
            choices.append(((t, PLACE), (derivation.heads[t], derivation.ports[t])))
    return choices


def limited(space: Space, limits: Limits) -> Space:
    """Return the space with impossible scores for all values that the limits exclude."""
    tokens, variants = space.tokens, space.variants
    ignored, continues, arc = (part.copy() for part in tokens)
    closed, pair = variants.closed.copy(), variants.pair.copy()
    row = {(one.token, one.tag): number for number, one in enumerate(space.candidates)}
    for t in sorted({token for token, _ in (*limits.only, *limits.never)}):
        own = variants.token == t
        for scores, tag in ((ignored, IGNORE_TAG), (continues, CONTINUE_TAG)):
            if not limits.allow((t, CONSTANT), (tag, 0)):
                scores[t] = 2 * IMPOSSIBLE
        values, barred = limits.named((t, CONSTANT))
        out = np.zeros(closed.shape, np.bool_)
        out[own] = not barred
        for tag, left in values:
            if (t, tag) in row:
                out[row[t, tag], left] = barred
        closed[out] = -np.inf
        if not limits.allow((t, PLACE), (NOBODY, NOBODY)):
            arc[t, 0] = 2 * IMPOSSIBLE
        values, barred = limits.named((t, PLACE))
        out = np.full(pair.shape[:2], not barred)
        for head, port in values:
            out[variants.token == head, port] = barred
        pair[out[:, :, None] & own] = -np.inf
    pair[closed.max(1) == -np.inf] = -np.inf
    return space._replace(
        tokens=Tokens(ignored, continues, arc),
        variants=variants._replace(closed=closed, pair=pair),
    )
