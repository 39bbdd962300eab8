"""A* search for the best well-typed projective AM dependency tree.

Lindemann, Groschwitz and Koller (2020), "Fast semantic parsing with well-typedness
guarantees", sections 4 and 5. An item covers the tokens `first .. stop - 1` and has a head
and the head's state (see `rules`). A head takes its dependents on the right first, the nearest
first; then come the ignored tokens before it, then its dependents on the left:

    token h with a supertag of state s        (h, h + 1, h, s)
    h takes the adjacent item on the right    (h, l, h, r) from (h, k, h, s) and (k, l, d, u)
    by an operation that changes s to r
    the token before is ignored, if h has     (i, k, h, s) from (i + 1, k, h, s)
    no dependents on the left
    h takes the adjacent item on the left     (i, l, h, r) from (i, k, d, u) and (k, l, h, s)
    h is the root, if s is complete with      (0, k, h, s), and all tokens from k on are ignored
    type ()

Dependents are always taken in this order, and a state does not depend on it, so each well-typed
projective tree is derived in exactly one way. `search` implements the rules of this
module and of `astar_gap`.
"""

from __future__ import annotations

from functools import partial

from amparser.decode.best_tree import best_tree, with_fallback
from amparser.decode.decoder import OneByOne

decode = partial(best_tree, gaps=False)
"""Return the best well-typed projective tree over the candidate supertags; the search is exact."""

ASTAR = OneByOne(
    "astar", "the best well-typed projective tree, exact within the budget", with_fallback(decode)
)
