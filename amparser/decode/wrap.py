"""Typed chart over fragments with ports and sorts: projective trees, and wrapped heads.

A constituent is a token with its arguments. It covers a span of tokens, of which others
may be ignored. Two neighbours combine when one fills a port of the other; a head that has
one port left may also stand inside its only argument (*wrap*): the argument is then built
with that token left out (a *gap*), and what is built around a gap combines as usual.

Sorts never multiply the items: an item carries a score for each sort of its head, and a
filler's scores are turned once into what they are worth in each port.

Fragments that differ only in which of their ports stay open are one variant: an item knows the
ports that are not filled yet, and is complete where all of these may stay open. An item is left
out if even the likeliest of all else around it makes a worse tree than is looked for. That is first
one nearly as good as the likeliest of all tokens together, then a worse one, until there is one;
at last one as good as the best projective tree of the likeliest variants.

With n tokens, V variants and Z sorts there are O(n^2 * n * V) items and O(n^4 * n * V * Z)
steps at worst; a tagger leaves one or two variants a token.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from amparser.decode.chart import Tokens, Variants, bounds, filled
from amparser.decode.parse import NO_TREE, Best

_WORSE = range(2, 42, 4)
"""In nats: how much worse trees may be than the likeliest of all tokens, one after the other. The
steps are small, since the time rises steeply with them."""


class Constituents(NamedTuple):
    """A tree; tokens count from 0.

    Attributes:
        variants: for each token its variant; -1 if it is ignored, -2 if it continues another.
        heads: the head of each token with a variant; -1 for the root and the others.
        ports: which port of its head it fills; -1 likewise.
        sorts: the sort of each constituent; -1 where there is none.
        closed: the ports (bits) of each token's fragment that stay open; 0 where there is none.
    """

    variants: tuple[int, ...]
    heads: tuple[int, ...]
    ports: tuple[int, ...]
    sorts: tuple[int, ...]
    closed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A decoder (`amparser.decode.decoder`), with wrapped heads or without."""

    name: str
    trees: str
    wrap: bool
    presets: tuple[str, ...] = ("tree",)

    def chart(self, tokens: Tokens, variants: Variants) -> Best[Constituents]:
        """See `ChartDecoder`."""
        return decode(tokens, variants, wrap=self.wrap)


WRAP = Chart(
    "wrap",
    "the best tree that is projective but for heads inside their only arguments; exact",
    wrap=True,
)
PROJECTIVE = Chart("projective", "the best projective tree; exact", wrap=False)


def decode(tokens: Tokens, variants: Variants, *, wrap: bool = True) -> Best[Constituents]:
    """The best tree of the class above; without `wrap`, the best projective one."""
    if len(tokens.ignored) == 0 or len(variants.token) == 0:
        return Best(failure=NO_TREE)
    most = bounds(tokens, variants)[0].sum()
    for worse in _WORSE:
        logp, assigned = filled(tokens, variants, wrap, most - worse)
        if logp >= most - worse:
            break
    else:
        least, _ = filled(tokens, _likeliest(variants), False, -np.inf)
        # Sums may differ in their last digits.
        logp, assigned = filled(tokens, variants, wrap, least - 1e-6)
    if logp == -np.inf:
        return Best(failure=NO_TREE)
    return Best(Constituents(*map(tuple, assigned.tolist())), float(logp))


def _likeliest(variants: Variants) -> Variants:
    """The variants that are nearly as likely as the likeliest one of their token."""
    score = variants.logp.max(axis=1) + variants.closed.max(axis=1)
    best = np.full(variants.token.max() + 1, -np.inf)
    np.maximum.at(best, variants.token, score)
    # In nats: variants so near to the likeliest ones come first where trees are worse still.
    kept = score >= best[variants.token] - 1.5
    some = {name: getattr(variants, name)[kept] for name in Variants._fields if name != "filler"}
    some["pair"] = np.ascontiguousarray(some["pair"][:, :, kept])
    return Variants(filler=variants.filler, **some)
