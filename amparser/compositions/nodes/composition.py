"""A trained scorer and its lexicon of constants of one node, each with a type.

Every decoder returns only well-typed trees, so that each denotes a graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.derivation import Derivation
from amparser.algebra.expand import expand
from amparser.algebra.type_table import TypeTable
from amparser.compositions.composition import Alignment, Composition, InventoryTable
from amparser.compositions.constants import Constants
from amparser.compositions.needs import node_needs
from amparser.compositions.nodes.learned import NodeLearned
from amparser.compositions.settings import NodeSettings
from amparser.decode.decoders import DECODERS
from amparser.decode.next_best import next_best
from amparser.decode.parse import Parse
from amparser.decode.scores import Scores
from amparser.errors import InputError
from amparser.explanation import Explanation, explanation_of
from amparser.graph.sgraph import SGraph
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.polymorphism import instantiate
from amparser.lexicon.restrictions import NEVER, Restrictions
from amparser.lexicon.thresholds import Thresholds
from amparser.nn.scores import scores_of

# What only training and decomposition need is imported when they are asked for.
if TYPE_CHECKING:
    from amparser.compositions.nodes.gold import GoldTrees
    from amparser.compositions.nodes.samples import NodeSamples
    from amparser.corpora.corpus import Corpus
    from amparser.learn.task import Mean, Share
    from amparser.lexicon.indexed_tree import IndexedTree


def node_tables(learned: NodeLearned) -> list[InventoryTable]:
    """See `amparser.compositions.tables`."""
    from amparser.compositions import tables

    return tables.node_tables(learned)


@dataclass(frozen=True)
class NodeComposition(Composition):
    """A network and its lexicon."""

    learned: NodeLearned

    constants = "node"
    tables = staticmethod(node_tables)

    @property
    def lexicon(self) -> Lexicon:
        """The supertags and operations."""
        return self.learned.lexicon

    @cached_property
    def restrictions(self) -> Restrictions | None:
        """Return what the lexicon rules out; None if the settings say that it is nothing."""
        settings = self.settings.lexicon
        if not settings.restricted:
            return None
        word_count, supertag_count = settings.word_count, settings.supertag_count
        return Restrictions(word_count or NEVER, supertag_count or NEVER, lexicon=self.lexicon)

    @property
    def _table(self) -> TypeTable:
        return (self.restrictions or self.lexicon).table

    def with_settings(self, settings: NodeSettings) -> NodeComposition:
        """The same with other settings of lexicon and decoding.

        A count that the settings leave to train stays the one that was read off it.
        """
        known = self.settings.lexicon
        counts = {
            name: getattr(settings.lexicon, name) or getattr(known, name)
            for name in Thresholds._fields
        }
        lexicon = replace(settings.lexicon, **counts)
        return replace(self, settings=replace(settings, lexicon=lexicon))

    def score(self, sentences: Sequence[Sequence[str]]) -> list[Scores]:
        """The scores of tokenised sentences, in order.

        They are -inf for whatever the lexicon rules out for a word.
        """
        words = [self.lexicon.familiar(tokens) for tokens in sentences]
        scores = scores_of(self.network, words)
        return scores if self.restrictions is None else self.restrictions.apply(words, scores)

    def decode(self, scores: Sequence[Scores], decoder: str) -> list[Parse]:
        """The best well-typed tree of each sentence."""
        found: list[Parse] = DECODERS[decoder].search(
            scores,
            self._table,
            supertag_limit=self.settings.decode.supertag_limit,
            open_root=True,
        )
        return found

    def others(self, scores: Scores, best: Parse, decoder: str) -> Iterator[Parse]:
        """The next best trees."""
        return next_best(
            DECODERS[decoder],
            scores,
            self._table,
            best,
            supertag_limit=self.settings.decode.supertag_limit,
            open_root=True,
        )

    def certainty(self, scores: Scores, parse: Parse) -> NDArray[np.float64]:
        """The log probabilities of supertags and edges."""
        at = np.arange(len(scores))
        edges = scores.edge_logp[at, list(parse.heads), list(parse.operations)]
        found = scores.supertag_logp[at, list(parse.supertags)] + edges
        return found.astype(np.float64)

    def tree(self, tokens: Sequence[str], parse: Parse) -> Derivation:
        """The derivation of a decoder's result; no request of it is polymorphic."""
        return instantiate(self._derivation(tokens, parse))

    def _derivation(self, tokens: Sequence[str], parse: Parse) -> Derivation:
        return self.lexicon.derivation(tokens, parse.supertags, parse.heads, parse.operations)

    def graph(self, tokens: Sequence[str], parse: Parse) -> SGraph:
        """The graph of a decoder's tree; raises AMParserError if it denotes none."""
        derivation = self._derivation(tokens, parse)
        return expand(derivation, open_root=len(tokens) == 1, polymorphic=True)

    def accuracy(self, dev: Sequence[IndexedTree], share: Share) -> dict[str, Mean]:
        """`dev_accuracy` and `dev_loss` without types, as the network is trained."""
        from amparser.compositions.nodes.samples import untyped_accuracy

        return untyped_accuracy(self.network, dev, share)

    def explain(self, tokens: Sequence[str], parse: Parse, failure: str | None) -> Explanation:
        """See `Composition`."""
        [scores] = self.score([tokens])
        logp, found, derivation = scores.supertag_logp, scores.supertag_logp.argmax(axis=1), None
        if parse.found:
            found = np.array(parse.supertags)
            derivation = self._derivation(tokens, parse)
        return explanation_of(
            tokens, derivation, logp, found.tolist(), self.lexicon.fragment, failure
        )

    def tree_of(
        self, tokens: Sequence[str], graph: SGraph, alignment: Alignment | None
    ) -> Derivation:
        """The derivation of a graph with the sources of train; raises AMParserError."""
        from amparser.induction.analysis import analyse

        analysis = analyse([(tuple(tokens), graph)], self.learned.inventory)
        [tree] = analysis.trees
        if tree is None:
            raise InputError(analysis.failures[0][1])
        return tree


def settled(settings: NodeSettings, gold: GoldTrees) -> NodeSettings:
    """The settings with how often is frequent."""
    lexicon = replace(settings.lexicon, **gold.thresholds._asdict())
    return replace(settings, lexicon=lexicon)


def given_back(corpus: Corpus) -> float:
    """See `Constants`."""
    from amparser.compositions.nodes.decomposition import decomposed
    from amparser.compositions.source import Source

    source = Source.of(replace(corpus, strict=False), "train")
    trees, _, _ = decomposed(corpus.train, source)
    return sum(tree is not None for tree in trees) / max(1, len(trees))


def gold_trees(corpus: Corpus, settings: NodeSettings) -> GoldTrees:
    """See `amparser.compositions.nodes.gold`."""
    from amparser.compositions.nodes import gold

    return gold.gold_trees(corpus, settings)


def node_samples(gold: GoldTrees, settings: NodeSettings) -> NodeSamples:
    """The samples of gold trees."""
    from amparser.compositions.nodes.samples import NodeSamples

    return NodeSamples(gold.train, settings.train, gold.learned.lexicon)


NODE = Constants(
    "node",
    "each constant is one node with a type; searches find well-typed trees",
    NodeSettings(),
    NodeLearned,
    gold_trees,
    node_needs,
    node_samples,
    NodeComposition,
    given_back,
    settled,
    decoding=(
        "decode",
        "train.device",
        *("lexicon.word_count", "lexicon.supertag_count", "lexicon.restricted"),
    ),
)
