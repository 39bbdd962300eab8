"""Which constants a corpus asks for, where nobody names them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from amparser.compositions.kinds import CONSTANTS
from amparser.compositions.source import graph_of_example, notation_of
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.splits import subset
from amparser.errors import AMParserError

ENOUGH = 0.95
"""Constants are as good as others if so many examples come back as with them. Others that are less
simple are not tried where so many of all do."""


class Choice(NamedTuple):
    """The constants that were chosen, a name in `CONSTANTS`, and a line that says why."""

    constants: str
    remark: str


def choose(corpus: Corpus, among: Iterable[str] = CONSTANTS) -> Choice:
    """The simplest constants of which train is made almost as well as of any others.

    Train is made of constants as well as its examples come back as they were: from their
    derivations, graphs that are isomorphic.

    Args:
        corpus: the data.
        among: the kinds to choose from, the simplest first.

    Raises:
        CorpusError: a meaning cannot be read; names file and line.
    """
    corpus = replace(corpus, train=_some(corpus), dev=(), strict=False)
    coverage: dict[str, float] = {}
    for name in among:
        coverage[name] = CONSTANTS[name].training.coverage(corpus)
        if coverage[name] >= ENOUGH:
            break
    most = max(coverage.values(), default=0.0)
    chosen = next(name for name, share in coverage.items() if share >= ENOUGH * most)
    first, *rest = (f"{name} {100 * share:.1f} %" for name, share in coverage.items())
    shares = ", ".join([first.replace(" ", " gives back ", 1), *rest])
    return Choice(chosen, f"constants: {chosen}; of {len(corpus.train)} rows of train, {shares}")


def _some(corpus: Corpus) -> list[Example]:
    """Some examples of train."""
    # No more examples of train are looked at, and no more than have so many pairs of nodes.
    rows = list(subset(corpus.train, min(1.0, 200 / max(1, len(corpus.train))), 0))
    notation, work = notation_of(replace(corpus, train=rows)), 0
    found: list[Example] = []
    for example in rows:
        size = 1
        with suppress(AMParserError):
            size = len(graph_of_example(example, notation).nodes)
        work += size**2
        if found and work > 30_000:
            break
        found.append(example)
    return found
