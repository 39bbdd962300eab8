"""What a model of fragments of one node has learned beside its weights."""

from __future__ import annotations

from dataclasses import dataclass

from amparser.induction.induce import SourceInventory
from amparser.lexicon.lexicon import Lexicon


@dataclass(frozen=True)
class NodeLearned:
    """What is induced of constants of one node.

    Attributes:
        lexicon: the lexicon of the training trees.
        inventory: how sources were named.
    """

    lexicon: Lexicon
    inventory: SourceInventory
