"""What the training trees show of words, supertags and operations: plain counts.

Supertags and operations are those of a lexicon, by index. `restrictions` draws
the conclusions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from amparser.algebra.operations import MOD
from amparser.algebra.tree import AMTree, Entry
from amparser.conditions import Count, Index, Range

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
        below: for each marker (lower case; a word whose supertag has no lexical
            label) how many of its dependents are spelled like their lemma, and
            how many are not. A word without a lemma counts as spelled like it.
        hangs: for each marker how often it hung from its head by which operation.
        under: for each marker how often a word with which supertag hung from it.
        modified: for each supertag how many of its tokens had a modifier by which operation.
    """

    uses: Mapping[str, SupertagCounts] = field(default_factory=dict)
    places: Mapping[SupertagId, OperationCounts] = field(default_factory=dict)
    sides: Mapping[tuple[OperationId, SupertagId], tuple[Count, Count]] = field(
        default_factory=dict
    )
    orders: Mapping[tuple[Side, OperationId, OperationId], Count] = field(default_factory=dict)
    after: Mapping[str, SupertagCounts] = field(default_factory=dict)
    below: Mapping[str, tuple[Count, Count]] = field(default_factory=dict)
    hangs: Mapping[str, OperationCounts] = field(default_factory=dict)
    under: Mapping[str, SupertagCounts] = field(default_factory=dict)
    modified: Mapping[SupertagId, OperationCounts] = field(default_factory=dict)

    @classmethod
    def from_trees(
        cls,
        trees: Sequence[AMTree],
        supertag_of: Callable[[Entry], int],
        operation_index: Mapping[str, int],
    ) -> Observed:
        """Count; `supertag_of` gives the index of an entry's supertag, 0 if it has none."""
        uses: dict[str, Counter[int]] = {}
        places: dict[int, Counter[int]] = {}
        sides: dict[tuple[int, int], tuple[int, int]] = {}
        orders: Counter[tuple[int, int, int]] = Counter()
        after: dict[str, Counter[int]] = {}
        below: dict[str, tuple[int, int]] = {}
        hangs: dict[str, Counter[int]] = {}
        under: dict[str, Counter[int]] = {}
        modified: dict[int, Counter[int]] = {}
        for tree in trees:
            before = ""
            beside: dict[tuple[int, int], list[int]] = {}
            modifiers: set[tuple[int, int]] = set()
            for token, entry in enumerate(tree.entries, 1):
                k, o = supertag_of(entry), operation_index[entry.operation]
                uses.setdefault(entry.lemma or entry.form.lower(), Counter())[k] += 1
                places.setdefault(k, Counter())[o] += 1
                after.setdefault(before, Counter())[k] += 1
                before = entry.form.lower() if k == 0 else ""
                if entry.supertag is not None and entry.lexical_label is None:
                    hangs.setdefault(entry.form.lower(), Counter())[o] += 1
                if entry.head:
                    left, right = sides.get((o, k), (0, 0))
                    side = int(token > entry.head)
                    sides[o, k] = (left + (not side), right + side)
                    beside.setdefault((entry.head, side), []).append(o)
                    head = tree.entries[entry.head - 1]
                    if entry.operation.startswith(MOD):
                        modifiers.add((entry.head, o))
                    if head.supertag is not None and head.lexical_label is None:
                        under.setdefault(head.form.lower(), Counter())[k] += 1
                        same, other = below.get(head.form.lower(), (0, 0))
                        changed = entry.lemma not in (None, entry.form.lower())
                        below[head.form.lower()] = (same + (not changed), other + changed)
            for head_token, o in modifiers:
                k = supertag_of(tree.entries[head_token - 1])
                modified.setdefault(k, Counter())[o] += 1
            for (_, side), operations in beside.items():
                near_first = operations if side else operations[::-1]
                for i, near in enumerate(near_first):
                    orders.update((side, near, far) for far in near_first[i + 1 :])
        return cls(uses, places, sides, orders, after, below, hangs, under, modified)

    def misfit(self) -> str | None:
        """A supertag that has sides and no places, or 0 of them."""
        seen = {k: min(counts.values(), default=0) for k, counts in self.places.items()}
        for k in (*seen, *(k for _, k in self.sides)):
            if not seen.get(k):
                return f".places: expected those of the supertag {k}, not 0"
        return None
