"""The best mapping of the variables of one set of clauses to those of another.

Boxes are mapped to boxes, and referents to referents, one to one; clauses that become equal match.
An integer program of the form that Cai & Knight (2013, section 4) give for Smatch finds the best
one, which its dual bound certifies.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from amparser.logic.clf import BOX_OPERATORS, Clause
from amparser.logic.fol import is_variable
from amparser.resources import library

NODE_LIMIT = 100_000
"""Nodes of branch and bound; most pairs need one or two."""

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


def scipy() -> Any:
    """What SciPy optimises with; raises ConfigError if it is not installed."""
    return library("scipy.optimize", "the best mapping of clauses", "logic")


def _vertices(clause: Clause) -> tuple[Vertex, ...]:
    """The box and arguments of a clause; constants are a separate kind."""
    boxes = clause[1] in BOX_OPERATORS
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
    """Pairs of clauses that could match, with the mapping that they require."""
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


def _constraints(
    candidates: Sequence[tuple[int, int, _Mapping]], columns: Mapping[tuple[Vertex, Vertex], int]
) -> list[tuple[list[int], int | None]]:
    """The rows of the program: a sum of columns is at most 1, or at most another column."""
    pair_count = len(columns)
    # Rows `sum of the columns <= 1`: the mapping is one to one.
    rows: list[tuple[list[int], int | None]] = []
    for side in (0, 1):
        by_vertex = defaultdict(list)
        for pair, column in columns.items():
            by_vertex[pair[side]].append(column)
        rows += [(members, None) for members in by_vertex.values()]
        # Rows `sum of the columns <= column of the pair`: of the matches that need this pair,
        # each clause, predicted or gold, has at most one.
        by_clause = defaultdict(list)
        for match, candidate in enumerate(candidates):
            for pair in candidate[2].items():
                by_clause[candidate[side], columns[pair]].append(pair_count + match)
        rows += [(members, column) for (_, column), members in by_clause.items()]
    return rows


def match_clauses(
    predicted: Iterable[Clause], gold: Iterable[Clause], *, node_limit: int = NODE_LIMIT
) -> Matching:
    """The mapping that makes most of the predicted clauses equal to gold ones.

    There is a binary variable for each pair of vertices (one is mapped to the other) and
    one for each pair of clauses (they match). Clauses are compared as they are; equal ones
    count once. If no pair of clauses could match, no program is solved.

    Raises:
        ConfigError: SciPy is not installed.
    """
    found, wanted = list(dict.fromkeys(predicted)), list(dict.fromkeys(gold))
    candidates = _candidates(found, wanted)
    if not candidates:
        return Matching(0, 0)
    optimize = scipy()
    import numpy as np
    from scipy.sparse import coo_array

    columns: dict[tuple[Vertex, Vertex], int] = {}
    for _, _, mapping in candidates:
        for pair in mapping.items():
            columns.setdefault(pair, len(columns))
    pair_count = len(columns)

    rows = _constraints(candidates, columns)
    entries = [
        (row, column, 1.0) for row, (members, _) in enumerate(rows) for column in members
    ] + [(row, column, -1.0) for row, (_, column) in enumerate(rows) if column is not None]
    row_of, column_of, values = zip(*entries, strict=True)
    size = pair_count + len(candidates)
    matrix = coo_array((values, (row_of, column_of)), shape=(len(rows), size)).tocsr()
    upper = np.array([float(column is None) for _, column in rows])
    # If the mapping is integral, the best matches are integral too.
    integral = np.arange(size) < pair_count
    result = optimize.milp(
        -(~integral).astype(float),
        constraints=optimize.LinearConstraint(matrix, -np.inf, upper),
        integrality=integral,
        bounds=optimize.Bounds(0, 1),
        options={"node_limit": node_limit, "mip_rel_gap": 0},
    )
    solution = result.x if result.x is not None else np.zeros(size)
    chosen = dict(pair for pair, column in columns.items() if solution[column] > 0.5)
    matched = sum(chosen.items() >= mapping.items() for _, _, mapping in candidates)
    # The solver computes in floating point; counts of clauses are integers.
    bound = len(found) if result.mip_dual_bound is None else -result.mip_dual_bound
    bound = min(len(found), len(wanted), math.floor(bound + 1e-4))
    return Matching(matched, max(bound, matched), chosen)
