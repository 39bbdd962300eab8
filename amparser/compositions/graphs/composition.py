"""Trained scorers and their lexicon of constants that are pieces of graphs.

tokens -> units -> scores -> search -> derivation -> graph
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.derivation import Derivation
from amparser.algebra.expand import expand, layered
from amparser.algebra.fragment import Fragment
from amparser.compositions.constants import Constants
from amparser.compositions.graphs.gold import GraphLearned, gold_of
from amparser.compositions.graphs.samples import GraphSamples
from amparser.compositions.graphs.search import Search
from amparser.compositions.needs import graph_needs
from amparser.compositions.pieces import PieceComposition, Scored
from amparser.compositions.settings import GraphDataSettings, GraphSettings
from amparser.compositions.source import Source, graph_of_example
from amparser.compositions.tables import graph_tables
from amparser.corpora.corpus import Corpus
from amparser.corpora.tokens import ENDS
from amparser.decode.parse import Best
from amparser.errors import AMParserError, CorpusError
from amparser.graph.boxes import join
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.induction.texts import ends_inside
from amparser.lexicon.graph_inventory import tags_of
from amparser.lexicon.offers import Offers
from amparser.lexicon.units import Unit
from amparser.nn.scores import scores_of


@dataclass(frozen=True)
class GraphComposition(PieceComposition):
    """Networks and what was induced."""

    learned: GraphLearned

    constants = "graph"
    tables = staticmethod(graph_tables)
    has_trees = False
    longest = 200  # memory grows with the square

    def unknown(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The tokens of a sentence with a unit that train does not have, in any case."""
        units = self.learned.splitter.units(tokens)
        known = self.network.encoder
        strange = {unit.token for unit in units if known.unknown([unit.text])}
        return tuple(token for number, token in enumerate(tokens) if number in strange)

    def words(self, tokens: Sequence[str]) -> list[str]:
        """The units of its tokens."""
        return [unit.text for unit in self.learned.splitter.units(tokens)]

    def score(self, sentences: Sequence[Sequence[str]]) -> list[Scored]:
        """The scores of tokenised sentences, in order."""
        units = [self.learned.splitter.units(one) for one in sentences]
        parts = [self._sentences(one) for one in units]
        scored = iter(self._scored([part for text in parts for part in text]))
        return [
            one._replace(parts=tuple(islice(scored, len(text))))
            for one, text in zip(self._scored(units), parts, strict=True)
        ]

    def _scored(self, units: Sequence[tuple[Unit, ...]]) -> list[Scored]:
        scores = scores_of(self.network, [[unit.text for unit in one] for one in units])
        return [Scored(*row) for row in zip(units, scores, strict=True)]

    def _sentences(self, units: tuple[Unit, ...]) -> list[tuple[Unit, ...]]:
        """The sentences of a text whose boxes may follow each other; none of a single sentence."""
        ends = ends_inside([unit.text for unit in units], frozenset(ENDS))
        if self.learned.scheme is None or not ends:
            return []
        starts = [0, *(end + 1 for end in ends), len(units)]
        return [units[start:stop] for start, stop in pairwise(starts)]

    def decode(self, scores: Sequence[Scored], decoder: str) -> list[Best[Derivation]]:
        """The best derivation of each sentence."""
        return [self._search.best(one, decoder) for one in scores]

    def others(
        self, scores: Scored, best: Best[Derivation], decoder: str
    ) -> Iterator[Best[Derivation]]:
        """Further derivations."""
        return self._search.after(scores, best, decoder)

    def chosen(self, analysis: Derivation) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """See `Composition`; words are units."""
        number = self.learned.inventory.tag_number
        heads = [
            -1 if fragment is None else head + 1
            for fragment, head in zip(analysis.constants, analysis.heads, strict=True)
        ]
        return np.array([number[tag] for tag in tags_of(analysis)]), np.array(heads)

    def graph(self, tokens: Sequence[str], parse: Best[Derivation]) -> SGraph:
        """The graph of a derivation, its nodes aligned to tokens (from 1), with their spans."""
        assert parse.analysis is not None
        units = self.learned.splitter.units(tokens)
        found = layered(parse.analysis)
        at = [unit - 1 for unit in found.tokens]
        aligned = tuple(units[unit].token + 1 for unit in at)
        spans = self.learned.spans.of(found, at, parse.analysis, units)
        return join(replace(found, tokens=aligned, spans=spans), self.learned.scheme)

    def constant(self, number: int) -> Fragment | str:
        """See `Composition`."""
        return self.learned.inventory.tags[number]

    @cached_property
    def _search(self) -> Search:
        learned, data = self.learned, self.settings.data
        offers = Offers(learned.inventory, learned.languages, data.bilingual)
        return Search(learned, self.settings.decode, offers)


def given_back(corpus: Corpus) -> float:
    """See `Constants`."""
    settings = GraphDataSettings(texts=0.0)
    try:
        gold = gold_of(replace(corpus, dev=()), settings)
    except CorpusError:
        raise
    except AMParserError:
        return 0.0
    # The rows are those of the examples in their order, of which some have none.
    graphs = list(
        Source.of(corpus, "train").read(enumerate(corpus.train), graph_of_example)[0].values()
    )
    place = found = 0
    for left, row in zip(range(len(gold.train), 0, -1), gold.train, strict=True):
        graph = expand(row.derivation, gold.learned.scheme)
        for other in range(place, len(graphs) - left + 1):
            if isomorphic(graph, graphs[other]):
                constants = sum(one is not None for one in row.derivation.constants)
                found += constants > 1 or len(graph.nodes) == 1
                place = other
                break
        place += 1
    return found / max(1, len(corpus.train))


GRAPH = Constants(
    "graph",
    "constants of several nodes, edges and boxes beside the tree, for graphs of real text",
    GraphSettings(),
    GraphLearned,
    lambda corpus, settings: gold_of(corpus, settings.data),
    graph_needs,
    GraphSamples,
    GraphComposition,
    given_back,
)
