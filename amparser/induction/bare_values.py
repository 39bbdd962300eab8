"""Values that no quotes show, and numbers that a sentence has without their minus.

A symbol such as that of `open(kobasi)` is copied from the sentence if its place is open: nearly all
leaves that stand there are words of their sentences, and many are rare or stand beside quoted
literals, so that others will come. Of `-20` in "lower by 20" the minus is part of the constant.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from amparser.induction.spanning import MINUS, Tree
from amparser.lexicon.local_shapes import has_names
from amparser.notations.announcing import spelled_texts


def with_values(sentences: Sequence[Sequence[str]], trees: Sequence[Tree]) -> list[Tree]:
    """Return the trees; leaves that their sentences spell are literals in open places."""
    labels: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    spelled: Counter[tuple[str, str]] = Counter()
    quoted: Counter[tuple[str, str]] = Counter()
    negated = []
    for sentence, tree in zip(sentences, trees, strict=True):
        texts: frozenset[str] | None = None
        unsigned = set()
        for node, label in enumerate(tree.labels):
            place = tree.labels[tree.parents[node]], tree.places[node]
            literal = tree.is_literal(node)
            quoted[place] += literal
            if node == 0 or tree.children[node] or (literal and not label.startswith(MINUS)):
                continue
            texts = texts or spelled_texts(sentence)
            if not literal:
                labels[place][label] += 1
                spelled[place] += label.lower() in texts
            elif label not in texts and label.removeprefix(MINUS) in texts:
                unsigned.add(label)
        negated.append(frozenset(unsigned))
    names = frozenset(
        label
        for place, counts in labels.items()
        if _is_open(counts, spelled[place], quoted[place])
        for label in counts
    )
    # Minimum number of sentences without the minus of a number.
    signs = sum(map(bool, negated)) >= 3
    return [
        replace(tree, names=names, negated=some if signs else frozenset())
        for tree, some in zip(trees, negated, strict=True)
    ]


def _is_open(counts: Counter[str], spelled: int, quoted: int) -> bool:
    # Minimum share of the leaves that sentences spell.
    return spelled >= 0.8 * counts.total() and has_names(counts, quoted)
