"""What a parser of graphs needs scored.

Tags, introduced boxes and what fills slots are scored for each token alone; arcs by a biaffine
form (Dozat & Manning 2017), which also sees the tags; labels by a hidden layer over both ends.
"""

from __future__ import annotations

from amparser.compositions.graphs.gold import GraphLearned
from amparser.compositions.graphs.settings import GraphSettings
from amparser.nn.heads.arcs import ArcNeeds
from amparser.nn.heads.boxes import BoxNeeds
from amparser.nn.heads.fillers import FillerNeeds
from amparser.nn.heads.labels import LabelNeeds
from amparser.nn.heads.tags import TagNeeds
from amparser.nn.scorer import Needs

_TAG_SIZE = 48


def needs_of(settings: GraphSettings, learned: GraphLearned) -> Needs:
    """What is scored of an inventory and of the layers that are learned beside."""
    inventory = learned.inventory
    heads = settings.heads
    hidden, dropout = heads.label_size, heads.dropout
    return Needs(
        TagNeeds(len(inventory.tags), hidden, dropout, words=True),
        ArcNeeds(
            "bilinear",
            heads.arc_size,
            dropout,
            "zero",
            tag_size=_TAG_SIZE,
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
        beside=(heads.arc_size // 2, dropout),
        auxiliary=[len(items) for items in learned.auxiliary],
    )
