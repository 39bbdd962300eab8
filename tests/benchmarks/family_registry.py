"""Families of probes: what an item of one is, and the list of them.

The modules `families_*` hold the families, a function each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from family_draw import Draw
from family_events import (
    PAST,
    Answer,
    Event,
    Part,
    Row,
    Tense,
    answer,
    question,
    statement,
)


@dataclass(frozen=True)
class Item:
    """A statement, a question about it, or both with the answer."""

    statement: Row | None = None
    question: Row | None = None
    answer: Answer | None = None

    @property
    def rows(self) -> tuple[Row, ...]:
        """The sentences that there are."""
        return tuple(row for row in (self.statement, self.question) if row is not None)


Maker = Callable[[Draw], Item]


@dataclass(frozen=True)
class Family:
    """Sentences of one shape.

    Attributes:
        theme: the heading of its row in the table.
        determined: whether train and the algebra leave one reading; if not, train gives no
            evidence for the shape.
        make: draws an item.
    """

    name: str
    theme: str
    determined: bool
    make: Maker

    def items(self, count: int, seed: int) -> list[Item]:
        """So many different items."""
        found: dict[tuple[str, ...], Item] = {}
        for number in range(100 * count):
            item = self.make(Draw(Random(f"{seed} {self.name} {number}")))
            found.setdefault(tuple(row.text for row in item.rows), item)
            if len(found) == count:
                break
        return list(found.values())


class Theme:
    """Collects the families of a module."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.families: list[Family] = []

    def __call__(self, name: str, *, determined: bool = True) -> Callable[[Maker], Maker]:
        """Add a function as a family."""

        def added(make: Maker) -> Maker:
            self.families.append(Family(name, self.name, determined, make))
            return make

        return added


def asks(event: Event, asked: Part, tense: Tense = PAST) -> Item:
    """A statement and the question about a part of it."""
    return Item(statement(event, tense), question(event, asked, tense), answer(asked))


def says(event: Event, tense: Tense = PAST) -> Item:
    """A statement alone."""
    return Item(statement(event, tense))


def chained(draw: Draw, event: Event, depth: int) -> Event:
    """The event below so many verbs of saying."""
    for _ in range(depth):
        event = draw.says(draw.person(), event)
    return event


def all_of(themes: Sequence[Theme]) -> list[Family]:
    """The families of the themes, in order."""
    return [family for theme in themes for family in theme.families]
