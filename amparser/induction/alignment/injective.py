"""A token of its own for each unit of a row: hard EM, then refinement.

The tables start from IBM model 1 over whole sentences and groups, and are then re-estimated from
the best assignments. Where tokens come in groups with their units (a given alignment), the
anchor is one of the group's tokens, or at a cost one that the alignment gives to the wrapper
around every meaning: in "Through which states does it flow" an annotator may have "Through" for
the question, and yet it is the word that all such sentences share. Where nothing is given, it is
any token. A literal is special: tokens that spell it are its anchor and what continues it.

Refinement moves anchors, all of one label away from one word at once, while that pays.
What is maximised is, where a token without an anchor has no label,

    sum over words log P(labels of its tokens) + 1/2 sum over labels log P(words of its anchors)
    + sum over anchors (SPECIFIC * log P(label | word) + the resemblance of label and word)

less the penalties. Each P is that of a sequence under a Dirichlet prior: the first time a
word has a label costs most. Hard EM changes one anchor at a time, and does not ask what
the words say that it leaves out; so it may keep a word that many labels share ("does", "has").
The last term decides where both words of a pair always stand together: of "has the largest"
the last, if its label is `largest_one`.
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


SPECIFIC = 0.3
"""How much it counts that the word of an anchor has few other labels."""


class Objective(NamedTuple):
    """What moves change, and what they are judged by.

    Attributes:
        counts: of pairs.
        free: how often each word is without a unit.
        words: how often each word occurs.
        gamma: ln Gamma of a count and the prior; the last one is that of -1.
        likeness: the resemblance of each pair.
        weights: of the count of a pair, and of log P(label | word).
        penalties: of whole assignments.
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
    """The anchors when nothing pays any more, or after some rounds."""
    grid, anchors = tables.numbering.grid, anchors.copy()
    objective = _objective(tables, anchors, possible, penalties)
    # Most rounds of changes.
    for _ in range(10):
        nothing = np.zeros((0, 9), dtype=np.int64)
        moves = np.zeros((moves_of(anchors, possible, grid, limits, nothing), 9), dtype=np.int64)
        moves_of(anchors, possible, grid, limits, moves)
        order, group_start = _groups(moves)
        # Least gain that is worth a change, in nats.
        if not make_what_pays(moves, order, group_start, anchors, grid, limits, objective, 1e-9):
            break
    return anchors


def _objective(tables: Tables, anchors: Int, possible: Bool, penalties: Penalties) -> Objective:
    grid = tables.numbering.grid
    words = np.bincount(grid.feature, minlength=len(tables.numbering.features))
    counts = counted(grid, anchors, possible, len(tables.pairs))
    free = words - np.bincount(tables.numbering.pair_feature, counts, len(words)).astype(np.int64)
    sizes = [*range(int(words.max(initial=0)) + 2), -1]
    # Pseudocount of the Dirichlet prior.
    gamma = np.array([lgamma(size + 0.05) for size in sizes])
    weights = np.array([1.5 + SPECIFIC, SPECIFIC])
    return Objective(counts, free, words, gamma, tables.likeness, weights, penalties)


def _groups(moves: Int) -> tuple[Int, Int]:
    """The moves by their groups, the largest first, and where each group begins.

    A move of one anchor is in two groups: of its label and word, and of its new word as well. A
    swap is in one, of both labels and words.
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
def moves_of(anchors: Int, possible: Bool, grid: Grid, limits: Limits, found: Int) -> int:
    """Write all moves of single anchors and all swaps into `found`; how many there are.

    Each move is a row, a unit, its token before and after, the unit to swap with or -1, its
    label, its word before and after, and the label of the other unit or -1. If `found` is empty
    moves are counted alone.
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
                if len(found):
                    row = found[count]
                    row[0], row[1], row[2], row[3], row[4] = r, unit, token, other, second
                    row[5], row[6], row[7] = grid.label[first + unit], old, new
                    row[8] = grid.label[first + second] if second >= 0 else -1
                count += 1
    return count


@compiled
def _count_once(count: Int, which: int, more: int, gamma: Float) -> float:
    """Count something once more or once less; what that adds to the log probability."""
    before = count[which]
    count[which] = before + more
    return float(gamma[before + more] - gamma[before])


@compiled
def make(
    move: Int, is_undone: bool, anchors: Int, pairs: Int, words: Int, objective: Objective
) -> float:
    """Make a move, or undo it; what it adds to the objective, but for the penalties.

    Args:
        move: see `moves_of`.
        is_undone: whether it is undone.
        anchors: `[U]`, of its row; they change.
        pairs: `[U, N]`, of its row.
        words: `[N]`, of its row.
        objective: its counts change.
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
    """Whether the anchors of a move are as they were when it was found, and its token is free."""
    if anchors[move[1]] != move[2]:
        return False
    if move[4] >= 0:
        return bool(anchors[move[4]] == move[3])
    return not (anchors == move[3]).any()


# Long, since calls are costly.
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
    """Try each group of moves, the best of each anchor; undo them if the group does not pay.

    How many groups pay. `order[group_start[g]:group_start[g + 1]]` are the moves of a group, those
    of one anchor together. The penalties of a row are kept until it changes.
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
