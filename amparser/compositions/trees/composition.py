"""Trained scorers and their lexicon of fragments of trees.

score -> search -> derivation -> AM dependency tree, graph
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.derivation import Derivation
from amparser.algebra.fragment import Fragment
from amparser.compositions.composition import Alignment
from amparser.compositions.constants import Constants
from amparser.compositions.needs import tree_needs
from amparser.compositions.pieces import PieceComposition, Scored
from amparser.compositions.settings import TreeSettings
from amparser.compositions.source import graph_of_example, notation_of
from amparser.compositions.tables import tree_tables
from amparser.compositions.trees.gold import (
    TreeLearned,
    derived_train,
    gold_derivations,
    settled,
)
from amparser.compositions.trees.samples import TreeSamples
from amparser.compositions.trees.search import Search
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.decode.parse import Best
from amparser.decode.scores import FloatArray, Scores
from amparser.errors import AMParserError, CorpusError
from amparser.graph.sgraph import SGraph
from amparser.induction.derivations import AlignedGraph, derive
from amparser.induction.inventory import Inventory
from amparser.lexicon.encoded import FIRST_FRAGMENT, Encoded
from amparser.nn.scores import scores_of
from amparser.notations.notation import Notation


@dataclass(frozen=True)
class TreeComposition(PieceComposition):
    """A network and what was induced."""

    learned: TreeLearned

    constants = "tree"
    longest = 100  # the chart of projective trees takes seconds then
    tables = staticmethod(tree_tables)
    _search: Search = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        learned = self.learned
        search = Search(learned.inventory, learned.sorts, learned.evidence, self.settings.decode)
        object.__setattr__(self, "_search", search)

    def score(self, sentences: Sequence[Sequence[str]]) -> list[Scored]:
        """The scores of tokenised sentences, in order."""
        scores = scores_of(self.network, sentences)
        return [Scored(tuple(s), _smoothed(row)) for s, row in zip(sentences, scores, strict=True)]

    def decode(self, scores: Sequence[Scored], decoder: str) -> list[Best[Derivation]]:
        """The best derivation of each sentence."""
        return [self._decoded(self._search.best(*row[:2], decoder)) for row in scores]

    def others(
        self, scores: Scored, best: Best[Derivation], decoder: str
    ) -> Iterator[Best[Derivation]]:
        """The next best derivations."""
        return map(self._decoded, self._search.after(*scores[:2], decoder))

    def _decoded(self, best: Best[Encoded]) -> Best[Derivation]:
        if best.analysis is None:
            return Best(failure=best.failure)
        return Best(self.learned.inventory.decode(best.analysis), best.logp)

    def chosen(self, analysis: Derivation) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """See `Composition`."""
        tags, heads = np.array(self.learned.inventory.tags(analysis)), np.array(analysis.heads) + 1
        return tags, np.where(tags >= FIRST_FRAGMENT, heads, -1)

    def tree(self, tokens: Sequence[str], parse: Best[Derivation]) -> Derivation:
        """The derivation of what was found."""
        assert parse.analysis is not None
        return parse.analysis

    def graph(self, tokens: Sequence[str], parse: Best[Derivation]) -> SGraph:
        """The graph of a derivation."""
        assert parse.analysis is not None
        return self.learned.inventory.graph(parse.analysis)

    def constant(self, number: int) -> Fragment | str:
        """See `Composition`."""
        return self.learned.inventory.constant(number)

    def tree_of(
        self, tokens: Sequence[str], graph: SGraph, alignment: Alignment | None
    ) -> Derivation:
        """The derivation of a graph, of fragments induced from it alone."""
        induced = derive([AlignedGraph(tuple(tokens), graph, alignment)])
        [encoded] = induced.derivations
        assert encoded is not None
        return induced.inventory.decode(encoded)


def _smoothed(scores: Scores) -> Scores:
    """The same scores of tags and heads, none of which is impossible."""

    def smoothed(logp: FloatArray) -> NDArray[np.float64]:
        # Probability floor.
        found: NDArray[np.float64] = np.log(np.exp(logp.astype(np.float64)) + 1e-12)
        return found

    return replace(
        scores,
        supertag_logp=smoothed(scores.supertag_logp),
        edge_logp=smoothed(scores.edge_logp),
    )


def given_back(corpus: Corpus) -> float:
    """See `Constants`. An edge that closes a cycle is lost, so trees alone can come back."""
    notation = notation_of(corpus)
    trees = [example for example in corpus.train if _is_tree(example, notation)]
    if not trees:
        return 0.0
    try:
        derived = derived_train(replace(corpus, train=trees, dev=()))
    except CorpusError:
        raise
    except AMParserError:
        return 0.0
    whole = sum(_is_composed(one, derived.inventory) for one in derived.derivations)
    return max(0, whole - len(derived.cuts)) / len(corpus.train)


def _is_composed(derivation: Encoded, inventory: Inventory) -> bool:
    """Return whether there are several fragments, or one of a single node."""
    fragments = [one for one in inventory.decode(derivation).constants if one is not None]
    return len(fragments) > 1 or all(len(one.labels) == 1 + len(one.ports) for one in fragments)


def _is_tree(example: Example, notation: Notation | None) -> bool:
    with suppress(AMParserError):
        graph = graph_of_example(example, notation)
        return len(graph.edges) == len(graph.nodes) - 1
    return False


TREE = Constants(
    "tree",
    "fragments of several nodes with ports and sorts, for real questions and small corpora",
    TreeSettings(),
    TreeLearned,
    gold_derivations,
    tree_needs,
    TreeSamples,
    TreeComposition,
    given_back,
    settled,
    one_thread=True,
)
