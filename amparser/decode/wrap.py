"""Chart parser over fragments with ports; it finds projective trees and wrapped heads.

A *constituent* is a token with its arguments. It covers a span of tokens; some of them may be
ignored. Two adjacent constituents are combined if one fills a port of the other. A head with one
unfilled port may also be inside its only argument (it is *wrapped*). In this case, an item for the
argument leaves out the token of the head (its *gap*), and the head is put into the gap later.

An *item* represents constituents over one span with the same variant (fragment at a token), gap and
unfilled ports. An item is *complete* if each port is filled by an argument or by its default.

An item is removed if an upper bound of the scores of all trees that contain it is below the current
threshold. A few thresholds slightly below the upper bound of the sentence are tried first, in
descending order. If none of them gives a tree, the last threshold is the score of the best
projective tree over the most probable variants.

With n tokens and V variants, there are at most O(n^2 * n * V) items and O(n^4 * n * V) steps; a
tagger usually leaves one or two variants of each token.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np

from amparser.decode.chart import Tokens, Variants, bounds, filled
from amparser.decode.parse import NO_TREE, Best

_WORSE = range(2, 42, 4)
"""Distances in nats of the thresholds from the upper bound; lower thresholds take far longer."""


class Constituents(NamedTuple):
    """Tree of constituents; each attribute has an entry for each token. Tokens count from 0.

    Attributes:
        variants: variant of the token; -1 if the token is ignored, -2 if it continues a name.
        heads: head of the token; -1 for the root and for tokens without a variant.
        ports: port of the head that the token fills; -1 for the root and tokens without a variant.
        closed: ports (bits) of the token's fragment that defaults fill.
    """

    variants: tuple[int, ...]
    heads: tuple[int, ...]
    ports: tuple[int, ...]
    closed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Decoder of fragments with ports, with or without wrapped heads."""

    name: str
    trees: str
    wrap: bool
    presets: tuple[str, ...] = ("tree",)

    def chart(self, tokens: Tokens, variants: Variants, least: float = -inf) -> Best[Constituents]:
        """Return the best tree, if its score is at least `least`."""
        return decode(tokens, variants, least, wrap=self.wrap)


WRAP = Chart(
    "wrap",
    "the best tree that is projective except for heads inside their only arguments; exact",
    wrap=True,
)
PROJECTIVE = Chart("projective", "the best projective tree; exact", wrap=False)


def decode(
    tokens: Tokens, variants: Variants, least: float = -inf, *, wrap: bool = True
) -> Best[Constituents]:
    """Return the best tree, if its score is at least `least`; without `wrap`, it is projective."""
    if len(tokens.ignored) == 0 or len(variants.token) == 0:
        return Best(failure=NO_TREE)
    most = bounds(tokens, variants)[0].sum()
    for worse in _WORSE:
        bound = max(most - worse, least)
        logp, assigned = filled(tokens, variants, wrap, bound)
        if logp >= bound or bound == least:
            break
    else:
        known, _ = filled(tokens, _likeliest(variants), False, -inf)
        # The margin allows for rounding errors.
        logp, assigned = filled(tokens, variants, wrap, max(known - 1e-6, least))
    if logp < least or logp == -inf:
        return Best(failure=NO_TREE)
    return Best(Constituents(*map(tuple, assigned.tolist())), float(logp))


def _likeliest(variants: Variants) -> Variants:
    score = variants.logp + variants.closed.max(axis=1)
    best = np.full(variants.token.max() + 1, -inf)
    np.maximum.at(best, variants.token, score)
    # The variants within 1.5 nats of the best variant of their token are kept.
    kept = score >= best[variants.token] - 1.5
    likeliest = Variants(*(array[kept] for array in variants))
    return likeliest._replace(pair=np.ascontiguousarray(likeliest.pair[:, :, kept]))
