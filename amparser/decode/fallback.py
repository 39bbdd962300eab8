"""Fall back to smaller searches when a search exhausts its budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from amparser.decode.parse import BUDGET, Parse

if TYPE_CHECKING:
    from amparser.algebra.type_table import TypeTable
    from amparser.decode.scores import Scores


def with_fallback(decode: Callable[..., Parse]) -> Callable[..., Parse]:
    """Wrap a search so that it tries smaller ones when its budget is exhausted, and reports which.

    Long sentences of unrelated words can have very many trees of nearly the same score. The
    fallback first limits the supertags per token. Its last resort fixes the best unlabelled tree
    and then labels it, in polynomial time (`fixed_tree`).
    """

    def search(scores: Scores, table: TypeTable, **options: Any) -> Parse:
        parse = decode(scores, table, **options)
        if parse.failure != BUDGET:
            return parse
        limit = options.pop("supertag_limit")
        # Maximum lexical types per token in the smaller searches.
        for fewer in (3, 1):
            if limit is None or fewer < limit:
                # The smaller searches also have a smaller budget of steps.
                parse = decode(scores, table, supertag_limit=fewer, max_steps=300_000, **options)
                if parse.found:
                    name = f"{fewer} supertag{'s' if fewer > 1 else ''} a token"
                    return replace(parse, fallback=name)
        # Imported here because it is rarely needed.
        from amparser.decode import fixed_tree

        parse = fixed_tree.decode(scores, table, supertag_limit=limit, **options)
        if parse.found:
            return replace(parse, fallback="fixed-tree")
        return replace(parse, failure=f"{BUDGET}, and smaller searches found no tree")

    return search
