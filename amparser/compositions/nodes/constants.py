"""Constants of one node: parsers are trained from meanings, graphs or trees."""

from __future__ import annotations

from dataclasses import fields, replace

from amparser.compositions.constants import Constants
from amparser.compositions.needs import node_needs
from amparser.compositions.nodes.composition import NodeComposition
from amparser.compositions.nodes.decomposition import decomposed
from amparser.compositions.nodes.gold import GoldTrees, NodeLearned, gold_trees
from amparser.compositions.nodes.samples import NodeSamples
from amparser.compositions.settings import NodeSettings
from amparser.compositions.source import Source
from amparser.corpora.corpus import Corpus
from amparser.lexicon.restriction_settings import RestrictionSettings


def settled(settings: NodeSettings, gold: GoldTrees) -> NodeSettings:
    """The settings with how often is frequent."""
    lexicon = replace(settings.lexicon, **gold.thresholds._asdict())
    return replace(settings, lexicon=lexicon)


def given_back(corpus: Corpus) -> float:
    """See `Constants`."""
    source = Source.of(replace(corpus, strict=False), "train")
    trees, _, _ = decomposed(corpus.train, source)
    return sum(tree is not None for tree in trees) / max(1, len(trees))


NODE = Constants(
    "node",
    "each constant is one node with a type; searches find well-typed trees",
    NodeSettings(),
    NodeLearned,
    gold_trees,
    node_needs,
    lambda gold, settings: NodeSamples(gold.train, settings.train, gold.learned.lexicon),
    NodeComposition,
    given_back,
    settled,
    decoding=(
        "decode",
        "train.device",
        *(f"lexicon.{one.name}" for one in fields(RestrictionSettings)),
    ),
    streams=True,
)
