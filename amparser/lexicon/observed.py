"""Counts of words, supertags and operations in the training trees.

Supertags and operations are indices into a lexicon. `restrictions` turns the counts into
constraints.
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

    Attributes:
        uses: counts of supertags by lemma, or by lower-case form for words without a lemma.
        places: counts of operations by dependent's supertag.
        sides: for (operation, dependent's supertag), counts of dependents left and right of the
            head.
        orders: for (side, a, b) with side 0 left and 1 right, how often a dependent by operation a
            was nearer to the head than one by b.
        after: counts of the supertags after each ignored word (lower case); the key "" counts
            tokens after all other words.
        below: counts of the supertags of a marker's dependents, by the marker's operation. A marker
            is a word whose supertag has no lexical label.
        forms: for each marker (lower case), how many dependents equal their lemma and how many do
            not. A word without a lemma counts as equal.
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
        """Count the training trees.

        Args:
            lemmas: lemma of each token of each tree, None if unknown.
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
