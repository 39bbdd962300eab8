"""Find the predicates of a graph that are negated, for example by "not" or "nobody"."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from amparser.graph.sgraph import SGraph

_NOTHING = "(?!)"
"""Pattern that matches no label."""


class NegationRules(NamedTuple):
    """Rules of negation in graphs; each pattern must match a whole label.

    Attributes:
        negators: pattern of "NODE EDGE", such as `_without_p ARG2`: the node negates its child at
            this edge.
        nothing: pattern of nodes like "nobody", such as `_no_q`. A predicate is negated if its
            argument is such a node or a child of one. Before matching, " not" is appended to the
            labels of negated nodes.
        owners: pattern of "NODE EDGE", such as `poss ARG1`: the node's other children own the child
            at this edge. An argument that "nobody" owns ("nobody's dog") negates its predicate.
        boxes: pattern of edges to negated boxes. A negated box inside a negated box expresses
            a conditional (not (A and not B): if A, then B); neither box then negates predicates.
        passing: pattern of nodes and edges, such as modal verbs, that pass a negation on to their
            children.
    """

    negators: str = _NOTHING
    nothing: str = _NOTHING
    owners: str = _NOTHING
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
    """Return the nodes that are negated an odd number of times.

    Args:
        graph: the graph of the meaning.
        links: pairs of a predicate and one of its arguments.
        labels: labels of the nodes.
        frames: the nodes that are boxes.
        rules: rules of the corpus.
        is_inside: returns True if the first node is in the phrase of the second.
    """
    below: dict[int, list[int]] = defaultdict(list)
    above: dict[int, list[tuple[str, int]]] = defaultdict(list)
    counts: Counter[int] = Counter()
    denied: dict[int, list[int]] = defaultdict(list)
    for parent, edge_label, child in graph.edges:
        below[parent].append(child)
        above[child].append((edge_label, parent))
        if re.fullmatch(rules.negators, f"{labels[parent]} {edge_label}"):
            denied[parent].append(child)
    for node in labels:
        agenda = [*denied[node]]
        for child in agenda:  # `agenda` grows during the loop
            if re.fullmatch(rules.passing, labels[child]):
                agenda += [n for n in below[child] if n not in agenda]
        counts.update(agenda)
        counts[node] += 0 if node in frames else _denials(node, above, below, frames, rules)
    polar = {n: label + " not" * (counts[n] % 2) for n, label in labels.items()}

    def denies(node: int, head: int) -> bool:
        near = [edge for edge in above[node] if edge[1] != head]
        owners = [n for role, n in near if re.fullmatch(rules.owners, f"{labels[n]} {role}")]
        return any(
            re.fullmatch(rules.nothing, polar[n]) for n in (node, *(n for _, n in near))
        ) or any(denies(other, n) for n in owners for other in below[n] if other != node)

    for head, dependent in links:
        counts[head] += denies(dependent, head) and not is_inside(head, dependent)
    return {node for node, count in counts.items() if count % 2}


def _denials(
    node: int,
    above: Mapping[int, Sequence[tuple[str, int]]],
    below: Mapping[int, Sequence[int]],
    frames: Collection[int],
    rules: NegationRules,
) -> int:
    count = 0
    at = node
    for _ in range(len(frames) + 1):  # the limit ends the loop if boxes form a cycle
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
