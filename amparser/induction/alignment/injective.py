"""One-to-one alignment of units with tokens: hard EM, then refinement.

The tables are initialised by IBM model 1 over whole sentences, then re-estimated from the best
assignments. If the data align groups of tokens with units, a unit's anchor is one of its group's
tokens, or, at a cost, a token aligned with the wrapper around every meaning: an annotator may have
aligned "Through" in "Through which states does it flow" with the question, although it is the word
that all sentences with this meaning share. Without a given alignment the anchor may be any token. A
literal is anchored to the tokens that spell it.

Refinement moves all anchors of one label away from one word while that pays. The objective to
maximise is

    sum over words log P(labels of its tokens) + 1/2 sum over labels log P(words of its anchors)
    + sum over anchors (SPECIFIC * log P(label | word) + the resemblance of label and word)

minus the penalties; a token without an anchor counts as unlabelled. Each P is the probability of a
sequence under a Dirichlet prior, so the first occurrence of a label with a word costs most. Hard EM
changes one anchor at a time and ignores unanchored words, so it may keep a word that many labels
share ("does", "has"). The last term decides between two words that always occur together: in "has
the largest" it prefers "largest" for the label `largest_one`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import lgamma, log
from typing import NamedTuple

import numpy as np

from amparser.decode.compiled import compiled
from amparser.induction.alignment.search import (
    BEAM,
    Bool,
    Candidates,
    Float,
    Grid,
    Int,
    Limits,
    Penalties,
    all_best_anchors,
    counted,
    is_reachable,
    limits,
    numbering,
    starts,
    whole_cost,
)
from amparser.induction.alignment.tables import Tables, first_tables

Anchors = list[tuple[int, ...] | None]

_PENALTIES = Penalties()


@dataclass(frozen=True)
class Assigned:
    """Best assignments of a corpus under given tables.

    Attributes:
        tables: counts of the assignments.
    """

    tables: Tables
    _limits: Limits
    _anchors: Int
    _possible: Bool

    @property
    def anchors(self) -> Anchors:
        """Anchor of each unit (token from 0) by sentence; None if a sentence has too few tokens."""
        unit_start = self.tables.numbering.grid.unit_start.tolist()
        flat = self._anchors.tolist()
        return [
            tuple(flat[unit_start[r] : unit_start[r + 1]]) if possible else None
            for r, possible in enumerate(self._possible.tolist())
        ]

    def best_scores(self, row: int) -> list[float]:
        """Return, for each unit of a sentence, its best score with any token (see `tables`)."""
        grid = self.tables.numbering.grid
        pairs = grid.pair[grid.pair_start[row] : grid.pair_start[row + 1]]
        units = int(grid.unit_start[row + 1] - grid.unit_start[row])
        best: list[float] = self._scores[pairs].reshape(units, -1).max(axis=1).tolist()
        return best

    @cached_property
    def _scores(self) -> Float:
        return self.tables.scores()

    def refined(self) -> Assigned:
        """Return the assignments with anchors moved while that pays; the tables are unchanged."""
        return replace(
            self,
            _anchors=refined(self.tables, self._limits, self._anchors, self._possible, _PENALTIES),
        )


def assign_all(corpus: Sequence[Candidates]) -> Assigned:
    """Find the best assignments by hard EM.

    Complexity: O(rounds * sentences * units^2 * beam * tokens).
    """
    numbered = numbering([(row.labels, row.words) for row in corpus])
    bounds, grid = limits(corpus), numbered.grid
    tables = first_tables(numbered, bounds)
    anchors = np.zeros(len(grid.label), dtype=np.int64)
    possible = np.zeros(len(corpus), dtype=np.bool_)
    # Five rounds of EM at most.
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
    """Return the refined anchors of each sentence (None: too few tokens), and the tables."""
    assigned = assign_all(corpus).refined()
    return assigned.anchors, assigned.tables


SPECIFIC = 0.3
"""Weight of log P(label | word) of anchors, which prefers words with few other labels."""


class Objective(NamedTuple):
    """Statistics that moves change, and the terms of the objective.

    Attributes:
        counts: count of each pair.
        free: count of each word without an anchor.
        words: count of each word.
        gamma: ln Gamma(count + prior) by count; the last entry is for count -1.
        likeness: resemblance of each pair.
        weights: weight of a pair's count, and of log P(label | word).
        penalties: penalties of an assignment, in nats.
    """

    counts: Int
    free: Int
    words: Int
    gamma: Float
    likeness: Float
    weights: Float
    penalties: Penalties


def refined(
    tables: Tables, limits: Limits, anchors: Int, possible: Bool, penalties: Penalties
) -> Int:
    """Move anchors until no group of moves pays, for at most ten rounds; return the anchors."""
    grid, anchors = tables.numbering.grid, anchors.copy()
    objective = _objective(tables, anchors, possible, penalties)
    for _ in range(10):
        nothing = np.zeros((0, 9), dtype=np.int64)
        moves = np.zeros((moves_of(anchors, possible, grid, limits, nothing), 9), dtype=np.int64)
        moves_of(anchors, possible, grid, limits, moves)
        order, group_start = _groups(moves)
        # The threshold is in nats; it only absorbs rounding errors.
        if not make_what_pays(moves, order, group_start, anchors, grid, limits, objective, 1e-9):
            break
    return anchors


def _objective(tables: Tables, anchors: Int, possible: Bool, penalties: Penalties) -> Objective:
    grid = tables.numbering.grid
    words = np.bincount(grid.feature, minlength=len(tables.numbering.features))
    counts = counted(grid, anchors, possible, len(tables.pairs))
    free = words - np.bincount(tables.numbering.pair_feature, counts, len(words)).astype(np.int64)
    sizes = [*range(int(words.max(initial=0)) + 2), -1]
    # 0.05 is the pseudo-count of the Dirichlet prior.
    gamma = np.array([lgamma(size + 0.05) for size in sizes])
    weights = np.array([1.5 + SPECIFIC, SPECIFIC])
    return Objective(counts, free, words, gamma, tables.likeness, weights, penalties)


def _groups(moves: Int) -> tuple[Int, Int]:
    """Return the moves by group, largest group first, and the offsets of the groups.

    A move of one anchor is in two groups: moves with the same label and old word, and those that
    also have the same new word. A swap is in one group, with equal labels and words.
    """
    single = np.flatnonzero(moves[:, 4] < 0)
    wide = moves[single, 5:].copy()
    wide[:, 2:] = -1
    keys = np.concatenate([wide, moves[:, 5:]])
    which = np.concatenate([single, np.arange(len(moves))])
    by_key = np.lexsort((*keys.T[::-1],)) if len(keys) else which
    keys = keys[by_key]
    changes = (keys[1:] != keys[:-1]).any(axis=1)
    begins = np.flatnonzero(np.concatenate([[True], changes])[: len(keys)])
    sizes = np.diff([*begins, len(keys)])
    largest = np.argsort(-sizes, kind="stable")
    order = [by_key[begins[g] : begins[g] + sizes[g]] for g in largest]
    return which[np.concatenate([by_key[:0], *order])], starts(sizes[largest])


@compiled
def moves_of(anchors: Int, possible: Bool, grid: Grid, limits: Limits, moves: Int) -> int:
    """Write all moves of single anchors and all swaps into `moves`; return their number.

    The columns of a move are: row, unit, its token before and after, the unit to swap with or -1,
    its label, its word before and after, and the label of the other unit or -1. An empty `moves`
    only counts the moves.
    """
    count = 0
    for r in range(len(possible)):
        if not possible[r]:
            continue
        first, here = grid.unit_start[r], grid.feature_start[r]
        units, tokens = grid.unit_start[r + 1] - first, grid.feature_start[r + 1] - here
        holder = np.full(tokens, -1)
        for unit in range(units):
            holder[anchors[first + unit]] = unit
        may = limits.allowed[grid.pair_start[r] : grid.pair_start[r + 1]].reshape(units, tokens)
        for unit in range(units):
            token = anchors[first + unit]
            old = grid.feature[here + token]
            for other in range(tokens):
                new, second = grid.feature[here + other], holder[other]
                if not may[unit, other] or new == old:
                    continue
                if second >= 0 and (second < unit or not may[second, token]):
                    continue
                if len(moves):
                    row = moves[count]
                    row[0], row[1], row[2], row[3], row[4] = r, unit, token, other, second
                    row[5], row[6], row[7] = grid.label[first + unit], old, new
                    row[8] = grid.label[first + second] if second >= 0 else -1
                count += 1
    return count


@compiled
def _count_once(count: Int, which: int, more: int, gamma: Float) -> float:
    """Change a count by one; return the change of the log-probability."""
    before = count[which]
    count[which] = before + more
    return float(gamma[before + more] - gamma[before])


@compiled
def make(
    move: Int, is_undone: bool, anchors: Int, pairs: Int, words: Int, objective: Objective
) -> float:
    """Make or undo a move; return the change of the objective without the penalties.

    Args:
        move: row of moves, see `moves_of`.
        is_undone: whether to undo it.
        anchors: `[U]`, anchors of the row; changed in place.
        pairs: `[U, N]`, pairs of the row.
        words: `[N]`, words of the row.
        objective: its counts are changed in place.
    """
    gain = 0.0
    for change in range(2 if move[4] >= 0 else 1):
        unit, before, after = move[1], move[2], move[3]
        if change == 1:
            unit, before, after = move[4], after, before
        if is_undone:
            before, after = after, before
        anchors[unit] = after
        old, new = words[before], words[after]
        first, second = pairs[unit, before], pairs[unit, after]
        weight, gamma = objective.weights[0], objective.gamma
        gain += weight * _count_once(objective.counts, first, -1, gamma)
        gain += weight * _count_once(objective.counts, second, 1, gamma)
        less = _count_once(objective.free, old, 1, gamma)
        gain += less + _count_once(objective.free, new, -1, gamma)
        gain += objective.weights[1] * log(objective.words[old] / objective.words[new])
        gain += objective.likeness[second] - objective.likeness[first]
    return float(gain)


@compiled
def _fits(move: Int, anchors: Int) -> bool:
    if anchors[move[1]] != move[2]:
        return False
    if move[4] >= 0:
        return bool(anchors[move[4]] == move[3])
    return not (anchors == move[3]).any()


# Long, because calls are expensive here.
@compiled
def make_what_pays(
    moves: Int,
    order: Int,
    group_start: Int,
    anchors: Int,
    grid: Grid,
    limits: Limits,
    objective: Objective,
    least_gain: float,
) -> int:
    """Make the best move of each anchor by group; undo a group that does not pay.

    Returns the number of groups that pay. `order[group_start[g]:group_start[g + 1]]` are the moves
    of a group, grouped by anchor. The penalties of a row are cached until the row
    changes.
    """
    paid = 0
    rows = len(grid.unit_start) - 1
    cost, reaches, known = np.zeros(rows), np.zeros(rows, np.bool_), np.zeros(rows, np.bool_)
    done = np.empty(len(order), dtype=np.int64)
    for group in range(len(group_start) - 1):
        at, end = group_start[group], group_start[group + 1]
        made, total = 0, 0.0
        while at < end:
            row, unit = moves[order[at], 0], moves[order[at], 1]
            now = anchors[grid.unit_start[row] : grid.unit_start[row + 1]]
            parents = limits.parents[grid.unit_start[row] : grid.unit_start[row + 1]]
            words = grid.feature[grid.feature_start[row] : grid.feature_start[row + 1]]
            loose = limits.loose[grid.feature_start[row] : grid.feature_start[row + 1]]
            pairs = grid.pair[grid.pair_start[row] : grid.pair_start[row + 1]].reshape(
                len(now), len(words)
            )
            if not known[row]:
                known[row], reaches[row] = True, is_reachable(now, parents)
                cost[row] = whole_cost(now, parents, loose, objective.penalties)
            best, best_gain = -1, 0.0
            while at < end and moves[order[at], 0] == row and moves[order[at], 1] == unit:
                move = moves[order[at]]
                at += 1
                if not _fits(move, now):
                    continue
                moved = now.copy()
                gain = make(move, False, moved, pairs, words, objective)
                if not reaches[row] or is_reachable(moved, parents):
                    gain += cost[row] - whole_cost(moved, parents, loose, objective.penalties)
                    if best < 0 or gain > best_gain:
                        best, best_gain = order[at - 1], gain
                make(move, True, moved, pairs, words, objective)
            if best >= 0:
                make(moves[best], False, now, pairs, words, objective)
                known[row] = False
                total += best_gain
                done[made] = best
                made += 1
        if total > least_gain:
            paid += 1
            continue
        for i in range(made - 1, -1, -1):
            move = moves[done[i]]
            row = move[0]
            words = grid.feature[grid.feature_start[row] : grid.feature_start[row + 1]]
            now = anchors[grid.unit_start[row] : grid.unit_start[row + 1]]
            pairs = grid.pair[grid.pair_start[row] : grid.pair_start[row + 1]].reshape(
                len(now), len(words)
            )
            make(move, True, now, pairs, words, objective)
            known[row] = False
    return paid
