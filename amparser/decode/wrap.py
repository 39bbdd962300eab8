"""A typed chart over pieces with sorts: projective trees, and a head inside its argument.

A constituent is a token with its arguments. It covers a span of tokens, of which others
may be ignored. Two neighbours combine when one fills a port of the other; a head that has
one port left may also stand inside its only argument (*wrap*): the argument is then built
with that token left out (a *gap*), and what is built around a gap combines as usual.

Sorts never multiply the items: an item carries a score for each sort of its head, and a
filler's scores are turned once into what they are worth in each port.

Constants that differ only in which of their ports stay open are one variant: an item knows the
ports that are not filled yet, and is complete where all of these may stay open. An item is left
out if even the likeliest of all else around it makes a worse tree than is looked for. That is first
one nearly as good as the likeliest of all tokens together, then a worse one, until there is one;
at last one as good as the best projective tree of the likeliest variants.

With n tokens, V variants and Z sorts there are O(n^2 * n * V) items and O(n^4 * n * V * Z)
steps at worst; a tagger leaves one or two variants a token.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from amparser.decode.wrap_chart import Tokens, Variants, bounds, filled

_WORSE = range(2, 42, 4)
"""In nats: how much worse trees may be than the likeliest of all tokens, one after the other. The
steps are small, since the time rises steeply with them."""


@dataclass(frozen=True, slots=True)
class WrapParse:
    """The best tree; tokens count from 0.

    Attributes:
        variants: for each token its variant; -1 if it is ignored, -2 if it continues another.
        heads: the head of each token with a variant; -1 for the root and the others.
        ports: which port of its head it fills; -1 likewise.
        sorts: the sort of each constituent; -1 where there is none.
        closed: the ports (bits) of each token's constant that stay open; 0 where there is none.
        logp: the score; -inf if there is no tree.
    """

    variants: tuple[int, ...]
    heads: tuple[int, ...]
    ports: tuple[int, ...]
    sorts: tuple[int, ...]
    closed: tuple[int, ...]
    logp: float

    @property
    def found(self) -> bool:
        """Whether there is a tree."""
        return self.logp > float("-inf")


def decode(tokens: Tokens, variants: Variants, *, wrap: bool = True) -> WrapParse:
    """The best tree of the class above; without `wrap`, the best projective one."""
    n = len(tokens.ignored)
    if n == 0 or len(variants.token) == 0:
        none = (-1,) * n
        return WrapParse(none, none, none, none, (0,) * n, float("-inf"))
    most = bounds(tokens, variants)[0].sum()
    for worse in _WORSE:
        logp, assigned = filled(tokens, variants, wrap, most - worse)
        if logp >= most - worse:
            break
    else:
        least, _ = filled(tokens, _likeliest(variants), False, -np.inf)
        # Sums may differ in their last digits.
        logp, assigned = filled(tokens, variants, wrap, least - 1e-6)
    kinds, heads, ports, sorts, closed = (tuple(int(x) for x in column) for column in assigned)
    return WrapParse(kinds, heads, ports, sorts, closed, float(logp))


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


class Wrap:
    """The decoder; see `amparser.decode.decoder`."""

    name = "wrap"
    trees = "the best tree that is projective but for heads inside their only arguments; exact"
    constants = ("tree",)

    def chart(self, tokens: Tokens, variants: Variants) -> WrapParse:
        """See `ChartDecoder`."""
        return decode(tokens, variants)


WRAP = Wrap()
