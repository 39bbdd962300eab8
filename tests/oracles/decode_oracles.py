"""Reference decoders by enumeration: slow, simple, and without code of the decoders."""

import itertools
from collections.abc import Iterator
from functools import cache

import numpy as np

from amparser.algebra.type_table import TypeTable, type_table
from amparser.algebra.types import type_from_str
from amparser.decode.scores import Scores

NONE = float("-inf")

# Small type systems (lexical types, operations) with requests, renamings, polymorphic requests,
# modifiers with open sources, and types that can never be completed.
TYPE_SYSTEMS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("()", "(S())", "(S(), O())", "(M())"), ("APP_S", "APP_O", "MOD_M")),
    (("()", "(S())", "(S(), O(S()))"), ("APP_S", "APP_O")),
    (
        ("()", "(S())", "(S(), O())", "(O2())", "(S(), O(O2_UNIFY_S))", "(M())"),
        ("APP_S", "APP_O", "APP_O2", "MOD_M"),
    ),
    (
        ("()", "(L1())", "(L1(), R1())", "(R1(L1()))", "(M(), L1())", "(C(R1()))"),
        ("APP_L1", "APP_R1", "APP_C", "MOD_M"),
    ),
    (("(S())", "(O(S()), M())", "(M(S()))"), ("APP_S", "APP_O", "MOD_M")),
    (("()", "(S())", "(C(*_UNIFY_M), M())", "(M())"), ("APP_S", "APP_C", "MOD_M")),
    (("()", "(A(B(C())))", "(B(C()))", "(C())"), ("APP_A", "APP_B", "APP_C", "MOD_C")),
)


def system(index: int, order: int | None = None) -> TypeTable:
    """Return the table of a type system; every lexical type has two supertags.

    With a seed `order`, a random half of all orders of operations is forbidden.
    """
    types, operations = TYPE_SYSTEMS[index]
    lexical = [type_from_str(text) for text in (*types, *types)]
    count = len(operations) + 2
    nearer = None
    if order is not None:
        random = np.random.default_rng(order)
        nearer = random.random((2, count, count)) < 0.5
        nearer[:, :2] = nearer[:, :, :2] = False
        nearer &= ~nearer.transpose(0, 2, 1)
    return type_table([None, *lexical], ["IGNORE", "ROOT", *operations], nearer)


def random_scores(
    table: TypeTable, n: int, seed: int, *, forbidden: float = 0.0, grid: float | None = None
) -> Scores:
    """Return normalised random scores; `forbidden` is a share, `grid` rounds to force ties."""
    rng = np.random.default_rng(seed)
    tags = rng.normal(scale=2.0, size=(n, len(table.lexical_type)))
    edges = rng.normal(scale=2.0, size=(n, n + 1, table.combine.shape[2]))
    tags -= np.logaddexp.reduce(tags, axis=1, keepdims=True)
    edges -= np.logaddexp.reduce(np.logaddexp.reduce(edges, axis=2), axis=1)[:, None, None]
    if grid is not None:
        tags, edges = np.round(tags / grid) * grid, np.round(edges / grid) * grid
    tags[rng.random(tags.shape) < forbidden] = NONE
    edges[rng.random(edges.shape) < forbidden] = NONE
    return Scores(tags.astype(np.float32), edges.astype(np.float32))


def restricted(scores: Scores, seed: int, share: float = 0.8) -> Scores:
    """Return the scores with random mobile words and random places allowed for the others."""
    rng = np.random.default_rng(seed)
    n, _, operation_count = scores.edge_logp.shape
    in_place = rng.random((n, 2, operation_count)) < share
    return Scores(scores.supertag_logp, scores.edge_logp, in_place, rng.random(n) < 0.5)


def trees(n: int) -> Iterator[tuple[int, ...]]:
    """Yield all heads of trees: 0 for the one root, -1 for ignored tokens, without cycles."""
    for heads in itertools.product(range(-1, n + 1), repeat=n):
        if heads.count(0) == 1 and all(_reaches_root(heads, i) for i in range(1, n + 1)):
            yield heads


def _reaches_root(heads: tuple[int, ...], token: int) -> bool:
    if heads[token - 1] == -1:
        return True
    for _ in heads:
        token = heads[token - 1]
        if token in (0, -1):
            return token == 0
    return False


def is_projective(heads: tuple[int, ...]) -> bool:
    """Return whether each head dominates all kept tokens between itself and its dependents."""
    for dependent, head in enumerate(heads, 1):
        if head < 1:
            continue
        for between in range(min(head, dependent) + 1, max(head, dependent)):
            if heads[between - 1] == -1:
                continue
            while between not in (0, head):
                between = heads[between - 1]
            if between == 0:
                return False
    return True


def best_labelling(
    heads: tuple[int, ...],
    scores: Scores,
    table: TypeTable,
    *,
    open_root: bool = False,
    lacking: frozenset[int] = frozenset(),
    bound: frozenset[int] = frozenset(),
    moved: frozenset[int] = frozenset(),
) -> float:
    """Return the score of the best well-typed labelling over all orders of dependents.

    Args:
        heads: heads of the tree.
        scores: scores of the sentence.
        table: types of the lexicon.
        open_root: let the root of a one-token sentence have any type.
        lacking: tokens that lack one argument of type (), at no cost.
        bound: tokens that fill a polymorphic request, although a gap below them is open.
        moved: tokens that the order of dependents ignores.
    """
    n = len(heads)
    tags, edges = scores.supertag_logp.astype(float), scores.edge_logp.astype(float)
    total = sum(tags[i, 0] + edges[i, 0, 0] for i in range(n) if heads[i] == -1)
    root = heads.index(0) + 1
    types = _term_types(root, heads, tags, edges, table, lacking, bound, moved)
    allowed = types if open_root and n == 1 else {0: types.get(0, NONE)}
    return float(total + edges[root - 1, 0, 1] + max(allowed.values(), default=NONE))


_State = tuple[int, tuple[tuple[int, int], ...]]


def _term_types(
    head: int,
    heads: tuple[int, ...],
    tags: np.ndarray,
    edges: np.ndarray,
    table: TypeTable,
    lacking: frozenset[int],
    bound: frozenset[int],
    moved: frozenset[int],
) -> dict[int, float]:
    """Return the best score for each term type of the subtree below a token."""
    children = [i for i, h in enumerate(heads, 1) if h == head]
    below = {c: _term_types(c, heads, tags, edges, table, lacking, bound, moved) for c in children}
    if head in lacking:  # child 0 is the missing argument
        children.append(0)
        below[0] = {0: 0.0}
    best: dict[int, float] = {}
    for order in itertools.permutations(children):
        # Best scores by type and operations of the children so far.
        states: dict[_State, float] = {}
        for k, lexical in enumerate(table.lexical_type[1:].tolist(), 1):
            start = (lexical, ())
            states[start] = max(states.get(start, NONE), tags[head - 1, k])
        for child in order:
            following: dict[_State, float] = {}
            for ((state, used), so_far), (term, inside) in itertools.product(
                states.items(), below[child].items()
            ):
                for o in range(2, table.combine.shape[2]):
                    result = int(table.combine[state, term, o])
                    if child in bound:
                        result = int(table.bound[state, o]) if term == 0 else -1
                    if child == 0 and result == state:
                        continue
                    if result >= 0:
                        value = so_far + inside + (edges[child - 1, head, o] if child else 0.0)
                        key = (result, (*used, (child, o)) if table.nearer.any() else ())
                        following[key] = max(following.get(key, NONE), value)
            states = following
        for (state, used), value in states.items():
            placed = tuple((child, o) for child, o in used if child and child not in moved)
            if in_order(head, placed, table):
                best[state] = max(best.get(state, NONE), value)
    return best


def in_order(head: int, dependents: tuple[tuple[int, int], ...], table: TypeTable) -> bool:
    """Return whether no dependent (token, operation) is nearer to the head than allowed."""
    for (a, o), (b, e) in itertools.permutations(dependents, 2):
        same_side = (a < head) == (b < head)
        if same_side and abs(a - head) > abs(b - head) and table.nearer[int(a > head), o, e]:
            return False
    return True


@cache
def projective_trees(n: int) -> tuple[tuple[int, ...], ...]:
    """Return the projective trees of `trees(n)`."""
    return tuple(heads for heads in trees(n) if is_projective(heads))


def best_projective(scores: Scores, table: TypeTable, *, open_root: bool = False) -> float:
    """Return the score of the best well-typed projective tree, or -inf."""
    return max(
        (
            best_labelling(heads, scores, table, open_root=open_root)
            for heads in projective_trees(len(scores))
        ),
        default=NONE,
    )


def score_of(
    scores: Scores, supertags: tuple[int, ...], heads: tuple[int, ...], operations: tuple[int, ...]
) -> float:
    """Return the score that decoders maximise, for a tree in the form of a `Parse`."""
    return float(
        sum(
            scores.supertag_logp[i, k] + scores.edge_logp[i, h, o].astype(float)
            for i, (k, h, o) in enumerate(zip(supertags, heads, operations, strict=True))
        )
    )


def well_typed(
    table: TypeTable,
    supertags: tuple[int, ...],
    heads: tuple[int, ...],
    operations: tuple[int, ...],
    *,
    open_root: bool = False,
) -> bool:
    """Return whether a tree in the form of a `Parse` is well typed."""
    n = len(heads)
    marked = tuple(-1 if o == 0 else head for head, o in zip(heads, operations, strict=True))
    if marked.count(0) != 1 or not all(_reaches_root(marked, i) for i in range(1, n + 1)):
        return False
    tags = np.full((n, len(table.lexical_type)), NONE, np.float32)
    edges = np.full((n, n + 1, table.combine.shape[2]), NONE, np.float32)
    tags[range(n), supertags] = edges[range(n), heads, operations] = 0.0
    return best_labelling(marked, Scores(tags, edges), table, open_root=open_root) > NONE
