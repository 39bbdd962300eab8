"""Which notation meanings are written in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from amparser.errors import AMParserError
from amparser.notations.registry import NOTATIONS

_SAMPLE = 100


class _Row(Protocol):
    """A sentence and its meaning; an `Example` is one."""

    @property
    def tokens(self) -> tuple[str, ...]: ...

    @property
    def meaning(self) -> str | None: ...


def recognised(examples: Sequence[_Row]) -> list[str]:
    """The names of the notations in which most of the examples have a graph, the best first.

    A sample of the examples is tried. Some may be malformed.
    """
    rows = [(e.tokens, e.meaning) for e in examples if e.meaning is not None]
    rows = rows[:: max(1, len(rows) // _SAMPLE)]
    counts = {name: sum(_fits(name, *row) for row in rows) for name in NOTATIONS}
    fitting = [name for name, count in counts.items() if count and 2 * count >= len(rows)]
    return sorted(fitting, key=lambda name: -counts[name])


def _fits(name: str, tokens: tuple[str, ...], meaning: str | None) -> bool:
    try:
        NOTATIONS[name].graph(tokens, meaning or "")
    except AMParserError:
        return False
    return True
