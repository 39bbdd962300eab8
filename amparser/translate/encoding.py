"""The words and names by which graphs of COGS logical forms are built and read.

`amparser.translate.cogs` describes the graphs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amparser.errors import TranslateError

DEFINITE = "the"
IOTA = "iota"
MODIFIER = "nmod"
FIRST, SECOND = ".op1", ".op2"
QUESTION = "?"
EVENT = "e"
"""The lambda variable of a primitive verb itself."""


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
