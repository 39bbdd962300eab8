"""Parser model of the preset `tree`: scorers, and an inventory of tree fragments.

tokens -> scores -> search -> derivation -> AM dependency tree, graph
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from amparser.algebra.derivation import Derivation
from amparser.algebra.fragment import Fragment
from amparser.decode.next_best import SLACK
from amparser.decode.parse import Best
from amparser.decode.scores import Scores
from amparser.errors import AMParserError
from amparser.graph.sgraph import SGraph
from amparser.induction.cooccurrence import CooccurrenceCounts
from amparser.induction.derivations import AlignedGraph, derive
from amparser.induction.inventory import Inventory
from amparser.lexicon.encoded import FIRST_FRAGMENT, Encoded
from amparser.nn.heads.arcs import ArcNeeds
from amparser.nn.heads.tags import TagNeeds
from amparser.nn.scorer import Needs
from amparser.nn.scores import scores_of
from amparser.presets.model import Alignment, PieceModel, Scored
from amparser.presets.preset import Preset
from amparser.presets.settings import TreeSettings
from amparser.presets.trees.search import Search


@dataclass(frozen=True)
class TreeLearned:
    """Knowledge induced from a corpus for the preset `tree`; part of the model."""

    inventory: Inventory
    cooccurrence: CooccurrenceCounts

    def misfit(self) -> str | None:
        """Return the first inconsistency in knowledge that was read from a file, or None."""
        fragments, wrapper = self.inventory.fragments, self.inventory.wrapper
        if len(self.cooccurrence.seen) != (count := FIRST_FRAGMENT + len(fragments)):
            return f".cooccurrence.seen: expected {count} numbers, one for each tag"
        wrappers = () if wrapper is None else (wrapper,)
        if wrapper is not None and (len(wrapper.ports) != 1 or wrapper.slots):
            return ".inventory.wrapper: expected one port and no slot"
        for key, some in (("fragments", fragments), ("wrapper", wrappers)):
            for i, fragment in enumerate(some):
                if fragment.problems:
                    return f".inventory.{key}[{i}]: {fragment.problems[0]}"
                try:
                    fragment.closing(()).supertag()
                except AMParserError as error:
                    return f".inventory.{key}[{i}]: {error}"
        return None


@dataclass(frozen=True)
class TreeModel(PieceModel):
    """Parser model of the preset `tree`."""

    learned: TreeLearned

    preset = "tree"
    longest = 100  # the chart of projective trees takes seconds for longer sentences
    _search: Search = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        learned = self.learned
        search = Search(learned.inventory, learned.cooccurrence, self.settings.decode)
        object.__setattr__(self, "_search", search)

    def score(self, sentences: Sequence[Sequence[str]]) -> list[Scored]:
        """Score tokenised sentences, in order."""
        scores = scores_of(self.network, sentences)
        return [Scored(tuple(s), _smoothed(row)) for s, row in zip(sentences, scores, strict=True)]

    def decode(self, scores: Sequence[Scored], decoder: str) -> list[Best[Derivation]]:
        """Return the best derivation of each sentence."""
        return [self._decoded(self._search.best(*row[:2], decoder)) for row in scores]

    def others(
        self, scores: Scored, best: Best[Derivation], decoder: str, slack: float = SLACK
    ) -> Iterator[Best[Derivation]]:
        """Yield the next best derivations."""
        return map(self._decoded, self._search.after(*scores[:2], decoder, slack))

    def _decoded(self, best: Best[Encoded]) -> Best[Derivation]:
        if best.analysis is None:
            return Best(failure=best.failure)
        return Best(self.learned.inventory.decode(best.analysis), best.logp)

    def chosen(self, tokens: Sequence[str], parse: Best[Derivation]) -> Sequence[int]:
        """Implement `ParserModel.chosen`."""
        assert parse.analysis is not None
        return self.learned.inventory.tags(parse.analysis)

    def graph(self, tokens: Sequence[str], parse: Best[Derivation]) -> SGraph:
        """Return the graph of a derivation."""
        return self.learned.inventory.graph(self.derivation(tokens, parse))

    def constant(self, number: int) -> Fragment | str:
        """Implement `ParserModel.constant`."""
        return self.learned.inventory.constant(number)

    def tree_of(
        self, tokens: Sequence[str], graph: SGraph, alignment: Alignment | None
    ) -> Derivation:
        """Return the derivation of a graph, using only fragments induced from this graph."""
        induced = derive([AlignedGraph(tuple(tokens), graph, alignment)])
        [encoded] = induced.derivations
        assert encoded is not None
        return induced.inventory.decode(encoded)


def _smoothed(scores: Scores) -> Scores:
    tags, edges = (
        np.log(np.exp(logp.astype(np.float64)) + 1e-12)
        for logp in (scores.supertag_logp, scores.edge_logp)
    )
    return replace(scores, supertag_logp=tags, edge_logp=edges)


def tree_needs(settings: TreeSettings, learned: TreeLearned) -> Needs:
    """Return what the network predicts: fragments, heads, and default arguments."""
    inventory = learned.inventory
    heads, labels = settings.heads, inventory.tag_labels
    tags = TagNeeds(
        len(labels),
        heads.hidden_size,
        heads.dropout,
        labels=labels,
        buckets=settings.encoder.buckets,
        words=True,
        words_beside=True,
        context_dropout=heads.context_dropout,
    )
    arcs = ArcNeeds("bilinear", heads.arc_size, 0.0, "content")
    return Needs(tags, arcs, defaults=len(inventory.defaults.names))


TREE = Preset(
    "tree",
    "fragments of several nodes with ports, for real questions and small corpora",
    TreeSettings(),
    TreeLearned,
    tree_needs,
    TreeModel,
    "amparser.presets.trees.training",
    one_thread=True,
)
