"""Typed chart over fragments with ports and sorts: projective trees, and wrapped heads.

A constituent is a token with its arguments. It covers a span of tokens; some of the tokens may be
ignored. Two adjacent constituents combine when one fills a port of the other. A head with one
unfilled port may also stand inside its only argument (*wrap*): the argument is then built with
that token left out (a *gap*), and constituents around a gap combine as usual.

Sorts do not multiply the items: an item carries a score for each sort of its head, and an
argument's scores are converted once into its score in each port.

A fragment is a single variant, whichever of its ports are closed (filled by their defaults): an
item lists its unfilled ports, and is complete if all of them may be closed.

An item is dropped if the upper bound on the score of any tree that contains it is below the current
threshold. The threshold starts near the upper bound of the sentence and is lowered until a tree is
found. The last threshold is the score of the best projective tree over the likeliest variants.

With n tokens, V variants and Z sorts there are O(n^2 * n * V) items and O(n^4 * n * V * Z) steps
at worst; a tagger leaves one or two variants per token.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from amparser.decode.chart import Tokens, Variants, bounds, filled
from amparser.decode.parse import NO_TREE, Best

_WORSE = range(2, 42, 4)
"""Thresholds tried in turn: nats below the upper bound of the sentence.

The steps are small because the search time rises steeply with this difference.
"""


class Constituents(NamedTuple):
    """A tree as one entry per token; tokens count from 0.

    Attributes:
        variants: variant of the token; -1 if it is ignored, -2 if it continues another token.
        heads: head of the token; -1 for the root and for tokens without a variant.
        ports: port of its head that it fills; -1 for the root and for tokens without a variant.
        sorts: sort of its constituent; -1 if it has none.
        closed: ports (bits) of its fragment that are closed by their defaults.
    """

    variants: tuple[int, ...]
    heads: tuple[int, ...]
    ports: tuple[int, ...]
    sorts: tuple[int, ...]
    closed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Chart decoder (`amparser.decode.decoder`), with or without wrapped heads."""

    name: str
    trees: str
    wrap: bool
    presets: tuple[str, ...] = ("tree",)

    def chart(self, tokens: Tokens, variants: Variants) -> Best[Constituents]:
        """Return the best tree; see `ChartDecoder`."""
        return decode(tokens, variants, wrap=self.wrap)


WRAP = Chart(
    "wrap",
    "the best tree that is projective except for heads inside their only arguments; exact",
    wrap=True,
)
PROJECTIVE = Chart("projective", "the best projective tree; exact", wrap=False)


def decode(tokens: Tokens, variants: Variants, *, wrap: bool = True) -> Best[Constituents]:
    """Return the best tree, or the best projective tree if `wrap` is false."""
    if len(tokens.ignored) == 0 or len(variants.token) == 0:
        return Best(failure=NO_TREE)
    most = bounds(tokens, variants)[0].sum()
    for worse in _WORSE:
        logp, assigned = filled(tokens, variants, wrap, most - worse)
        if logp >= most - worse:
            break
    else:
        least, _ = filled(tokens, _likeliest(variants), False, -np.inf)
        # The margin allows for rounding errors.
        logp, assigned = filled(tokens, variants, wrap, least - 1e-6)
    if logp == -np.inf:
        return Best(failure=NO_TREE)
    return Best(Constituents(*map(tuple, assigned.tolist())), float(logp))


def _likeliest(variants: Variants) -> Variants:
    score = variants.logp.max(axis=1) + variants.closed.max(axis=1)
    best = np.full(variants.token.max() + 1, -np.inf)
    np.maximum.at(best, variants.token, score)
    # Compute the last threshold only from variants within 1.5 nats of the token's best variant.
    kept = score >= best[variants.token] - 1.5
    some = {name: getattr(variants, name)[kept] for name in Variants._fields if name != "filler"}
    some["pair"] = np.ascontiguousarray(some["pair"][:, :, kept])
    return Variants(filler=variants.filler, **some)
