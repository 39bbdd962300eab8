"""Words and names for building and reading graphs of COGS logical forms.

`amparser.notations.cogs` describes the graphs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from amparser.errors import TranslateError

DEFINITE = "the"
MARK = "*"
"""Opens the label of a definite noun that has no word for `the`, such as Swedish `hunden`."""
IOTA = "iota"
MODIFIER = "nmod"
FIRST, SECOND = ".op1", ".op2"
QUESTION = "?"
EVENT = "e"
"""The lambda variable of a primitive verb itself."""


def without_determiners(labels: Counter[str | None]) -> Counter[str | None]:
    """Labels in which a marked noun and a noun below `the` are the same.

    >>> without_determiners(Counter(["*hund"])) == without_determiners(Counter(["hund", "the"]))
    True
    """
    found: Counter[str | None] = Counter()
    for label, count in labels.items():
        if label is not None and label.startswith(MARK):
            found[DEFINITE] += count
            found[label.removeprefix(MARK)] += count
        else:
            found[label] += count
    return found


def bound_variables(count: int) -> tuple[str, ...]:
    """The lambda variables of a primitive verb's roles, in the order of its atoms.

    >>> [bound_variables(count) for count in (1, 2, 3)]
    [('a',), ('b', 'a'), ('b', 'a', 'c')]
    """
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1) if chr(code) != EVENT]
    if count > len(letters):
        raise TranslateError(f"no names for {count} open sources")
    if count > 1:
        letters[:2] = reversed(letters[:2])
    return tuple(letters[:count])


def reach(
    start: int, successors: Mapping[int, Sequence[int]], seen: set[int], order: list[int]
) -> None:
    """Depth-first search: adds to `seen`, and to `order` by finishing time."""
    if start in seen:
        return
    seen.add(start)
    stack = [(start, iter(successors[start]))]
    while stack:
        node, remaining = stack[-1]
        for successor in remaining:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(successors[successor])))
                break
        else:
            order.append(node)
            stack.pop()


def leftmost_source(arguments: Mapping[int, Sequence[int]]) -> int:
    """The smallest node of a source component of the predicate -> argument graph.

    A source component is a maximal set of nodes that reach each other and
    that no other node reaches (Kosaraju's algorithm finds them in linear time).

    Raises:
        TranslateError: the graph is not connected.
    """
    order: list[int] = []
    seen: set[int] = set()
    inverse: dict[int, list[int]] = {node: [] for node in arguments}
    for node, children in arguments.items():
        reach(node, arguments, seen, order)
        for child in children:
            inverse[child].append(node)
    # In the order of falling finishing times, a node that no earlier node reaches
    # belongs to a source component.
    reached: set[int] = set()
    sources: set[int] = set()
    for node in reversed(order):
        if node not in reached:
            reach(node, inverse, sources, [])
            reach(node, arguments, reached, [])
    both = {node: [*children, *inverse[node]] for node, children in arguments.items()}
    connected: set[int] = set()
    reach(order[-1], both, connected, [])
    if len(connected) < len(both):
        raise TranslateError("the logical form falls into unconnected parts")
    return min(sources)
