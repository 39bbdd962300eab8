"""A token of its own for each unit of a row: hard EM, then refinement.

The tables start from IBM model 1 over whole sentences and groups, and are then re-estimated from
the best assignments. Where tokens come in groups with their units (a given alignment), the
anchor is one of the group's tokens, or at a cost one that the alignment gives to the wrapper
around every meaning: in "Through which states does it flow" an annotator may have "Through" for
the question, and yet it is the word that all such sentences share. Where nothing is given, it is
any token. A literal is special: tokens that spell it are its anchor and what continues it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from amparser.induction.alignment.numbering import Bool, Float, Int, counted, numbering
from amparser.induction.alignment.refinement import refined
from amparser.induction.alignment.search import (
    BEAM,
    Candidates,
    Limits,
    Penalties,
    all_best_anchors,
    limits,
)
from amparser.induction.alignment.tables import Tables, first_tables

Anchors = list[tuple[int, ...] | None]

_PENALTIES = Penalties()


@dataclass(frozen=True)
class Assigned:
    """The best assignments of a corpus by its tables.

    Attributes:
        tables: counts of the assignments.
    """

    tables: Tables
    _limits: Limits
    _anchors: Int
    _possible: Bool

    @property
    def anchors(self) -> Anchors:
        """The anchor of each unit of each sentence; None where a sentence has too few tokens."""
        unit_start = self.tables.numbering.grid.unit_start.tolist()
        flat = self._anchors.tolist()
        return [
            tuple(flat[unit_start[r] : unit_start[r + 1]]) if possible else None
            for r, possible in enumerate(self._possible.tolist())
        ]

    def best_scores(self, row: int) -> list[float]:
        """For each unit of a sentence, how well it goes with the word that announces it best."""
        grid = self.tables.numbering.grid
        pairs = grid.pair[grid.pair_start[row] : grid.pair_start[row + 1]]
        units = int(grid.unit_start[row + 1] - grid.unit_start[row])
        best: list[float] = self._scores[pairs].reshape(units, -1).max(axis=1).tolist()
        return best

    @cached_property
    def _scores(self) -> Float:
        return self.tables.scores()

    def refined(self) -> Assigned:
        """With anchors moved while that pays; the tables stay."""
        return replace(
            self,
            _anchors=refined(self.tables, self._limits, self._anchors, self._possible, _PENALTIES),
        )


def assign_all(corpus: Sequence[Candidates]) -> Assigned:
    """The best assignments by hard EM.

    Complexity: O(rounds * sentences * units^2 * beam * tokens).
    """
    numbered = numbering([(row.labels, row.words) for row in corpus])
    bounds, grid = limits(corpus), numbered.grid
    tables = first_tables(numbered, bounds)
    anchors = np.zeros(len(grid.label), dtype=np.int64)
    possible = np.zeros(len(corpus), dtype=np.bool_)
    # Rounds of expectation maximization.
    for _ in range(5):
        all_best_anchors(tables.scores(), grid, bounds, _PENALTIES, BEAM, anchors, possible)
        counts = counted(grid, anchors, possible, len(tables.pairs)).astype(np.float64)
        labels = np.bincount(numbered.pair_label, counts, len(numbered.labels)).astype(np.float64)
        updated = replace(tables, pairs=counts, label_counts=labels)
        if np.array_equal(updated.pairs, tables.pairs):
            break
        tables = updated
    return Assigned(tables, bounds, anchors, possible)


def align(corpus: Sequence[Candidates]) -> tuple[Anchors, Tables]:
    """The anchor of each unit of each sentence, refined; None where a sentence has too few."""
    found = assign_all(corpus).refined()
    return found.anchors, found.tables
