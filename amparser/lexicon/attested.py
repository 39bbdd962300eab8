"""Parts of meanings that train has: pairs, triples and rows of siblings, and the words it ignores.

An answer may compose what train never has in one meaning. That is often right in small corpora and
new combinations, and more often wrong: a sign of doubt, and no rule (see `local_shapes`, which has
rules).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from amparser.graph.sgraph import SGraph
from amparser.lexicon.encoded import IGNORE_TAG
from amparser.lexicon.local_shapes import LocalShapes, MeaningTree

_ROOT = "^"
_MOSTLY = 0.5
"""Minimum share of occurrences without a constant that makes a word an ignored one."""


@dataclass(frozen=True)
class Attested:
    """What train has.

    Attributes:
        parts: pairs, triples and rows of siblings, each with its edges, as texts.
        ignored: words in lower case that train mostly gives no constant.
    """

    parts: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        shapes: LocalShapes | None,
        graphs: Iterable[SGraph],
        rows: Iterable[tuple[Sequence[str], Sequence[int]]],
    ) -> Attested:
        """Return what train has, given its meanings, and the tags of tokens of its derivations."""
        parts: set[str] = set()
        if shapes is not None:
            parts.update(part for graph in graphs for part in parts_of(graph, shapes))
        seen: Counter[str] = Counter()
        ignored: Counter[str] = Counter()
        for tokens, tags in rows:
            for token, tag in zip(tokens, tags, strict=True):
                seen[token.lower()] += 1
                ignored[token.lower()] += tag == IGNORE_TAG
        return cls(
            frozenset(parts),
            frozenset(word for word, n in ignored.items() if n > _MOSTLY * seen[word]),
        )

    def new_parts(self, graph: SGraph, shapes: LocalShapes) -> int:
        """Return how many pairs, triples and rows of siblings of a meaning train lacks."""
        return len(parts_of(graph, shapes) - self.parts)


def parts_of(graph: SGraph, shapes: LocalShapes) -> set[str]:
    """Return the pairs, triples and rows of siblings of a meaning that is a tree."""
    tree = MeaningTree(graph)
    top = tree.label(graph.root)
    found: list[tuple[str, ...]] = [("pair", _ROOT, top)]
    waiting: list[tuple[int, str, tuple[str, ...]]] = [(graph.root, top, (_ROOT,))]
    while waiting:
        node, name, above = waiting.pop()
        row = []
        for place, child in tree.below[node]:
            edge, label = shapes.edge(tree, node, place, child)
            found += [("pair", name, edge, label), ("triple", *above, name, edge, label)]
            waiting.append((child, label, (name, edge)))
            row.append(f"{place} {label}")
        if row:
            found.append(("row", name, *sorted(row)))
    return {"\t".join(one) for one in found}
