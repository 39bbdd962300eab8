"""Counter: precision, recall and F of clauses under the best mapping of variables.

Boxes of the predicted DRS are mapped to boxes of the gold one, and referents to referents,
one to one; clauses that become equal match (van Noord et al. 2018, section 4).
The published tool searches for a good mapping by hill climbing with restarts. This module
finds the best one by an integer program of the form that Cai & Knight (2013,
section 4) give for Smatch, whose dual bound certifies it.

As in the published tool, equal clauses count once, and `b1 REF x1` is left out if another
clause of `b1` contains `x1`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TypeAlias

from amparser.corpora.example import Example
from amparser.errors import InputError, LogicError
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.overlap import Overlap
from amparser.logic.clf import (
    BOX_OPERATORS,
    SEPARATOR,
    Clause,
    clauses_from_str,
    clauses_to_str,
    drs_from_clauses,
    words_of_clause,
)
from amparser.logic.drs import Box
from amparser.logic.drs_equivalence import drs_equivalent
from amparser.logic.fol import is_variable
from amparser.notations.clausal import Clausal
from amparser.notations.notation import Notation
from amparser.results import Result

NODE_LIMIT = 100_000
"""Nodes of branch and bound; pairs of depth 4 need one or two."""

MISSING = 'SciPy is missing; expected scipy (pip install "amparser[logic]")'
CLAUSES = "clf"
"""The notation whose texts are clauses."""

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
    """The different clauses, without REF clauses whose referent another clause of the box uses."""
    different = list(dict.fromkeys(clauses))
    used = {(c[0], argument) for c in different if c[1:2] != ("REF",) for argument in c[2:]}
    return [c for c in different if c[1:2] != ("REF",) or (c[0], c[-1]) not in used]


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
    candidates: Sequence[tuple[int, int, _Mapping]],
    columns: Mapping[tuple[Vertex, Vertex], int],
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
        raise InputError(MISSING) from None

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
    # The solver computes in floating point; counts of clauses are integers.
    bound = len(found) if result.mip_dual_bound is None else -result.mip_dual_bound
    bound = min(len(found), len(wanted), math.floor(bound + 1e-4))
    return Matching(matched, max(bound, matched), chosen)


MEASURES = ("counter_f", "counter_precision", "counter_recall", "well_formed", "certified")


def compare_clauses(
    gold: str, predicted: str | None, *, include_ref: bool = False, node_limit: int = NODE_LIMIT
) -> dict[str, Count]:
    """The counts of one answer, by `MEASURES`: shares of clauses, and two of answers.

    `well_formed` is 1 if the predicted clauses make a box, `certified` if no mapping
    is better than the one found.

    Args:
        gold: the clauses of a box.
        predicted: any text, or None if there is no answer. It need not be a
            box, and a text between separators that is not a clause counts as a wrong one.
        include_ref: keep redundant REF clauses, which raise the figures.
        node_limit: the limit of nodes in branch and bound.

    Raises:
        LogicError: the gold clauses are malformed.
        InputError: SciPy is not installed.
    """
    wanted = clauses_from_str(gold)
    box = drs_from_clauses(wanted)
    parts = (predicted or "").split(SEPARATOR)
    found = [words_of_clause(part) for part in parts if part.strip()]
    if not include_ref:
        wanted, found = without_redundant_refs(wanted), without_redundant_refs(found)
    other = _box(predicted)
    if other is not None and drs_equivalent(box, other):
        size = len(set(wanted))
        overlap, certified = Overlap(size, size, size), True
    else:
        matching = match_clauses(found, wanted, node_limit=node_limit)
        overlap = Overlap(len(set(found)), len(set(wanted)), matching.matched)
        certified = matching.certified
    values = (*overlap.counts(), Count(int(other is not None), 1), Count(int(certified), 1))
    return dict(zip(MEASURES, values, strict=True))


def _box(text: str | None) -> Box | None:
    try:
        return drs_from_clauses(clauses_from_str(text or ""))
    except LogicError:
        return None


class CounterMetric:
    """Counter's figures; meanings in other notations are written as clauses first."""

    name = "counter"
    measures = MEASURES

    def problem(self, notation: Notation | None) -> str | None:
        """The meanings have no clauses, or SciPy is not installed."""
        if not isinstance(notation, Clausal):
            name = "labels" if notation is None else f"{notation.name} meanings"
            return f"{name} have no clauses"
        return None if find_spec("scipy") is not None else MISSING

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """As `compare_clauses`.

        Raises:
            LogicError: the gold meaning is malformed.
        """
        if notation is not None and notation.name == CLAUSES:
            return compare_clauses(gold.meaning or "", result.meaning)
        assert isinstance(notation, Clausal)
        found: str | None = None
        if result.meaning is not None:
            with suppress(LogicError):
                found = clauses_to_str(notation.clauses(result.meaning))
        return compare_clauses(clauses_to_str(notation.clauses(gold.meaning or "")), found)


COUNTER = CounterMetric()
