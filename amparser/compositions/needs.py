"""What is scored of each kind of constants.

Tags, boxes that a token introduces and what fills slots are scored for each token alone; arcs by
both ends (Dozat & Manning 2017); labels of arcs by a hidden layer over both ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from amparser.nn.heads.arcs import ArcNeeds
from amparser.nn.heads.boxes import BoxNeeds
from amparser.nn.heads.fillers import FillerNeeds
from amparser.nn.heads.labels import LabelNeeds
from amparser.nn.heads.tags import TagNeeds
from amparser.nn.scorer import Needs

if TYPE_CHECKING:
    from amparser.compositions.graphs.gold import GraphLearned
    from amparser.compositions.nodes.learned import NodeLearned
    from amparser.compositions.settings import GraphSettings, NodeSettings, TreeSettings
    from amparser.compositions.trees.gold import TreeLearned


def node_needs(settings: NodeSettings, learned: NodeLearned) -> Needs:
    """What is scored of the supertags and operations of a lexicon."""
    lexicon = learned.lexicon
    parts = lexicon.supertag_parts if settings.supertag.composed else None
    return supertag_needs(settings, len(lexicon.supertags), len(lexicon.operations), parts)


def supertag_needs(
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


def tree_needs(settings: TreeSettings, learned: TreeLearned) -> Needs:
    """What is scored of pieces of trees, whose numbers are tags."""
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


def graph_needs(settings: GraphSettings, learned: GraphLearned) -> Needs:
    """What is scored of pieces of graphs and of the layers that are learned beside."""
    inventory = learned.inventory
    heads = settings.heads
    hidden, dropout = heads.hidden_size, heads.dropout
    # The width of what the scorer of arcs sees of the tags of pieces of graphs.
    return Needs(
        TagNeeds(len(inventory.tags), hidden, dropout, words=True),
        ArcNeeds(
            "bilinear",
            heads.arc_size,
            dropout,
            "zero",
            tag_size=48,
            bilinear_clip=heads.distance_clip,
        ),
        labels=LabelNeeds(
            len(inventory.labels),
            hidden,
            dropout,
            len(inventory.fillers),
            len(inventory.text_number),
            heads.filler_size,
            heads.filler_dropout,
        ),
        fillers=FillerNeeds(
            inventory.text_numbers(),
            len(inventory.text_number),
            len(inventory.scripts),
            hidden,
            heads.filler_size,
            dropout,
            bool(learned.languages),
        ),
        boxes=BoxNeeds(len(inventory.introduced), heads.arc_size // 2, dropout),
        beside=(heads.arc_size // 2, dropout, heads.distance_clip),
        auxiliary=[len(items) for items in learned.auxiliary],
    )
