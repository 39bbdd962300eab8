"""Which constants a corpus asks for, where nobody names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from amparser.compositions.kinds import CONSTANTS
from amparser.compositions.source import graph_of_example, notation_of
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.splits import subset
from amparser.errors import AMParserError

ENOUGH = 0.95
"""Constants are as good as others if so many examples come back as with them. Others that are less
simple are not tried where so many of all do."""


@dataclass(frozen=True)
class Choice:
    """The constants that were chosen, and why.

    Attributes:
        constants: a name in `CONSTANTS`.
        rows: how many examples of train were looked at.
        coverage: the share of them whose derivations denote their graphs, for each kind tried.
    """

    constants: str
    rows: int
    coverage: Mapping[str, float]

    def __str__(self) -> str:
        """One line.

        >>> print(Choice("tree", 200, {"node": 0.0, "tree": 0.993}))
        constants: tree; of 200 rows of train, node gives back 0.0 %, tree 99.3 %
        """
        parts = [
            f"{name} {'gives back ' if i == 0 else ''}{100 * share:.1f} %"
            for i, (name, share) in enumerate(self.coverage.items())
        ]
        return f"constants: {self.constants}; of {self.rows} rows of train, {', '.join(parts)}"


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
    return Choice(chosen, len(corpus.train), coverage)


def _some(corpus: Corpus) -> list[Example]:
    """Some examples of train."""
    # No more examples of train are looked at, and no more than have so many pairs of nodes.
    share = min(1.0, 200 / max(1, len(corpus.train)))
    rows = list(subset(corpus.train, share, 0))
    notation, work = notation_of(replace(corpus, train=rows)), 0
    found: list[Example] = []
    for example in rows:
        size = 1
        with suppress(AMParserError):
            size = len(graph_of_example(example, notation).nodes)
        work += size**2
        # No more examples of train are looked at, and no more than have so many pairs of nodes.
        if found and work > 30_000:
            break
        found.append(example)
    return found
