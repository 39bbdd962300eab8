"""Exchange of constituents by edge labels and neighbours, for derivations with re-entrant edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

from amparser.algebra.derivation import PRECEDE, Arc, Derivation, Links, Place, Scope
from amparser.algebra.types import IGNORE
from amparser.induction.augmentation.exchange import (
    Augmentation,
    Constituent,
    Donors,
    Splice,
    constituents,
)
from amparser.induction.fragments import Row
from amparser.lexicon.graph_inventory import Tag, tags_of


class ArcAugmentation(Augmentation[Row]):
    """Exchange of constituents below edges with the same label that fit their new neighbours.

    A constituent qualifies if no re-entrant edge leaves it, no outer token is in one of its boxes,
    and its tokens are in its own boxes or in one box around it. Words before it without nodes
    ("the", "in") move with it. Each pair of neighbours at its borders (fragments, or words without
    nodes) must occur in some training row. Long constituents are drawn more often than short ones:
    long sentences are rare in training, and the new part of a long sentence is mostly the length of
    a constituent.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        super().__init__(rows)
        self._pairs = {pair for row in rows for pair in pairwise(_items(row))}
        self._donors: Donors[Links, tuple[Row, Constituent]] = Donors()
        self._begin = []
        for row in rows:
            if parts := self.sites(row):
                self._begin.append(row)
            for part in parts:
                self._donors.add(row.derivation.links[part.head], (row, part), part.length**2)

    def drawn(self, count: int, random: Random) -> list[Row]:
        """Return `count` new rows; fewer if few exchanges are possible."""
        made: list[Row] = []
        for _ in range(2 * count if self._begin else 0):
            if len(made) == count:
                break
            old = random.choice(self._begin)
            row = self.repeatedly(old, random, 0.6)
            if row is not old:
                made.append(row)
        return made

    def sites(self, sample: Row) -> list[Constituent]:
        """Return the constituents that can be exchanged, without the whole sentence."""
        derivation = sample.derivation
        sites = []
        for head, first, end in constituents(derivation.heads, _owners(derivation.operations)):
            inside = range(first, end)
            others = [token for token in range(len(derivation.tokens)) if token not in inside]
            if (
                not derivation.links[head]
                or any(
                    (arc.parent in inside) != (arc.child in inside) for arc in derivation.reentrant
                )
                or any(place[0] in inside for place in _places(derivation, others))
                or len(_around(derivation, inside)) != 1
            ):
                continue
            while first and _is_bare(derivation, first - 1):
                first -= 1
            sites.append(Constituent(head, first, end))
        return sites

    def donor(
        self, sample: Row, site: Constituent, random: Random
    ) -> tuple[Row, Constituent] | None:
        """Return a constituent below an edge of the same label that fits the site's neighbours."""
        items = _items(sample)
        # Give up after ten draws.
        for _ in range(10):
            drawn = self._donors.draw(sample.derivation.links[site.head], random)
            assert drawn is not None, "a row made of the pool has its labels"
            row, part = drawn
            others = _items(row)
            left = items[site.first], others[part.first + 1]
            right = others[part.end], items[site.end + 1]
            if left in self._pairs and right in self._pairs:
                return drawn
        return None

    def replaced(self, old: Row, new: Row, splice: Splice) -> Row:
        """Implement `Augmentation.replaced`."""
        texts = splice.words(old.tokens, new.tokens, self._lower)
        units = enumerate(zip(splice.row(old.units, new.units), texts, strict=True))
        layers = zip(old.auxiliary, new.auxiliary, strict=True)
        return Row(
            tuple(replace(unit, text=text, token=token) for token, (unit, text) in units),
            replaced(old.derivation, new.derivation, splice, texts),
            tuple(splice.row(*layer) for layer in layers),
            old.language,
        )


def _items(row: Row) -> list[str | Tag]:
    """Return the fragment of each token, or its word if it has none; "" marks both ends."""
    tokens = zip(row.tokens, tags_of(row.derivation), strict=True)
    inside = (form.lower() if isinstance(tag, str) else tag for form, tag in tokens)
    return ["", *inside, ""]


def _owners(operations: Sequence[str]) -> list[int]:
    """Return the token that has the nodes of each token; -1 for none."""
    owners = [-1] * len(operations)
    owner = -1
    for token in reversed(range(len(operations))):
        if operations[token] != PRECEDE:
            owner = -1 if operations[token] == IGNORE else token
        # A word without nodes counts as a unit: its parts must not be torn apart.
        owners[token] = token if owner == -1 and operations[token] == PRECEDE else owner
    return owners


def _places(derivation: Derivation, tokens: Iterable[int]) -> Iterator[Place]:
    """Yield the boxes that contain the fragments of tokens, and the parents of their boxes."""
    scope = derivation.boxes
    for token in tokens:
        if derivation.fragments[token] is not None:
            yield scope.within[token]
        if scope.introduced[token]:
            yield scope.above[token]


def _around(derivation: Derivation, inside: range) -> set[Place]:
    """Return the boxes outside of a span that directly contain its fragments and boxes."""
    return {place for place in _places(derivation, inside) if place[0] not in inside}


def _is_bare(derivation: Derivation, token: int) -> bool:
    """Return whether a token is a word with neither nodes nor boxes."""
    is_ignored = derivation.operations[token] == IGNORE
    is_word = derivation.tokens[token].isalnum()
    return is_word and is_ignored and not derivation.boxes.introduced[token]


def replaced(old: Derivation, new: Derivation, splice: Splice, tokens: Sequence[str]) -> Derivation:
    """Return a derivation with labelled edges in which a part of `new` replaces the site of `old`.

    Args:
        old, new: derivations of two sentences.
        splice: the site and the part.
        tokens: the new sentence.
    """
    site = range(splice.site.first, splice.site.end)
    part = range(splice.part.first, splice.part.end)
    [box] = _around(old, site)

    def outer(place: Place) -> Place:
        return splice.outer(place[0]), place[1]

    def inner(place: Place, counts: bool) -> Place:
        if not counts:
            return place
        return (splice.inner(place[0]), place[1]) if place[0] in part else outer(box)

    def places(
        was: Sequence[Place], taken: Sequence[Place], counts: Iterable[bool]
    ) -> tuple[Place, ...]:
        return splice.row(list(map(outer, was)), list(map(inner, taken, counts)))

    kept = (Arc(splice.outer(p), splice.outer(c), x) for p, c, x in old.reentrant if p not in site)
    moved = (Arc(splice.inner(p), splice.inner(c), x) for p, c, x in new.reentrant if p in part)
    was, taken = old.boxes, new.boxes
    return Derivation(
        tuple(tokens),
        splice.row(old.fragments, new.fragments),
        splice.row(old.lexical_labels, new.lexical_labels),
        splice.heads(old.heads, new.heads),
        splice.row(old.operations, new.operations),
        links=splice.row(old.links, new.links),
        reentrant=(*kept, *moved),
        scope=Scope(
            splice.row(was.introduced, taken.introduced),
            places(was.within, taken.within, (fragment is not None for fragment in new.fragments)),
            places(was.above, taken.above, map(bool, taken.introduced)),
        ),
    )
