"""Constants of one node: parsers are trained from meanings, graphs or trees."""

from __future__ import annotations

from dataclasses import replace

from amparser.compositions.constants import Constants
from amparser.compositions.needs import node_needs
from amparser.compositions.nodes.composition import NodeComposition
from amparser.compositions.nodes.decomposition import decomposed
from amparser.compositions.nodes.gold import GoldTrees, NodeLearned, gold_trees
from amparser.compositions.nodes.task import NodeTask
from amparser.compositions.settings import RESTRICTIONS, NodeSettings
from amparser.compositions.source import Source
from amparser.corpora.corpus import Corpus
from amparser.errors import InputError
from amparser.lexicon.thresholds import Thresholds
from amparser.nn.scorer import Ensemble


def task_of(network: Ensemble, gold: GoldTrees, settings: NodeSettings) -> NodeTask:
    """The task of a network; raises InputError if an example is too long for its encoder."""
    encoder = network.encoder
    for name, examples in (("training", gold.train), ("dev", gold.dev)):
        for number, example in enumerate(examples if encoder.limited else (), 1):
            if problem := encoder.problem(example.tokens):
                raise InputError(f"{name} example {number}: {problem}")
    return NodeTask(network, gold.train, gold.dev, settings, gold.learned.lexicon)


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
    task_of,
    NodeComposition,
    given_back,
    settled,
    decoding=(
        "decode",
        "train.device",
        *(f"lexicon.{name}" for name in (*RESTRICTIONS, *Thresholds._fields)),
    ),
    streams=True,
)
