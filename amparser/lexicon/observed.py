"""What the training trees show of words, supertags and operations: plain counts.

Supertags and operations are those of a lexicon, by index. `restrictions` draws
the conclusions.
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
        uses: for each lemma (for words without one, the form in lower case)
            how often it had which supertag.
        places: for each supertag how often it hung from its head by which
            operation.
        sides: for each operation and supertag of the dependent how often it
            was to the left and to the right of its head.
        orders: for each side of a head (0 left, 1 right) and two operations how
            often a dependent by the first was nearer to it than one by the second.
        after: for each ignored word (lower case) how often the token after it
            had which supertag; the key "" counts all tokens not after one.
        below: for each operation by which a marker (a word whose supertag has no lexical label)
            hung from its head, how often a word with which supertag hung from the marker.
        forms: for each marker (lower case) how many of its dependents are spelled like their
            lemma, and how many are not. A word without a lemma counts as spelled like it.
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
        """Count.

        Args:
            trees: of training.
            lemmas: of each tree the lemmas of its words, as far as they are known.
            templates: of the lexical label of each supertag.
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

    def misfit(self) -> str | None:
        """A supertag that has sides and no places, or 0 of them."""
        seen = {k: min(counts.values(), default=0) for k, counts in self.places.items()}
        for k in (*seen, *(k for _, k in self.sides)):
            if not seen.get(k):
                return f".places: expected those of the supertag {k}, not 0"
        return None
