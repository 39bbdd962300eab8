"""Optimal mapping between the vertices of two structures.

A structure (a graph or a list of clauses) is a list of items, each with a key and some vertices: an
edge `agent(a, b)` has the key `agent` and the vertices a and b. Under a one-to-one mapping of
vertices, two items match if their keys are equal and their vertices are mapped to each other. An
integer program finds the mapping with the most matches, as for Smatch (Cai & Knight 2013, section
4). The dual bound of the program can prove that the mapping is optimal.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from amparser.logic.clf import BOX_OPERATORS, Clause
from amparser.logic.fol import is_variable

NODE_LIMIT, CLAUSE_NODE_LIMIT = 20, 100_000
"""Maximum branch-and-bound nodes for graphs and for clauses; most problems need one or two."""
PAIR_LIMIT = 5_000
"""Maximum pairs of items in an integer program; graphs with 100 nodes usually have fewer."""
_SYMMETRIC = 5
"""Divisor of `PAIR_LIMIT` for near-symmetric graphs, whose integer programs are much harder.

Two graphs are near-symmetric if more than `PAIR_LIMIT` / `_SYMMETRIC` pairs of edges could match
together with their nodes, for example if all nodes have the same label.
"""

Vertex: TypeAlias = Hashable
Item: TypeAlias = tuple[Hashable, tuple[Vertex, ...]]
"""Item: key and vertices. Items with equal keys have the same number and kinds of vertices."""
_Mapping: TypeAlias = dict[Any, Any]
_Candidate: TypeAlias = tuple[int, int, _Mapping]
"""Indices of two items that could match, and the mapping of vertices that makes them match."""


@dataclass(frozen=True, slots=True)
class Matching:
    """Mapping of predicted vertices to gold vertices.

    Attributes:
        mapping: gold vertex of each mapped predicted vertex.
        matched: number of items that match.
        bound: upper bound of the number of matches under any mapping.
    """

    matched: int
    bound: int
    mapping: Mapping[Any, Any] = field(default_factory=dict)

    @property
    def certified(self) -> bool:
        """True if the mapping is proved to be optimal."""
        return self.matched == self.bound


def match_clauses(
    predicted: Iterable[Clause], gold: Iterable[Clause], *, node_limit: int = CLAUSE_NODE_LIMIT
) -> Matching:
    """Find the best mapping of boxes and referents of clauses; equal clauses count once."""
    sides = ([_item(clause) for clause in dict.fromkeys(side)] for side in (predicted, gold))
    return match_items(*sides, node_limit=node_limit)


def _item(clause: Clause) -> Item:
    """Return a clause as an item with the key (word, kinds of arguments, constants)."""
    if len(clause) < 3:
        return clause, ()
    box, word, *names = clause
    kinds = [
        "box" if word in BOX_OPERATORS else "referent" if is_variable(name) else "constant"
        for name in names
    ]
    pairs = list(zip(kinds, names, strict=True))
    key = (word, *(pair if pair[0] == "constant" else pair[0] for pair in pairs))
    return key, (("box", box), *(pair for pair in pairs if pair[0] != "constant"))


def match_items(
    predicted: Sequence[Item],
    gold: Sequence[Item],
    *,
    node_limit: int = NODE_LIMIT,
    pair_limit: int = PAIR_LIMIT,
) -> Matching:
    """Find the mapping with the most matches.

    The integer program has a binary variable for each pair of vertices (1 if one is mapped to the
    other) and for each pair of items (1 if they match). If more than `pair_limit` pairs of items (a
    fifth of that for near-symmetric graphs) could match, the program has only the most promising
    pairs, and the bound is the number of keys that both sides share. After `node_limit` nodes of
    branch and bound, the best mapping so far is returned.
    """
    candidates = _candidates(predicted, gold)
    if not candidates:
        return Matching(0, 0)
    bound = (Counter(key for key, _ in predicted) & Counter(key for key, _ in gold)).total()
    program = _within(candidates, pair_limit)
    chosen, dual_bound = _solved(program, node_limit)
    if len(program) == len(candidates):
        bound = min(bound, dual_bound)
    matched = sum(chosen.items() >= mapping.items() for _, _, mapping in candidates)
    return Matching(matched, max(bound, matched), chosen)


def _candidates(predicted: Sequence[Item], gold: Sequence[Item]) -> list[_Candidate]:
    by_key = defaultdict(list)
    for number, (key, vertices) in enumerate(gold):
        by_key[key].append((number, vertices))
    candidates = []
    for index, (key, vertices) in enumerate(predicted):
        for number, wanted in by_key[key] if vertices else ():
            mapping = dict(zip(vertices, wanted, strict=True))
            if tuple(mapping[vertex] for vertex in vertices) == wanted and len(
                set(mapping.values())
            ) == len(mapping):
                candidates.append((index, number, mapping))
    return candidates


def _within(candidates: list[_Candidate], limit: int) -> list[_Candidate]:
    """Return at most `limit` candidates, or a fifth of that for near-symmetric graphs.

    Prefer candidates whose mapping also matches many items with one vertex, such as node labels.
    """
    support: Counter[tuple[Vertex, Vertex]] = Counter()
    for _, _, mapping in candidates:
        if len(mapping) == 1:
            support.update(mapping.items())
    likely = sum(len(m) > 1 and all(support[p] for p in m.items()) for _, _, m in candidates)
    if likely > limit // _SYMMETRIC:
        limit //= _SYMMETRIC
    if len(candidates) <= limit:
        return candidates
    ranked = sorted(
        candidates, key=lambda candidate: -sum(support[pair] for pair in candidate[2].items())
    )
    return ranked[:limit]


def _constraints(
    candidates: Sequence[_Candidate], columns: Mapping[tuple[Vertex, Vertex], int]
) -> list[tuple[list[int], int | None]]:
    """Return pairs (columns, limit): the sum of columns is at most column `limit`, or 1 if None."""
    pair_count = len(columns)
    # Constraints `sum of columns <= 1` make the mapping one to one.
    rows: list[tuple[list[int], int | None]] = []
    for side in (0, 1):
        by_vertex = defaultdict(list)
        for pair, column in columns.items():
            by_vertex[pair[side]].append(column)
        rows += [(members, None) for members in by_vertex.values()]
        # An item matches at most once, and only if all vertex pairs of the match are mapped: for
        # each item and vertex pair, the sum of the matches is at most the column of the pair.
        by_item = defaultdict(list)
        for match, candidate in enumerate(candidates):
            for pair in candidate[2].items():
                by_item[candidate[side], columns[pair]].append(pair_count + match)
        rows += [(members, column) for (_, column), members in by_item.items()]
    return rows


def _solved(candidates: Sequence[_Candidate], node_limit: int) -> tuple[_Mapping, int]:
    # The libraries are imported here because parsing does not need them.
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array

    columns: dict[tuple[Vertex, Vertex], int] = {}
    for _, _, mapping in candidates:
        for pair in mapping.items():
            columns.setdefault(pair, len(columns))
    rows = _constraints(candidates, columns)
    entries = [
        (row, column, 1.0) for row, (members, _) in enumerate(rows) for column in members
    ] + [(row, column, -1.0) for row, (_, column) in enumerate(rows) if column is not None]
    row_of, column_of, values = zip(*entries, strict=True)
    size = len(columns) + len(candidates)
    matrix = coo_array((values, (row_of, column_of)), shape=(len(rows), size)).tocsr()
    upper = np.array([float(column is None) for _, column in rows])
    # If the variables of vertex pairs are integers, all others are integers in the optimum.
    integral = np.arange(size) < len(columns)
    result = milp(
        -(~integral).astype(float),
        constraints=LinearConstraint(matrix, -np.inf, upper),
        integrality=integral,
        bounds=Bounds(0, 1),
        options={"node_limit": node_limit, "mip_rel_gap": 0},
    )
    solution = result.x if result.x is not None else np.zeros(size)
    # The solver's bound is a float; the number of matches is an integer.
    dual_bound = result.mip_dual_bound
    bound = len(candidates) if dual_bound is None else math.floor(1e-4 - dual_bound)
    return dict(pair for pair, column in columns.items() if solution[column] > 0.5), bound
