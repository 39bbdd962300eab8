"""The preset that a corpus asks for, where nobody names one."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.splits import subset
from amparser.errors import AMParserError
from amparser.presets.registry import PRESETS
from amparser.presets.source import graph_of_example, notation_of

ENOUGH = 0.95
"""Constants are as good as others if so many examples come back as with them. Others that are less
simple are not tried where so many of all do."""


class Choice(NamedTuple):
    """The preset that was chosen, a name in `PRESETS`, and a line that says why."""

    preset: str
    remark: str


def choose(corpus: Corpus, among: Iterable[str] = PRESETS) -> Choice:
    """The simplest preset that gives back almost as much of train as any other.

    A preset gives back an example if it comes back as it was: from their
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
        coverage[name] = PRESETS[name].training.coverage(corpus)
        if coverage[name] >= ENOUGH:
            break
    most = max(coverage.values(), default=0.0)
    chosen = next(name for name, share in coverage.items() if share >= ENOUGH * most)
    first, *rest = (f"{name} {100 * share:.1f} %" for name, share in coverage.items())
    shares = ", ".join([first.replace(" ", " gives back ", 1), *rest])
    return Choice(chosen, f"preset: {chosen}; of {len(corpus.train)} rows of train, {shares}")


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
