"""Parser model of the preset `node`: a scorer, and a lexicon of typed constants of one node.

All decoders return well-typed trees, which always denote graphs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.derivation import Derivation
from amparser.algebra.expand import expand
from amparser.algebra.fragment import Fragment
from amparser.algebra.type_table import TypeTable
from amparser.decode.decoders import DECODERS
from amparser.decode.next_best import SLACK, next_best
from amparser.decode.parse import Parse
from amparser.decode.scores import Scores
from amparser.errors import InputError
from amparser.graph.sgraph import SGraph
from amparser.induction.induce import SourceInventory
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.restrictions import Restrictions
from amparser.lexicon.supertags import instantiate
from amparser.nn.heads.arcs import ArcNeeds
from amparser.nn.heads.tags import TagNeeds
from amparser.nn.scorer import Needs
from amparser.nn.scores import scores_of
from amparser.presets.model import Alignment, ParserModel
from amparser.presets.preset import Preset
from amparser.presets.settings import NodeSettings


@dataclass(frozen=True)
class NodeLearned:
    """Knowledge induced from a corpus for the preset `node`; part of the model."""

    lexicon: Lexicon
    inventory: SourceInventory


@dataclass(frozen=True)
class NodeModel(ParserModel):
    """Parser model of the preset `node`."""

    learned: NodeLearned

    preset = "node"

    @property
    def lexicon(self) -> Lexicon:
        """The supertags and operations."""
        return self.learned.lexicon

    @cached_property
    def restrictions(self) -> Restrictions | None:
        """The constraints of the lexicon on the scores; None if the settings disable them."""
        if not self.settings.lexicon.restricted:
            return None
        return Restrictions(self.settings.lexicon.supertag_count, lexicon=self.lexicon)

    @property
    def _table(self) -> TypeTable:
        return (self.restrictions or self.lexicon).table

    def score(self, sentences: Sequence[Sequence[str]]) -> list[Scores]:
        """Score tokenised sentences, in order; choices that the lexicon excludes have -inf."""
        words = [self.lexicon.familiar(tokens) for tokens in sentences]
        scores = scores_of(self.network, words)
        return scores if self.restrictions is None else self.restrictions.apply(words, scores)

    def decode(self, scores: Sequence[Scores], decoder: str) -> list[Parse]:
        """Return the best well-typed tree of each sentence."""
        parses: list[Parse] = DECODERS[decoder].search(
            scores,
            self._table,
            supertag_limit=self.settings.decode.supertag_limit,
            open_root=True,
        )
        return parses

    def others(
        self, scores: Scores, best: Parse, decoder: str, slack: float = SLACK
    ) -> Iterator[Parse]:
        """Yield the next best trees."""
        return next_best(
            DECODERS[decoder],
            scores,
            self._table,
            best,
            supertag_limit=self.settings.decode.supertag_limit,
            open_root=True,
            slack=slack,
        )

    def certainty(self, scores: Scores, parse: Parse) -> NDArray[np.float64]:
        """Return log P(supertag) + log P(edge) of each token, `[n]` (natural log)."""
        at = np.arange(len(scores))
        edges = scores.edge_logp[at, list(parse.heads), list(parse.operations)]
        logp = scores.supertag_logp[at, list(parse.supertags)] + edges
        return logp.astype(np.float64)

    def derivation(self, tokens: Sequence[str], parse: Parse) -> Derivation:
        """Implement `ParserModel.derivation`; requests may be polymorphic."""
        return self.lexicon.derivation(tokens, parse.supertags, parse.heads, parse.operations)

    def tree(self, tokens: Sequence[str], parse: Parse) -> Derivation:
        """Return the derivation of a result, without polymorphic requests."""
        return instantiate(self.derivation(tokens, parse))

    def graph(self, tokens: Sequence[str], parse: Parse) -> SGraph:
        """Return the graph of a decoder's tree; raise AMParserError if it does not denote one."""
        derivation = self.derivation(tokens, parse)
        return expand(derivation, open_root=len(tokens) == 1, polymorphic=True)

    def chosen(self, tokens: Sequence[str], parse: Parse) -> Sequence[int]:
        """Implement `ParserModel.chosen`."""
        return parse.supertags

    def constant(self, number: int) -> Fragment | str:
        """Implement `ParserModel.constant`."""
        return self.lexicon.fragment(number)

    def tree_of(
        self, tokens: Sequence[str], graph: SGraph, alignment: Alignment | None
    ) -> Derivation:
        """Return the derivation of a graph, with sources as in training.

        Raises AMParserError if the graph has none.
        """
        from amparser.induction.analysis import analyse

        analysis = analyse([(tuple(tokens), graph)], self.learned.inventory)
        [tree] = analysis.trees
        if tree is None:
            raise InputError(analysis.failures[0][1])
        return tree


def node_needs(settings: NodeSettings, learned: NodeLearned) -> Needs:
    """Return what the network predicts: supertags (as wholes or parts), heads, and operations."""
    lexicon, supertag, edge = learned.lexicon, settings.supertag, settings.edge
    parts = lexicon.supertag_parts if supertag.composed else None
    tags = TagNeeds(len(lexicon.supertags), supertag.hidden_size, supertag.dropout, parts)
    arcs = ArcNeeds(
        edge.type,
        edge.hidden_size,
        edge.content_dropout,
        "random",
        operations=len(lexicon.operations),
        operation_size=edge.operation_size,
        clip=edge.distance_clip,
        loss=edge.loss,
    )
    return Needs(tags, arcs)


NODE = Preset(
    "node",
    "constants of one node with a type; decoders find well-typed trees",
    NodeSettings(),
    NodeLearned,
    node_needs,
    NodeModel,
    "amparser.presets.nodes.training",
)
