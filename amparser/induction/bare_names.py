"""Names without quotes: symbols that a meaning copies from its sentence, as `open(kobasi)` does.

A place is open if nearly all leaves that stand there are words of their sentences, and many of
them are rare or as good as the quoted literals that stand there, too: then others will come.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from amparser.induction.spanning import Tree
from amparser.notations.announcing import spelled_texts


def with_names(sentences: Sequence[Sequence[str]], trees: Sequence[Tree]) -> list[Tree]:
    """Return the trees; leaves of open places that their sentences spell are literals there."""
    labels: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    spelled: Counter[tuple[str, str]] = Counter()
    quoted: Counter[tuple[str, str]] = Counter()
    for sentence, tree in zip(sentences, trees, strict=True):
        texts: frozenset[str] | None = None
        for node in range(1, len(tree.labels)):
            if tree.children[node]:
                continue
            place = tree.labels[tree.parents[node]], tree.places[node]
            if tree.is_literal(node):
                quoted[place] += 1
                continue
            texts = texts or spelled_texts(sentence)
            labels[place][tree.labels[node]] += 1
            spelled[place] += tree.labels[node].lower() in texts
    names = frozenset(
        label
        for place, counts in labels.items()
        if _is_open(counts, spelled[place], quoted[place])
        for label in counts
    )
    return [replace(tree, names=names) for tree in trees] if names else list(trees)


def _is_open(counts: Counter[str], spelled: int, quoted: int) -> bool:
    rare = sum(count == 1 for count in counts.values())
    # Minimum number of different leaves, their share that sentences spell, and that of rare ones.
    return (
        len(counts) >= 10
        and spelled >= 0.8 * counts.total()
        and max(rare, quoted) >= 0.1 * counts.total()
    )
