"""One-to-one alignment of units with tokens: hard EM, then refinement.

The score of each label with each word is initialised by IBM model 1 and then re-estimated from the
best assignments of units to tokens.

A literal (a name or number) is anchored to a token that spells it. Any other unit may be anchored
to any token if the data have no alignment. If the data align a unit with a group of tokens, its
anchor is a token of this group. At a cost, the anchor may also be a token that the data align with
the wrapper (the nodes around every meaning of the corpus). For example, "Through" in "Through which
states does it flow" may be aligned with the wrapper of questions, although it expresses the
relation `traverse`.

After EM, refinement moves all anchors of one label away from one word if this increases the
objective:

    sum over words log P(labels of its tokens) + 1/2 sum over labels log P(words of its anchors)
    + sum over anchors (SPECIFIC * log P(label | word) + the resemblance of label and word)

minus the penalties of the assignments (`search.Penalties`). A token at which no unit is anchored
counts as unlabelled. Each P is the probability of a sequence under a Dirichlet prior, so the first
occurrence of a label with a word costs most. Hard EM alone may keep anchors at a word that many
labels share ("does", "has"), because no anchor improves the score by moving alone. The last sum
decides between two words that always occur together: in "has the largest" it prefers "largest" for
the label `largest_one`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import lgamma, log
from typing import NamedTuple

import numpy as np

from amparser.decode.compiled import compiled
from amparser.induction.alignment.search import (
    Bool,
    Candidates,
    Float,
    Grid,
    Int,
    Limits,
    Numbering,
    Penalties,
    Row,
    best_anchors,
    is_reachable,
    limits,
    numbering,
    row_of,
    starts,
    whole_cost,
)
from amparser.induction.alignment.tables import ibm_model_1, resemblance, scores

_BEAM = 24
_PENALTIES = Penalties()


@dataclass(frozen=True)
class Assigned:
    """Best anchors of the units of a corpus; P is the number of different (label, word) pairs.

    Attributes:
        counts: number of anchors of each pair before the refinement, `[P]`.
        likeness: resemblance of label and word in each pair, `[P]` (see `tables.resemblance`).
    """

    numbering: Numbering
    counts: Int
    likeness: Float
    _limits: Limits
    _anchors: Int
    _possible: Bool

    @property
    def anchors(self) -> list[tuple[int, ...] | None]:
        """For each sentence, anchors (tokens from 0) of its units; None if tokens are too few."""
        rows = pairwise(self.numbering.grid.unit_start.tolist())
        return [
            tuple(self._anchors[first:end].tolist()) if possible else None
            for (first, end), possible in zip(rows, self._possible, strict=True)
        ]

    def best_scores(self, row: int) -> list[float]:
        """Return, for each unit of a sentence, its best score with any token (see `tables`)."""
        pairs = row_of(row, self.numbering.grid, self._limits, self._anchors).pairs
        best: list[float] = self._scores[pairs].max(axis=1).tolist()
        return best

    @cached_property
    def _scores(self) -> Float:
        return scores(self.numbering, self.counts, self.likeness)

    def refined(self) -> Assigned:
        """Return the refined assignments (see the module's docstring); `counts` does not change.

        Refinement takes at most ten rounds.
        """
        grid, anchors = self.numbering.grid, self._anchors.copy()
        objective = self._objective()
        for _ in range(10):
            moves = moves_of(anchors, self._possible, grid, self._limits)
            groups = _groups(moves)
            if not make_what_pays(moves, *groups, anchors, grid, self._limits, objective):
                break
        return replace(self, _anchors=anchors)

    def _objective(self) -> Objective:
        numbered = self.numbering
        words = np.bincount(numbered.grid.feature, minlength=len(numbered.features))
        anchored = np.bincount(numbered.pair_feature, self.counts, len(words)).astype(np.int64)
        sizes = [*range(int(words.max(initial=0)) + 2), -1]
        # 0.05 is the pseudo-count of the Dirichlet prior.
        gamma = np.array([lgamma(size + 0.05) for size in sizes])
        counts = self.counts.copy()
        return Objective(counts, words - anchored, words, gamma, self.likeness, _PENALTIES)


def assign_all(corpus: Sequence[Candidates]) -> Assigned:
    """Find the best assignments by hard EM.

    Complexity: O(rounds * sentences * units^2 * beam * tokens).
    """
    numbered = numbering([(row.labels, row.words) for row in corpus])
    bounds, grid = limits(corpus), numbered.grid
    pairs = zip(numbered.pair_label.tolist(), numbered.pair_feature.tolist(), strict=True)
    likeness = np.array([resemblance(numbered.labels[i], numbered.features[j]) for i, j in pairs])
    weights = ibm_model_1(numbered, bounds).posterior
    anchors = np.zeros(len(grid.label), dtype=np.int64)
    possible = np.zeros(len(corpus), dtype=np.bool_)
    rows = [row_of(r, grid, bounds, anchors) for r in range(len(corpus))]
    for _ in range(5):
        emission = scores(numbered, weights, likeness)
        for r, row in enumerate(rows):
            gains = emission[row.pairs] - _PENALTIES.loose * row.loose
            possible[r], _ = best_anchors(gains, row, _PENALTIES, _BEAM)
        chosen = [
            row.pairs[np.arange(len(row.anchors)), row.anchors]
            for row, is_possible in zip(rows, possible, strict=True)
            if is_possible
        ]
        none = np.zeros(0, dtype=np.int64)
        counts = np.bincount(np.concatenate([none, *chosen]), minlength=len(weights))
        if np.array_equal(counts, weights):
            break
        weights = counts.astype(np.float64)
    return Assigned(numbered, counts, likeness, bounds, anchors, possible)


SPECIFIC = 0.3
"""Weight of log P(label | word) in the objective; it favours words with few other labels."""


class Objective(NamedTuple):
    """Parameters and counts of the refinement objective; see the module's docstring.

    Attributes:
        counts: number of anchors of each pair of a label and a word.
        free: occurrences of each word at which no unit is anchored.
        words: occurrences of each word.
        gamma: `gamma[count]` is ln Gamma(count + prior), also for a count of -1.
        likeness: resemblance of label and word in each pair.
        penalties: penalties of an assignment, in nats.
    """

    counts: Int
    free: Int
    words: Int
    gamma: Float
    likeness: Float
    penalties: Penalties


def _groups(moves: Int) -> tuple[Int, Int]:
    """Return the indices of moves by group, largest group first, and the offsets of the groups.

    A move of a label's anchor from word v to word w is in two groups: all moves of this label away
    from v, and all its moves from v to w. A swap is in the group of all swaps of the same two
    labels and words.
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
def moves_of(anchors: Int, possible: Bool, grid: Grid, limits: Limits) -> Int:
    """Return all moves of one anchor to another token, and all swaps of two anchors, `[M, 9]`.

    The columns are: row, unit, the unit's token before and after the move, the other unit of a swap
    (or -1), the unit's label, the unit's word before and after the move, and the label of the other
    unit (or -1).
    """
    moves, count = np.empty((limits.allowed.sum(), 9), dtype=np.int64), 0
    for r in range(len(possible)):
        if not possible[r]:
            continue
        row = row_of(r, grid, limits, anchors)
        holder = np.full(len(row.words), -1)
        for unit in range(len(row.anchors)):
            holder[row.anchors[unit]] = unit
        for unit in range(len(row.anchors)):
            token = row.anchors[unit]
            for other in range(len(row.words)):
                second = holder[other]
                if not row.allowed[unit, other] or row.words[other] == row.words[token]:
                    continue
                if second >= 0 and (second < unit or not row.allowed[second, token]):
                    continue
                move = moves[count]
                move[0], move[1], move[2], move[3], move[4] = r, unit, token, other, second
                move[5], move[6], move[7] = row.labels[unit], row.words[token], row.words[other]
                move[8] = row.labels[second] if second >= 0 else -1
                count += 1
    return moves[:count]


@compiled
def _count_once(count: Int, which: int, more: int, gamma: Float) -> float:
    """Change a count by one; return the change of the log-probability."""
    before = count[which]
    count[which] = before + more
    return float(gamma[before + more] - gamma[before])


@compiled
def make(move: Int, is_undone: bool, row: Row, objective: Objective) -> float:
    """Make or undo a move; return the change of the objective without the penalties.

    Args:
        move: a move, see `moves_of`.
        is_undone: whether to undo the move.
        row: the row; its anchors are changed in place.
        objective: the objective; its counts are changed in place.
    """
    gain, gamma = 0.0, objective.gamma
    for change in range(2 if move[4] >= 0 else 1):
        unit, before, after = move[1], move[2], move[3]
        if change == 1:
            unit, before, after = move[4], after, before
        if is_undone:
            before, after = after, before
        row.anchors[unit] = after
        old, new = row.words[before], row.words[after]
        first, second = row.pairs[unit, before], row.pairs[unit, after]
        gain += (1.5 + SPECIFIC) * _count_once(objective.counts, first, -1, gamma)
        gain += (1.5 + SPECIFIC) * _count_once(objective.counts, second, 1, gamma)
        less = _count_once(objective.free, old, 1, gamma)
        gain += less + _count_once(objective.free, new, -1, gamma)
        gain += SPECIFIC * log(objective.words[old] / objective.words[new])
        gain += objective.likeness[second] - objective.likeness[first]
    return float(gain)


@compiled
def _fits(move: Int, anchors: Int) -> bool:
    if anchors[move[1]] != move[2]:
        return False
    if move[4] >= 0:
        return bool(anchors[move[4]] == move[3])
    return not (anchors == move[3]).any()


@compiled
def make_what_pays(
    moves: Int,
    order: Int,
    group_start: Int,
    anchors: Int,
    grid: Grid,
    limits: Limits,
    objective: Objective,
) -> int:
    """Make the moves of each group in turn, and undo them if they do not increase the objective.

    Only the best move of each anchor in a group is made. Return the number of groups whose moves
    are kept. `order[group_start[g]:group_start[g + 1]]` are the moves of group g, sorted by anchor.
    """
    paid, penalties = 0, objective.penalties
    done = np.empty(len(order), dtype=np.int64)
    for group in range(len(group_start) - 1):
        at, end = group_start[group], group_start[group + 1]
        made, total = 0, 0.0
        while at < end:
            r, unit = moves[order[at], 0], moves[order[at], 1]
            row = row_of(r, grid, limits, anchors)
            reaches = is_reachable(row.anchors, row.parents)
            cost = whole_cost(row.anchors, row.parents, row.loose, penalties)
            best, best_gain = -1, 0.0
            while at < end and moves[order[at], 0] == r and moves[order[at], 1] == unit:
                move = moves[order[at]]
                at += 1
                if not _fits(move, row.anchors):
                    continue
                gain = make(move, False, row, objective)
                if not reaches or is_reachable(row.anchors, row.parents):
                    gain += cost - whole_cost(row.anchors, row.parents, row.loose, penalties)
                    if best < 0 or gain > best_gain:
                        best, best_gain = order[at - 1], gain
                make(move, True, row, objective)
            if best >= 0:
                make(moves[best], False, row, objective)
                total += best_gain
                done[made] = best
                made += 1
        # The threshold (in nats) only allows for rounding errors.
        if total > 1e-9:
            paid += 1
            continue
        for i in range(made - 1, -1, -1):
            move = moves[done[i]]
            make(move, True, row_of(move[0], grid, limits, anchors), objective)
    return paid
