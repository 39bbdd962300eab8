"""Words and names in graphs of COGS logical forms, which `amparser.notations.cogs` describes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from amparser.errors import TranslateError

DEFINITE = "the"
MARK = "*"
"""Prefix of the label of a definite noun without a determiner, such as Swedish `hunden`."""
IOTA = "iota"
MODIFIER = "nmod"
FIRST, SECOND = ".op1", ".op2"
QUESTION = "?"
EVENT = "e"
"""Lambda variable of a primitive verb's event."""


def without_determiners(labels: Counter[str | None]) -> Counter[str | None]:
    """Return labels with marked definite nouns replaced by the noun and `the`.

    >>> without_determiners(Counter(["*hund"])) == without_determiners(Counter(["hund", "the"]))
    True
    """
    counts: Counter[str | None] = Counter()
    for label, count in labels.items():
        if label is not None and label.startswith(MARK):
            counts[DEFINITE] += count
            counts[label.removeprefix(MARK)] += count
        else:
            counts[label] += count
    return counts


def bound_variables(count: int) -> tuple[str, ...]:
    """Return the lambda variables of a primitive verb's roles, in the order of its atoms.

    >>> [bound_variables(count) for count in (1, 2, 3)]
    [('a',), ('b', 'a'), ('b', 'a', 'c')]
    """
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1) if chr(code) != EVENT]
    if count > len(letters):
        raise TranslateError(f"no names for {count} open sources")
    if count > 1:
        letters[:2] = reversed(letters[:2])
    return tuple(letters[:count])


def reached(start: int, successors: Mapping[int, Sequence[int]]) -> set[int]:
    """Return a node and all its descendants."""
    seen = {start}
    agenda = [start]
    while agenda:
        new = [node for node in successors[agenda.pop()] if node not in seen]
        seen.update(new)
        agenda += new
    return seen


def both_ways(successors: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    """Return the neighbours of each node in both directions."""
    neighbours = {node: list(below) for node, below in successors.items()}
    for node, below in successors.items():
        for other in below:
            neighbours[other].append(node)
    return neighbours


def leftmost_source(arguments: Mapping[int, Sequence[int]]) -> int:
    """Return the smallest node from which every node that leads to it can be reached.

    Args:
        arguments: edges from predicates to arguments.

    Raises:
        TranslateError: the graph is not connected.
    """
    tops = [*arguments.keys() - {child for below in arguments.values() for child in below}]
    if len(tops) == 1 and len(reached(tops[0], arguments)) == len(arguments):
        return tops[0]
    below = {node: reached(node, arguments) for node in sorted(arguments)}
    top = next(n for n in below if all(m in below[n] for m in below if n in below[m]))
    if len(reached(top, both_ways(arguments))) < len(below):
        raise TranslateError("the logical form is not connected")
    return top
