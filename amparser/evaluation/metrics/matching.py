"""Optimal mapping between the vertices of two structures.

A structure is a list of items, each with a key and vertices. Vertices are mapped one to one, and
items that become equal match. The best mapping is found by an integer program like the program of
Cai & Knight (2013, section 4) for Smatch. The dual bound of the program certifies the result.
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
"""Maximum nodes of branch and bound, for graphs and for clauses; most programs need one or two."""
PAIR_LIMIT = 5_000
"""Maximum pairs of items in a program; graphs of real sentences with 100 nodes have fewer."""
_SYMMETRIC = 5
"""Divisor of the limit for near-symmetric graphs, such as graphs with equal labels at all nodes.

A graph counts as near-symmetric if more than 1 / `_SYMMETRIC` of the limit are pairs of edges whose
ends could match too. The programs of such graphs are far harder.
"""

Vertex: TypeAlias = Hashable
Item: TypeAlias = tuple[Hashable, tuple[Vertex, ...]]
"""A key and vertices. Items with equal keys have equal numbers of vertices of the same kinds."""
_Mapping: TypeAlias = dict[Any, Any]
_Candidate: TypeAlias = tuple[int, int, _Mapping]
"""Indices of two items that could match, and the mapping that makes them match."""


@dataclass(frozen=True, slots=True)
class Matching:
    """A mapping of predicted vertices to gold vertices.

    Attributes:
        matched: number of items that match.
        bound: upper bound on the number of matches of any mapping.
    """

    matched: int
    bound: int
    mapping: Mapping[Any, Any] = field(default_factory=dict)

    @property
    def certified(self) -> bool:
        """True if the mapping is proved optimal."""
        return self.matched == self.bound


def match_clauses(
    predicted: Iterable[Clause], gold: Iterable[Clause], *, node_limit: int = CLAUSE_NODE_LIMIT
) -> Matching:
    """Map boxes to boxes and referents to referents. Equal clauses are counted once."""
    sides = ([_item(clause) for clause in dict.fromkeys(side)] for side in (predicted, gold))
    return match_items(*sides, node_limit=node_limit)


def _item(clause: Clause) -> Item:
    """Return a clause as an item, whose key is the word, the argument kinds and the constants."""
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
    """Find the mapping that makes most predicted items equal to gold items.

    The program has a binary variable for each pair of vertices, which is 1 if one is mapped to the
    other, and for each pair of items, which is 1 if they match. If more than `pair_limit` pairs of
    items could match (or a fifth of this limit for near-symmetric graphs), the program contains
    only the likeliest pairs, and the bound is the number of equal keys. After `node_limit` nodes
    the best mapping so far is returned.
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
    """Return at most `limit` candidates, preferring vertex pairs with many one-vertex items."""
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
    """Return rows of the program: a sum of columns is at most 1, or at most a given column."""
    pair_count = len(columns)
    # Rows `sum of columns <= 1` make the mapping one to one.
    rows: list[tuple[list[int], int | None]] = []
    for side in (0, 1):
        by_vertex = defaultdict(list)
        for pair, column in columns.items():
            by_vertex[pair[side]].append(column)
        rows += [(members, None) for members in by_vertex.values()]
        # Rows `sum of columns <= column of the pair`: of the matches of one item that need the same
        # vertex pair, at most one is allowed, and only if that pair is mapped.
        by_item = defaultdict(list)
        for match, candidate in enumerate(candidates):
            for pair in candidate[2].items():
                by_item[candidate[side], columns[pair]].append(pair_count + match)
        rows += [(members, column) for (_, column), members in by_item.items()]
    return rows


def _solved(candidates: Sequence[_Candidate], node_limit: int) -> tuple[_Mapping, int]:
    # Imported here, since parsing needs neither library.
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
    # Only the mapping must be integral, since the best matches are then integral too.
    integral = np.arange(size) < len(columns)
    result = milp(
        -(~integral).astype(float),
        constraints=LinearConstraint(matrix, -np.inf, upper),
        integrality=integral,
        bounds=Bounds(0, 1),
        options={"node_limit": node_limit, "mip_rel_gap": 0},
    )
    solution = result.x if result.x is not None else np.zeros(size)
    # The solver's bound is a floating-point number, but the number of matches is an integer.
    dual_bound = result.mip_dual_bound
    bound = len(candidates) if dual_bound is None else math.floor(1e-4 - dual_bound)
    return dict(pair for pair, column in columns.items() if solution[column] > 0.5), bound
