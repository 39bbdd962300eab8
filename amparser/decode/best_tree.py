"""A* search for the best tree of a sentence, with smaller searches if its budget is exhausted.

Each sentence takes two calls of compiled code, one for pruning and one for the search. More calls
would be costly: a call takes ten microseconds, and a whole sentence only a few hundred.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable
from amparser.decode.candidates import Candidates, candidates_of, edge_array
from amparser.decode.compiled import compiled
from amparser.decode.gap_rules import GapRules, gap_rules_of
from amparser.decode.parse import BUDGET, NO_TREE, Parse
from amparser.decode.rules import Bool, Int
from amparser.decode.scores import Scores
from amparser.decode.search import (
    FAILURES,
    MAX_ITEMS,
    MAX_STEPS,
    SUPERTAG_LIMIT,
    flags,
    most_held,
    read_off,
    run_rounds,
    space_of,
)


def best_tree(
    scores: Scores,
    table: TypeTable,
    *,
    gaps: bool,
    supertag_limit: int | None = SUPERTAG_LIMIT,
    max_items: int = MAX_ITEMS,
    max_steps: int = MAX_STEPS,
    open_root: bool = False,
) -> Parse:
    """Return the best tree, or a `Parse` whose `failure` is `NO_TREE` or `BUDGET`.

    Args:
        scores: scores of the sentence.
        table: types of the supertags.
        gaps: whether items may have a gap (see `astar_gap`).
        supertag_limit: maximum number of lexical types per token, or None for all.
        max_items: maximum number of items popped (more may be created).
        max_steps: maximum number of steps (see `steps_of`); a million take up to half a second.
        open_root: whether the root of a one-token sentence may have any type.

    Raises:
        ValueError: if a score is NaN or +inf, or an array has the wrong shape.
    """
    n = len(scores)
    candidates = candidates_of(scores, table, supertag_limit)
    if not n:
        return Parse(failure=NO_TREE)
    edge_logp = edge_array(scores)
    goal, logp, popped, *rows = _best_tree(
        candidates,
        edge_logp,
        flags(scores.in_place, (n, 2, edge_logp.shape[2])),
        flags(scores.mobile, (n,)) if gaps else np.zeros(n, np.bool_),
        gap_rules_of(table, gaps),
        (max_items, max_steps, most_held(max_items)),
        open_root and n == 1,
    )
    if goal < 0:
        return Parse(popped_count=int(popped), failure=FAILURES[goal])
    supertags, heads, operations = (tuple(row.tolist()) for row in rows)
    return Parse(supertags, heads, operations, float(logp), int(popped))


@compiled
def _best_tree(
    candidates: Candidates,
    edge_logp: NDArray[np.float32],
    in_place: Bool,
    mobile: Bool,
    rules: GapRules,
    budgets: tuple[int, int, int],
    any_root: bool,
) -> tuple[int, float, int, Int, Int, Int]:
    """Return the root's item (or a failure code), score, number of popped items, and tree.

    The tree consists of supertags, heads and operations, each `[n]`; they are empty after a
    failure.
    """
    space = space_of(candidates, edge_logp, in_place, mobile, rules)
    goal, logp, agenda, popped = run_rounds(space, budgets, any_root)
    n = len(edge_logp) if goal >= 0 else 0
    supertags, heads, operations = read_off(agenda, len(rules.opening), goal, n)
    return goal, logp, popped, supertags, heads, operations


def with_fallback(decode: Callable[..., Parse]) -> Callable[..., Parse]:
    """Return a search that runs smaller searches if the budget of `decode` is exhausted.

    In long sentences of unrelated words, very many trees may have nearly the same score. The first
    smaller search allows three lexical types for each token, the second only one. The third
    computes the best unlabelled tree, and then its labels, in polynomial time (`fixed_tree`).
    `Parse.fallback` names the search that found the tree.
    """

    def search(scores: Scores, table: TypeTable, **options: Any) -> Parse:
        parse = decode(scores, table, **options)
        if parse.failure != BUDGET:
            return parse
        limit = options.pop("supertag_limit")
        # Maximum number of lexical types per token in the smaller searches.
        for fewer in (3, 1):
            if limit is None or fewer < limit:
                # The smaller searches have a smaller budget of steps, too.
                parse = decode(scores, table, supertag_limit=fewer, max_steps=300_000, **options)
                if parse.found:
                    name = f"{fewer} supertag{'s' if fewer > 1 else ''} a token"
                    return replace(parse, fallback=name)
        # The module is imported here because it is rarely needed.
        from amparser.decode import fixed_tree

        parse = fixed_tree.decode(scores, table, supertag_limit=limit, **options)
        if parse.found:
            return replace(parse, fallback="fixed-tree")
        return replace(parse, failure=f"{BUDGET}, and smaller searches found no tree")

    return search
