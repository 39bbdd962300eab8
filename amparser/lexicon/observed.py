"""Counts of words, supertags and operations in the training trees.

Supertags and operations are indices of a lexicon. `restrictions` derives constraints from the
counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Annotated

from amparser.conditions import Count, Index, Range
from amparser.lexicon.encoded import Targets

SupertagId = Annotated[int, Index("supertag")]
OperationId = Annotated[int, Index("operation")]
Side = Annotated[int, Range(0, maximum=1)]
SupertagCounts = Mapping[SupertagId, Count]
OperationCounts = Mapping[OperationId, Count]


@dataclass(frozen=True)
class Observed:
    """Counts over the tokens of a corpus.

    A marker is a word whose supertag has no lexical label, such as "to" or "that".

    Attributes:
        uses: counts of supertags by lemma, or by form in lower case for words without a lemma.
        places: counts of operations by the supertag of the dependent.
        sides: for (operation, supertag of the dependent), the counts of dependents left and right
            of their heads.
        orders: for (side, a, b), how often a dependent by operation a was nearer to the head than
            one by operation b on the same side; side 0 is left, 1 is right.
        after: for each ignored word (lower case), the counts of the supertags of the next token;
            the key "" stands for all words that are not ignored.
        below: for each operation by which markers depend on heads, the counts of the supertags of
            the markers' own dependents.
        forms: for each marker (lower case), how many of its dependents are equal to their lemma,
            and how many are not. A word without a lemma counts as equal.
    """

    uses: Mapping[str, SupertagCounts] = field(default_factory=dict)
    places: Mapping[SupertagId, OperationCounts] = field(default_factory=dict)
    sides: Mapping[tuple[OperationId, SupertagId], tuple[Count, Count]] = field(
        default_factory=dict
    )
    orders: Mapping[tuple[Side, OperationId, OperationId], Count] = field(default_factory=dict)
    after: Mapping[str, SupertagCounts] = field(default_factory=dict)
    below: Mapping[OperationId, SupertagCounts] = field(default_factory=dict)
    forms: Mapping[str, tuple[Count, Count]] = field(default_factory=dict)

    @classmethod
    def from_trees(
        cls,
        trees: Sequence[Targets],
        lemmas: Sequence[Sequence[str | None]],
        templates: Sequence[str | None],
    ) -> Observed:
        """Return the counts of the training trees.

        Args:
            trees: the trees.
            lemmas: lemma of each token of each tree; None if it is unknown.
            templates: template of each supertag's lexical label.
        """
        uses, after = (defaultdict[str, Counter[int]](Counter) for _ in range(2))
        places, below = (defaultdict[int, Counter[int]](Counter) for _ in range(2))
        sides: Counter[tuple[int, int, int]] = Counter()
        orders: Counter[tuple[int, int, int]] = Counter()
        below_marker: Counter[tuple[str, bool]] = Counter()
        is_marker = [k > 0 and template is None for k, template in enumerate(templates)]
        for tree, own_lemmas in zip(trees, lemmas, strict=True):
            before = ""
            beside: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
            forms = [token.lower() for token in tree.tokens]
            rows = zip(forms, own_lemmas, tree.tags, tree.heads, tree.operations, strict=True)
            for token, (form, lemma, k, head, o) in enumerate(rows, 1):
                uses[lemma or form][k] += 1
                places[k][o] += 1
                after[before][k] += 1
                before = form if k == 0 else ""
                if head:
                    side = int(token > head)
                    sides[o, k, side] += 1
                    beside[head, side].append(o)
                    if is_marker[tree.tags[head - 1]]:
                        below[tree.operations[head - 1]][k] += 1
                        below_marker[forms[head - 1], lemma not in (None, form)] += 1
            for (_, side), found in beside.items():
                near_first = found if side else found[::-1]
                orders.update((side, *pair) for pair in combinations(near_first, 2))
        both = {(o, k): (sides[o, k, 0], sides[o, k, 1]) for o, k, _ in sides}
        spelled = {w: (below_marker[w, False], below_marker[w, True]) for w, _ in below_marker}
        return cls(uses, places, both, orders, after, below, spelled)
