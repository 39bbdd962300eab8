"""What a search does that has exhausted its budget: smaller searches, which say that they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from amparser.decode.parse import BUDGET, Parse

if TYPE_CHECKING:
    from amparser.algebra.type_table import TypeTable
    from amparser.decode.scores import Scores


def with_fallback(decode: Callable[..., Parse]) -> Callable[..., Parse]:
    """A search that turns to smaller ones where it exhausts its budget, and says so.

    Long word salad can have very many trees of nearly the same score. Then each token has
    fewer supertags to choose from; at last the best unlabelled tree is found first, and then
    its labels, in polynomial time (`fixed_tree`).
    """

    def search(scores: Scores, table: TypeTable, **options: Any) -> Parse:
        parse = decode(scores, table, **options)
        if parse.failure != BUDGET:
            return parse
        limit = options.pop("supertag_limit")
        # How many lexical types a token may choose from where a search has exhausted its budget.
        for fewer in (3, 1):
            if limit is None or fewer < limit:
                # Budget of steps with fewer lexical types.
                parse = decode(scores, table, supertag_limit=fewer, max_steps=300_000, **options)
                if parse.found:
                    name = f"{fewer} supertag{'s' if fewer > 1 else ''} a token"
                    return replace(parse, fallback=name)
        # Loaded only here, since it is seldom needed.
        from amparser.decode import fixed_tree

        parse = fixed_tree.decode(scores, table, supertag_limit=limit, **options)
        if parse.found:
            return replace(parse, fallback="fixed-tree")
        return replace(parse, failure=f"{BUDGET}, and no tree with a smaller search")

    return search
