"""What a model of fragments of trees has learned beside its weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from amparser.algebra.fragment import SLOT, Fragment
from amparser.conditions import Count
from amparser.errors import AMParserError
from amparser.graph.sgraph import edge_at
from amparser.induction.cooccurrence import CooccurrenceCounts
from amparser.induction.inventory import Inventory
from amparser.induction.sorts import SortModel
from amparser.lexicon.encoded import FIRST_FRAGMENT


@dataclass(frozen=True)
class TreeLearned:
    """Inventory, sorts and co-occurrence counts of fragments of trees.

    Attributes:
        inventory: the fragments of train.
        sorts: which fragments stand where.
        cooccurrence: how often train has what.
        cut: how many edges of each label the derivations leave out.
    """

    inventory: Inventory
    sorts: SortModel
    cooccurrence: CooccurrenceCounts
    cut: Mapping[str, Count]

    def misfit(self) -> str | None:
        """Return why tags and fragments disagree, or a fragment or wrapper has no graph."""
        fragments, wrapper = self.inventory.fragments, self.inventory.contraction.wrapper
        if len(self.sorts.tag) != (count := FIRST_FRAGMENT + len(fragments)):
            return f".sorts.tag: expected {count} rows, as there are fragments"
        around = [Fragment((label, SLOT), (edge_at(0, place, 1),)) for label, place in wrapper]
        for key, some in (("fragments", fragments), ("contraction.wrapper", around)):
            for i, fragment in enumerate(some):
                if fragment.problems:
                    return f".inventory.{key}[{i}]: {fragment.problems[0]}"
                try:
                    fragment.closing(()).supertag()
                except AMParserError as error:
                    return f".inventory.{key}[{i}]: {error}"
        return None
