"""Predicates that a graph denies: by a node above them, by nothing at a place, or by boxes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from amparser.graph.sgraph import SGraph

_NOTHING = "(?!)"
"""A pattern that matches no label."""


class NegationRules(NamedTuple):
    """How graphs deny; all patterns have to match a whole label.

    Attributes:
        negators: a pattern of nodes that deny what is below them.
        nothing: a pattern of nodes that deny the predicate of which they, or what is below them,
            are arguments, as "nobody" does.
        boxes: a pattern of edges to boxes whose members are denied. A box with such a box inside
            is a condition: it denies nothing.
        passing: a pattern of nodes below negators, and of edges to boxes inside, to which a denial
            passes on.
    """

    negators: str = _NOTHING
    nothing: str = _NOTHING
    boxes: str = _NOTHING
    passing: str = _NOTHING


NO_NEGATION = NegationRules()


def negated_nodes(
    graph: SGraph,
    links: Iterable[tuple[int, int]],
    labels: Mapping[int, str],
    frames: Collection[int],
    rules: NegationRules,
    is_inside: Callable[[int, int], bool],
) -> set[int]:
    """Return the nodes that are denied an odd number of times.

    Args:
        links: predicates and arguments.
        labels: of the nodes, as patterns read them.
        frames: the boxes.
        is_inside: whether a node stands in the phrase of another one.
    """
    below: dict[int, list[int]] = defaultdict(list)
    above: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for parent, edge_label, child in graph.edges:
        below[parent].append(child)
        above[child].append((edge_label, parent))
    counts: Counter[int] = Counter()
    for node in labels:
        agenda = [node] if re.fullmatch(rules.negators, labels[node]) else []
        for denied in agenda:  # grows while it is read
            counts.update(below[denied])
            passed = (n for n in below[denied] if re.fullmatch(rules.passing, labels[n]))
            agenda += [n for n in passed if n not in agenda]
        counts[node] += 0 if node in frames else _denials(node, above, below, frames, rules)
    for head, dependent in links:
        near = (dependent, *(parent for _, parent in above[dependent] if parent != head))
        denies = any(re.fullmatch(rules.nothing, labels[node]) for node in near)
        counts[head] += denies and not is_inside(head, dependent)
    return {node for node, count in counts.items() if count % 2}


def _denials(
    node: int,
    above: Mapping[int, Sequence[tuple[str, int]]],
    below: Mapping[int, Sequence[int]],
    frames: Collection[int],
    rules: NegationRules,
) -> int:
    """Return how many boxes deny a node, up to the first that says something else of it."""
    count = 0
    at = node
    for _ in range(len(frames) + 1):  # a file may have boxes in a cycle
        label, box = next(((label, n) for label, n in above[at] if n in frames), ("", None))
        if box is None:
            break
        if re.fullmatch(rules.boxes, label):
            is_condition = any((label, at) in above[n] and below[n] for n in below[at])
            if is_condition and not count:
                break
            count += 1
        elif at != node and not re.fullmatch(rules.passing, label):
            break
        at = box
    return count
