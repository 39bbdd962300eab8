"""Words that may as well be left out, such as filled pauses.

Most ignored words say something: without `was` a passive looks like another sentence. A *filler*
says nothing: what stands on its two sides stands side by side elsewhere. Fillers are read off the
training trees, and a sentence is scored without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np

from amparser.decode.scores import Scores
from amparser.lexicon.indexed_tree import IndexedTree

_Kind = tuple[int, str]


def fillers_of(trees: Sequence[IndexedTree], templates: Sequence[str | None]) -> frozenset[str]:
    """The fillers of a corpus, in lower case.

    Args:
        trees: of training.
        templates: of the lexical label of each supertag; words without a label of their own
            are told apart by their form.
    """
    border = (-1, "")

    def kind(k: int, form: str) -> _Kind:
        return k, "" if "$" in (templates[k] or "") else form.lower()

    beside: Counter[tuple[_Kind, _Kind]] = Counter()
    around: dict[str, Counter[tuple[_Kind, _Kind]]] = {}
    used: set[str] = set()
    for tree in trees:
        kinds = [border, *map(kind, tree.supertags, tree.tokens), border]
        beside.update(pairwise(kinds))
        for before, (k, word), after in zip(kinds, kinds[1:], kinds[2:], strict=False):
            if k == 0 and any(map(str.isalnum, word)):
                around.setdefault(word, Counter())[before, after] += 1
        used.update(form.lower() for k, form in zip(tree.supertags, tree.tokens, strict=True) if k)
    found = set()
    for word, places in around.items():
        total = places.total()
        full = {place: count for place, count in places.items() if place not in beside}
        # A filler occurs at least so often.
        # A word says something if what stands on its two sides never stands side by side, but does
        # so often with it between: a relative pronoun may be left out in one clause and not in
        # another.
        if word in used or total < 2 or max(full.values(), default=0) >= 3:
            continue
        # In so large a share of its places it says nothing.
        if total - sum(full.values()) >= 0.8 * total:
            found.add(word)
    return frozenset(found)


def without_fillers(
    tokens: Sequence[str], fillers: Collection[str]
) -> tuple[tuple[str, ...], list[int]]:
    """The tokens that are left, and their positions from 0; all of them if none would be left.

    >>> without_fillers(["Um", "the", "cake", "um", "froze"], {"um"})
    (('The', 'cake', 'froze'), [1, 2, 4])
    """
    kept = [i for i, token in enumerate(tokens) if token.lower() not in fillers]
    if not kept or len(kept) == len(tokens):
        return tuple(tokens), list(range(len(tokens)))
    left = [tokens[i] for i in kept]
    if tokens[0][:1].isupper():
        left[0] = left[0][:1].upper() + left[0][1:]
    return tuple(left), kept


def with_fillers(scores: Scores, kept: Sequence[int], size: int) -> Scores:
    """The scores of a sentence of so many tokens, of which all but the kept ones are ignored.

    Args:
        scores: those of the kept tokens alone.
        kept: their positions, from 0.
        size: n, the tokens of the whole sentence.
    """
    if len(kept) == size:
        return scores
    places = np.array(kept)
    heads = np.concatenate([[0], places + 1])
    supertag_count, operation_count = scores.supertag_logp.shape[1], scores.edge_logp.shape[2]
    supertag_logp = np.full((size, supertag_count), -np.inf, dtype=np.float32)
    supertag_logp[:, 0] = 0.0
    supertag_logp[places] = scores.supertag_logp
    edge_logp = np.full((size, size + 1, operation_count), -np.inf, dtype=np.float32)
    edge_logp[:, 0, 0] = 0.0
    edge_logp[places[:, None], heads[None, :]] = scores.edge_logp
    in_place, mobile = scores.in_place, scores.mobile
    if in_place is not None:
        spread = np.zeros((size, *in_place.shape[1:]), dtype=np.bool_)
        spread[places] = in_place
        in_place = spread
    if mobile is not None:
        wide = np.zeros(size, dtype=np.bool_)
        wide[places] = mobile
        mobile = wide
    return Scores(supertag_logp, edge_logp, in_place, mobile)
