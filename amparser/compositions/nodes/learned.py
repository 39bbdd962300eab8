"""What a model of fragments of one node has learned beside its weights."""

from __future__ import annotations

from dataclasses import dataclass

from amparser.conditions import Count
from amparser.induction.induce import SourceInventory
from amparser.lexicon.lexicon import Lexicon


@dataclass(frozen=True)
class NodeLearned:
    """What is induced of constants of one node.

    Attributes:
        lexicon: the lexicon of the training trees.
        inventory: how sources were named.
        word_count: occurrences in train that make a word frequent.
        supertag_count: occurrences that make a supertag or operation frequent.
    """

    lexicon: Lexicon
    inventory: SourceInventory
    word_count: Count
    supertag_count: Count
