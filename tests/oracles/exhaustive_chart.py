"""Exhaustive CKY chart over all well-typed projective trees.

The reference for `astar`: it has no agenda, no estimate and no order of a head's dependents, and
returns only the best score. Two adjacent items combine in every way: O(n^5 R) steps in a sentence
of n tokens with R rules (see `rules`).
"""

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable
from amparser.decode.candidates import Candidates, candidates_of, edge_array
from amparser.decode.compiled import compiled
from amparser.decode.rules import DEPENDENT, HEAD, OPERATION, RESULT, SIDES, Rules, rules_of
from amparser.decode.scores import Scores


def best_logp(scores: Scores, table: TypeTable, supertag_limit: int | None = 6) -> float:
    """Return the score of the best well-typed projective tree, -inf if there is none."""
    candidates = candidates_of(scores, table, supertag_limit)
    return float(_best(candidates, edge_array(scores), rules_of(table)))


@compiled
def _best(candidates: Candidates, edge_logp: NDArray[np.float32], rules: Rules) -> float:
    n, limit = candidates.supertag.shape
    ignore_logp = candidates.ignore_logp
    # inside[i, k, head, state]: tokens i to k, exclusive.
    inside = np.full((n + 1, n + 1, n, len(rules.is_root)), -np.inf)
    for width in range(1, n + 1):
        for i in range(n - width + 1):
            k = i + width
            for c in range(limit):
                logp = ignore_logp[i : k - 1].sum() + candidates.supertag_logp[k - 1, c]
                state = candidates.state[k - 1, c]
                inside[i, k, k - 1, state] = max(inside[i, k, k - 1, state], logp)
            for m in range(i + 1, k):
                for r in range(len(rules.rule)):
                    rule = rules.rule[r]
                    for u in range(i, m):
                        for v in range(m, k):
                            for side in range(2):
                                head, dependent = (v, u) if side == 0 else (u, v)
                                if not rule[SIDES] >> side & 1:
                                    continue
                                first, second = (i, m), (m, k)
                                above, below = (second, first) if side == 0 else (first, second)
                                logp = inside[above[0], above[1], head, rule[HEAD]]
                                logp += inside[below[0], below[1], dependent, rule[DEPENDENT]]
                                logp += edge_logp[dependent, head + 1, rule[OPERATION]]
                                result = inside[i, k, head, rule[RESULT]]
                                inside[i, k, head, rule[RESULT]] = max(result, logp)
    best = -np.inf
    for k in range(1, n + 1):
        for head in range(k):
            for state in range(len(rules.is_root)):
                if rules.is_root[state]:
                    logp = inside[0, k, head, state] + candidates.root_logp[head]
                    best = max(best, logp + ignore_logp[k:].sum())
    return best
