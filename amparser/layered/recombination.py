"""New rows from old ones: a constituent takes the place of another below an arc of the same label.

A *constituent* is a token with all below it, if these stand together, no arc beside the tree leads
out of it, and its boxes are its own or one around it. Words before it that have no nodes ("the",
"in") go with it. Long constituents are drawn more often than short ones: train has few long
sentences, and what is new in a long one is mostly how much stands where train has a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import NamedTuple

from amparser.induction.donors import Donors, recased
from amparser.layered.analysis import EMPTY, JOINED, ROOT, UNLINKED, Analysis, Place, Row, Tag

_AGAIN = 0.6
"""The probability of another exchange after each."""
_TRIES = 10
"""So many constituents are tried for a place until one fits its neighbours."""
_LONGEST = 30


class Constituent(NamedTuple):
    """A token with all below it, over the tokens `first` .. `end - 1`, in a box around it."""

    head: int
    first: int
    end: int
    box: Place


def constituents(forms: Sequence[str], analysis: Analysis) -> list[Constituent]:
    """The constituents of a sentence that may take other places, but for the whole."""
    tags = analysis.tags
    found = []
    for head, tokens in enumerate(_members(analysis)):
        if not tokens or analysis.heads[head] == ROOT or analysis.labels[head] == UNLINKED:
            continue
        first, end = min(tokens), max(tokens) + 1
        if any(t not in tokens and tags[t] != EMPTY for t in range(first, end)):
            continue
        if any((parent in tokens) != (child in tokens) for parent, child, _ in analysis.extra):
            continue
        others = [t for t in range(len(tags)) if not first <= t < end]
        if any(first <= place[0] < end for place in _places(analysis, others)):
            continue
        inside = _places(analysis, range(first, end))
        around = {place for place in inside if not first <= place[0] < end}
        if len(around) != 1:
            continue
        while first and _is_bare(forms[first - 1], analysis, first - 1):
            first -= 1
        found.append(Constituent(head, first, end, around.pop()))
    return found


def _members(analysis: Analysis) -> list[set[int]]:
    """For each token those below it and itself, with what they are joined of."""
    members: list[set[int]] = [set() for _ in analysis.tags]
    owner = ROOT
    for token in reversed(range(len(members))):
        tag = analysis.tags[token]
        if tag != JOINED:
            owner = ROOT if tag == EMPTY else token
        above = owner
        while above != ROOT:
            members[above].add(token)
            above = analysis.heads[above]
    return members


def _places(analysis: Analysis, tokens: Iterable[int]) -> Iterator[Place]:
    """The boxes in which constants of these tokens are, and those above their boxes."""
    for token in tokens:
        if analysis.tags[token] not in (EMPTY, JOINED):
            yield analysis.scope[token]
        if analysis.introduced[token]:
            yield analysis.above[token]


def _is_bare(form: str, analysis: Analysis, token: int) -> bool:
    """Whether a token is a word with neither nodes nor boxes."""
    return form.isalnum() and analysis.tags[token] == EMPTY and not analysis.introduced[token]


def replaced(old: Analysis, site: Constituent, new: Analysis, part: Constituent) -> Analysis:
    """The analysis in which `part` of `new` stands where `site` of `old` did."""
    grown = (part.end - part.first) - (site.end - site.first)

    def outer(token: int) -> int:
        return token + grown if token >= site.end else token

    def inner(token: int) -> int:
        return token if token == ROOT else token - part.first + site.first

    def outer_place(place: Place) -> Place:
        return outer(place[0]), place[1]

    def inner_place(place: Place, counts: bool) -> Place:
        if not counts:
            return place
        inside = part.first <= place[0] < part.end
        return (inner(place[0]), place[1]) if inside else outer_place(site.box)

    before, behind = slice(site.first), slice(site.end, None)
    here = slice(part.first, part.end)
    heads = [inner(head) for head in new.heads[here]]
    heads[part.head - part.first] = outer(old.heads[site.head])
    kept = ((p, c, x) for p, c, x in old.extra if not site.first <= p < site.end)
    taken = ((p, c, x) for p, c, x in new.extra if part.first <= p < part.end)
    return Analysis(
        old.tags[before] + new.tags[here] + old.tags[behind],
        old.fillers[before] + new.fillers[here] + old.fillers[behind],
        old.introduced[before] + new.introduced[here] + old.introduced[behind],
        (
            *map(outer_place, old.scope[before]),
            *map(inner_place, new.scope[here], (t not in (EMPTY, JOINED) for t in new.tags[here])),
            *map(outer_place, old.scope[behind]),
        ),
        (
            *map(outer_place, old.above[before]),
            *map(inner_place, new.above[here], map(bool, new.introduced[here])),
            *map(outer_place, old.above[behind]),
        ),
        (*map(outer, old.heads[before]), *heads, *map(outer, old.heads[behind])),
        old.labels[before] + new.labels[here] + old.labels[behind],
        (
            *((outer(p), outer(c), x) for p, c, x in kept),
            *((inner(p), inner(c), x) for p, c, x in taken),
        ),
    )


class Recombination:
    """A pool of rows whose constituents may take each other's places.

    What stands side by side in a new row, a constant or a word without nodes each, stands side by
    side in some row of the pool.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._lower = {form for row in rows for form in row.tokens[1:] if form == form.lower()}
        self._items = [_items(row) for row in rows]
        self._pairs = {pair for items in self._items for pair in pairwise(items)}
        self._donors: Donors[str, tuple[int, Constituent]] = Donors()
        self._begin = []
        for number, row in enumerate(rows):
            parts = constituents(row.tokens, row.analysis)
            if parts:
                self._begin.append(row)
            for part in parts:
                label = row.analysis.labels[part.head]
                self._donors.add(label, (number, part), (part.end - part.first) ** 2)

    def drawn(self, count: int, random: Random) -> list[Row]:
        """So many new rows; fewer where few exchanges are possible."""
        made: list[Row] = []
        for _ in range(2 * count if self._begin else 0):
            if len(made) == count:
                break
            old = random.choice(self._begin)
            row = self._exchanged(old, random)
            while random.random() < _AGAIN:
                row = self._exchanged(row, random)
            if row is not old:
                made.append(row)
        return made

    def _exchanged(self, row: Row, random: Random) -> Row:
        """A row with one constituent exchanged; itself where none fits."""
        sites = constituents(row.tokens, row.analysis)
        if not sites:
            return row
        site = random.choice(sites)
        items = _items(row)
        for _ in range(_TRIES):
            drawn = self._donors.draw(row.analysis.labels[site.head], random)
            assert drawn is not None, "a row made of the pool has its labels"
            number, part = drawn
            donor, others = self._rows[number], self._items[number]
            left = items[site.first], others[part.first + 1]
            right = others[part.end], items[site.end + 1]
            if left in self._pairs and right in self._pairs:
                length = len(row.units) + (part.end - part.first) - (site.end - site.first)
                return self._with(row, site, donor, part) if length <= _LONGEST else row
        return row

    def _with(self, row: Row, site: Constituent, donor: Row, part: Constituent) -> Row:
        units = list(donor.units[part.first : part.end])
        text = recased(units[0].text, part.first, site.first, self._lower)
        units[0] = replace(units[0], text=text)
        units = [*row.units[: site.first], *units, *row.units[site.end :]]
        both = zip(row.auxiliary, donor.auxiliary, strict=True)
        return Row(
            tuple(replace(unit, token=number) for number, unit in enumerate(units)),
            replaced(row.analysis, site, donor.analysis, part),
            tuple(a[: site.first] + b[part.first : part.end] + a[site.end :] for a, b in both),
        )


def _items(row: Row) -> list[str | Tag]:
    """The constants of a row, and the words that have no nodes; its edges are empty words."""
    tokens = zip(row.tokens, row.analysis.tags, strict=True)
    inside = (form.lower() if tag in (EMPTY, JOINED) else tag for form, tag in tokens)
    return ["", *inside, ""]
