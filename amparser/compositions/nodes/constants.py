"""Constants of one node: parsers are trained from meanings, graphs or trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from amparser.compositions.constants import Constants
from amparser.compositions.nodes.composition import NodeComposition
from amparser.compositions.nodes.decomposition import Source, decomposed
from amparser.compositions.nodes.gold import GoldTrees, NodeLearned, gold_trees
from amparser.compositions.nodes.settings import RESTRICTIONS, NodeSettings
from amparser.compositions.nodes.task import NodeTask
from amparser.corpora.corpus import Corpus
from amparser.errors import InputError
from amparser.lexicon.thresholds import Thresholds
from amparser.nn.heads.arcs import ArcNeeds
from amparser.nn.heads.tags import TagNeeds
from amparser.nn.scorer import Ensemble, Needs


def needs_of_lexicon(settings: NodeSettings, learned: NodeLearned) -> Needs:
    """What is scored of the supertags and operations of a lexicon."""
    lexicon = learned.lexicon
    parts = lexicon.supertag_parts if settings.supertag.composed else None
    return needs_of(settings, len(lexicon.supertags), len(lexicon.operations), parts)


def needs_of(
    settings: NodeSettings,
    supertag_count: int,
    operation_count: int,
    supertag_parts: Sequence[Sequence[int]] | None = None,
) -> Needs:
    """What is scored of supertags and operations.

    Args:
        settings: all settings.
        supertag_count: K of the lexicon, the empty supertag included.
        operation_count: O of the lexicon, IGNORE and ROOT included.
        supertag_parts: for each supertag the numbers of its parts (from 0), if supertags are
            scored by their parts; otherwise each is a separate class.
    """
    supertag, edge = settings.supertag, settings.edge
    tags = TagNeeds(supertag_count, supertag.hidden_size, supertag.dropout, supertag_parts)
    arcs = ArcNeeds(
        edge.type,
        edge.hidden_size,
        edge.content_dropout,
        "random",
        operations=operation_count,
        operation_size=edge.operation_size,
        clip=edge.distance_clip,
        loss=edge.loss,
    )
    return Needs(tags, arcs)


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
    needs_of_lexicon,
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
