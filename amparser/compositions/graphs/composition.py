"""Trained scorers and their lexicon of constants that are pieces of graphs.

tokens -> units -> scores -> search -> analysis -> graph
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from amparser.compositions.composition import Alignment, Composition, Scored
from amparser.compositions.graphs.gold import GraphLearned
from amparser.compositions.graphs.search import Search
from amparser.compositions.tables import graph_tables
from amparser.constants.constant import Constant
from amparser.constants.derivation import PRECEDE
from amparser.constants.operations import IGNORE
from amparser.constants.tree import AMTree
from amparser.decode.parse import Best
from amparser.errors import InputError
from amparser.explanation import Explanation, explanation_of
from amparser.graph.boxes import join
from amparser.graph.sgraph import SGraph
from amparser.induction.fragments import derivation_of, expand
from amparser.lexicon.analysis import JOINED, Analysis, constant_of_tag
from amparser.lexicon.offers import Offers


@dataclass(frozen=True)
class GraphComposition(Composition):
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
        return self._search.scored(sentences)

    def decode(self, scores: Sequence[Scored], decoder: str) -> list[Best[Analysis]]:
        """The best analysis of each sentence."""
        return self._search.best(scores, decoder)

    def others(
        self, scores: Scored, best: Best[Analysis], decoder: str
    ) -> Iterator[Best[Analysis]]:
        """Further analyses."""
        return self._search.after(scores, best, decoder)

    def certainty(self, scores: Scored, parse: Best[Analysis]) -> NDArray[np.float64]:
        """The log probabilities of constants and of the arcs above them, of each unit."""
        assert parse.analysis is not None
        return self._search.certainty(scores, parse.analysis)

    def tree(self, tokens: Sequence[str], parse: Best[Analysis]) -> AMTree | None:
        """None: edges beside the tree and boxes are in no AM dependency tree."""
        return None

    def graph(self, tokens: Sequence[str], parse: Best[Analysis]) -> SGraph:
        """The graph of an analysis, its nodes aligned to tokens (from 1), with their spans."""
        assert parse.analysis is not None
        units = self.learned.splitter.units(tokens)
        found = expand(parse.analysis)
        at = [unit - 1 for unit in found.tokens]
        aligned = tuple(units[unit].token + 1 for unit in at)
        spans = self.learned.spans.of(found, at, parse.analysis, units)
        return join(replace(found, tokens=aligned, spans=spans), self.learned.scheme)

    def explain(
        self, tokens: Sequence[str], parse: Best[Analysis], failure: str | None, decoder: str
    ) -> Explanation:
        """Why a sentence's answer is as it is; scores the sentence again."""
        assert parse.analysis is not None
        [(words, scores)] = self.score([tokens])
        inventory, units = self.learned.inventory, [unit.text for unit in words]
        chosen = [inventory.tag_number[tag] for tag in parse.analysis.tags]

        def constant(number: int) -> Constant | str:
            tag = inventory.tags[number]
            return PRECEDE if tag == JOINED else constant_of_tag(tag) if tag.labels else IGNORE

        derivation = derivation_of(parse.analysis, units)
        logp = scores.supertag_logp
        return explanation_of(units, derivation, logp, chosen, constant, failure)

    def tree_of(self, tokens: Sequence[str], graph: SGraph, alignment: Alignment | None) -> AMTree:
        """Raises InputError: there are no AM dependency trees of these constants."""
        raise InputError("a model whose constants are graphs has no AM dependency trees")

    @cached_property
    def _search(self) -> Search:
        learned, data = self.learned, self.settings.data
        offers = Offers(learned.inventory, learned.languages, data.bilingual)
        return Search(self.network, learned, self.settings.decode, offers)
