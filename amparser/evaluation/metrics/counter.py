"""Counter: precision, recall and F of clauses under the best mapping of variables.

Boxes of the predicted DRS are mapped to boxes of the gold one, and referents to referents,
no two to the same; clauses that come out equal match (van Noord et al. 2018, section 4).
The published tool searches for a good mapping by hill climbing with restarts; here
the best one is found, as an integer program of the form that Cai & Knight (2013,
section 4) give for Smatch, whose dual bound certifies it.

As there, the same clause counts once, and `b1 REF x1` is left out where another clause of
`b1` has `x1`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from amparser.errors import InputError, LogicError
from amparser.evaluation.metrics.overlap import Overlap
from amparser.logic.clf import SEPARATOR, Clause, clauses_from_str, drs_from_clauses
from amparser.logic.drs import Box
from amparser.logic.drs_equivalence import drs_equivalent
from amparser.logic.fol import is_variable

NODE_LIMIT = 100_000
"""Nodes of branch and bound; pairs of depth 4 need one or two."""

Vertex: TypeAlias = tuple[str, str]
"""A box or a referent: its kind and its name."""
_Mapping: TypeAlias = dict[Vertex, Vertex]


@dataclass(frozen=True, slots=True)
class Matching:
    """A mapping of predicted boxes and referents to gold ones.

    No mapping matches more than `bound` clauses, and this one matches `matched`.
    """

    matched: int
    bound: int
    mapping: Mapping[Vertex, Vertex] = field(default_factory=dict)

    @property
    def certified(self) -> bool:
        """Whether no other mapping is better."""
        return self.matched == self.bound


def without_redundant_refs(clauses: Iterable[Clause]) -> list[Clause]:
    """The different clauses, without those that declare what a clause of the same box uses."""
    different = list(dict.fromkeys(clauses))
    used = {(c[0], argument) for c in different if c[1:2] != ("REF",) for argument in c[2:]}
    return [c for c in different if c[1:2] != ("REF",) or (c[0], c[-1]) not in used]


def _vertices(clause: Clause) -> tuple[Vertex, ...]:
    """What stands in a clause beside its word; constants are of a kind of their own."""
    boxes = clause[1] in ("NOT", "IMP", "DIS")
    return (
        ("box", clause[0]),
        *(
            ("box" if boxes else "referent" if is_variable(name) else "constant", name)
            for name in clause[2:]
        ),
    )


def _candidates(
    predicted: Sequence[Clause], gold: Sequence[Clause]
) -> list[tuple[int, int, _Mapping]]:
    """Pairs of clauses that could match, with the mapping that this takes."""
    found = []
    by_word = defaultdict(list)
    for number, clause in enumerate(gold):
        by_word[clause[1]].append((number, _vertices(clause)))
    for index, clause in enumerate(predicted):
        for number, wanted in by_word[clause[1]] if len(clause) > 2 else ():
            pairs = list(zip(_vertices(clause), wanted, strict=False))
            mapping = {left: right for left, right in pairs if left[0] == right[0] != "constant"}
            if (
                len(clause) == len(gold[number])
                and all(mapping.get(left, left) == right for left, right in pairs)
                and len(set(mapping.values())) == len(mapping)
            ):
                found.append((index, number, mapping))
    return found


def match_clauses(
    predicted: Iterable[Clause], gold: Iterable[Clause], *, node_limit: int = NODE_LIMIT
) -> Matching:
    """The mapping under which most of the predicted clauses are gold ones.

    A binary variable for each pair of vertices says that one is mapped to the other, one
    for each pair of clauses that they match; clauses are compared as they are, each
    counted once. Without a pair of clauses in common no program is solved.

    Raises:
        InputError: SciPy is not installed.
    """
    found, wanted = list(dict.fromkeys(predicted)), list(dict.fromkeys(gold))
    candidates = _candidates(found, wanted)
    if not candidates:
        return Matching(0, 0)
    try:
        import numpy as np
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import coo_array
    except ImportError:
        message = 'SciPy is missing; expected scipy (pip install "amparser[logic]")'
        raise InputError(message) from None

    columns: dict[tuple[Vertex, Vertex], int] = {}
    for _, _, mapping in candidates:
        for pair in mapping.items():
            columns.setdefault(pair, len(columns))
    pair_count = len(columns)

    # Rows `sum of the columns <= 1`: a vertex is mapped to one, and one is mapped to it.
    rows: list[tuple[list[int], int | None]] = []
    for side in (0, 1):
        by_vertex = defaultdict(list)
        for pair, column in columns.items():
            by_vertex[pair[side]].append(column)
        rows += [(members, None) for members in by_vertex.values()]
        # Rows `sum of the columns <= column of the pair`: of the matches that need this pair
        # a clause, whether predicted or gold, has one at most.
        by_clause = defaultdict(list)
        for match, candidate in enumerate(candidates):
            for pair in candidate[2].items():
                by_clause[candidate[side], columns[pair]].append(pair_count + match)
        rows += [(members, column) for (_, column), members in by_clause.items()]

    entries = [
        (row, column, 1.0) for row, (members, _) in enumerate(rows) for column in members
    ] + [(row, column, -1.0) for row, (_, column) in enumerate(rows) if column is not None]
    row_of, column_of, values = zip(*entries, strict=True)
    size = pair_count + len(candidates)
    matrix = coo_array((values, (row_of, column_of)), shape=(len(rows), size)).tocsr()
    upper = np.array([float(column is None) for _, column in rows])
    # With the mapping integral, the best matches are so by themselves.
    integral = np.arange(size) < pair_count
    result = milp(
        -(~integral).astype(float),
        constraints=LinearConstraint(matrix, -np.inf, upper),
        integrality=integral,
        bounds=Bounds(0, 1),
        options={"node_limit": node_limit, "mip_rel_gap": 0},
    )
    solution = result.x if result.x is not None else np.zeros(size)
    chosen = dict(pair for pair, column in columns.items() if solution[column] > 0.5)
    matched = sum(chosen.items() >= mapping.items() for _, _, mapping in candidates)
    # What the solver computes in floating point, counts of clauses round.
    bound = len(found) if result.mip_dual_bound is None else -result.mip_dual_bound
    bound = min(len(found), len(wanted), math.floor(bound + 1e-4))
    return Matching(matched, max(bound, matched), chosen)


@dataclass(frozen=True, slots=True)
class CounterCounts:
    """Predicted DRSs and their clauses.

    `well_formed` counts those whose clauses make a box, `exact` those equal to gold up to
    names and order, `certified` those for which no mapping is better than the one found.
    """

    count: int = 0
    well_formed: int = 0
    exact: int = 0
    certified: int = 0
    clauses: Overlap = field(default_factory=Overlap)

    def __add__(self, other: CounterCounts) -> CounterCounts:
        return CounterCounts(
            self.count + other.count,
            self.well_formed + other.well_formed,
            self.exact + other.exact,
            self.certified + other.certified,
            self.clauses + other.clauses,
        )

    def to_json(self) -> dict[str, float]:
        """The count, shares between 0 and 1, and the figures of all clauses together."""
        total = max(self.count, 1)
        return {
            "count": self.count,
            "well_formed": self.well_formed / total,
            "exact_match": self.exact / total,
            "certified": self.certified / total,
            "precision": self.clauses.precision,
            "recall": self.clauses.recall,
            "f_score": self.clauses.f_score,
        }


def compare_clauses(
    gold: str, predicted: str | None, *, include_ref: bool = False, node_limit: int = NODE_LIMIT
) -> CounterCounts:
    """Compare predicted clauses with the gold ones.

    Args:
        gold: the clauses of a box.
        predicted: any text, or None where there is no answer; it need not be a
            box, and a clause that is none counts as a wrong one.
        include_ref: keep redundant REF clauses, which raise the figures.

    Raises:
        LogicError: the gold clauses are malformed.
        InputError: SciPy is not installed.
    """
    wanted = clauses_from_str(gold)
    box = drs_from_clauses(wanted)
    parts = (predicted or "").split(SEPARATOR)
    found = [tuple(part.split()) for part in parts if part.strip()]
    if not include_ref:
        wanted, found = without_redundant_refs(wanted), without_redundant_refs(found)
    other = _box(predicted)
    if other is not None and drs_equivalent(box, other):
        size = len(set(wanted))
        return CounterCounts(1, 1, 1, 1, Overlap(size, size, size))
    matching = match_clauses(found, wanted, node_limit=node_limit)
    overlap = Overlap(len(set(found)), len(set(wanted)), matching.matched)
    return CounterCounts(1, int(other is not None), 0, int(matching.certified), overlap)


def _box(text: str | None) -> Box | None:
    try:
        return drs_from_clauses(clauses_from_str(text or ""))
    except LogicError:
        return None
