"""Precision and recall of each function and key in the answers, for reports."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from amparser.corpora.example import Example
from amparser.errors import AMParserError
from amparser.graph.sgraph import SGraph
from amparser.lexicon.local_shapes import MeaningTree
from amparser.notations.notation import Notation
from amparser.notations.ordered_trees import PLACE
from amparser.notations.value_trees import IS
from amparser.results import Result

SHOWN = 5
"""Maximum number of parts in a report."""
_EXAMPLES = 2
"""Maximum number of example sentences shown for a part."""


class Part(NamedTuple):
    """Function or key with its counts in gold meanings and answers."""

    name: str
    gold: int
    answered: int
    right: int
    examples: tuple[str, ...]


def weakest_parts(pairs: Iterable[tuple[Example, Result]], notation: Notation) -> list[Part]:
    """Return the functions and keys with the most errors, at most `SHOWN` of them."""
    gold: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    right: Counter[str] = Counter()
    examples: dict[str, dict[str, None]] = defaultdict(dict)
    for example, answer in pairs:
        tokens, texts = example.tokens, (example.meaning, answer.meaning)
        wanted, given = (_parts(tokens, text, notation) for text in texts)
        if not wanted:
            continue
        for counts, parts in ((gold, wanted), (answered, given), (right, wanted & given)):
            for (name, _), count in parts.items():
                counts[name] += count
        for name, _ in (wanted - given) | (given - wanted):
            examples[name][" ".join(tokens)] = None
    errors = {name: gold[name] + answered[name] - 2 * right[name] for name in gold | answered}
    ranked = sorted((name for name in errors if errors[name]), key=lambda n: (-errors[n], n))
    return [
        Part(name, gold[name], answered[name], right[name], tuple(examples[name])[:_EXAMPLES])
        for name in ranked[:SHOWN]
    ]


def _parts(
    tokens: tuple[str, ...], text: str | None, notation: Notation
) -> Counter[tuple[str, str]]:
    with suppress(AMParserError):
        if text is not None:
            return Counter(_named(notation.graph(tokens, text)))
    return Counter()


def _named(graph: SGraph) -> Iterator[tuple[str, str]]:
    """Yield each function and key of a meaning, paired with its values as text."""
    tree = MeaningTree(graph)
    keys: dict[int, str] = {}
    for node in tree.inner():
        below = tree.below[node]
        for place, child in below:
            if place.isidentifier() and place != IS and not PLACE.fullmatch(place):
                keys[child] = place
                inside = sorted(f"{p} {tree.label(c)}" for p, c in tree.below[child])
                yield place, "\t".join([tree.label(child), *inside])
        name = tree.label(node)
        if below and name.isidentifier() and name != keys.get(node):
            leaves = [f"{p} {tree.label(child)}" for p, child in below if not tree.below[child]]
            yield name, "\t".join(sorted(leaves))
