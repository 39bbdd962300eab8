"""What a model of fragments of graphs has learned beside its weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from amparser.conditions import Filled, OneOf
from amparser.graph.boxes import BoxScheme
from amparser.lexicon.dictionary import LANGUAGES
from amparser.lexicon.graph_inventory import Inventory
from amparser.lexicon.spans import NO_RULES, SpanRules
from amparser.lexicon.units import Splitter


@dataclass(frozen=True)
class GraphLearned:
    """What is induced of fragments of graphs.

    Attributes:
        scheme: the boxes of the corpus, or None.
        splitter: cuts tokens into units.
        inventory: of the derivations of train.
        auxiliary: the different items of each auxiliary layer.
        spans: where nodes stand.
        languages: of train's sentences (ISO 639), as far as they are known.
    """

    scheme: BoxScheme | None
    splitter: Splitter
    inventory: Inventory
    auxiliary: Sequence[Annotated[Sequence[str], Filled()]] = ()
    spans: SpanRules = NO_RULES
    languages: Sequence[Annotated[str, OneOf(LANGUAGES)]] = ()
