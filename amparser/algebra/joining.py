"""Combination of dependents with their heads: types are checked and nodes are merged.

`APP_s(head, arg)` renames the argument's open sources as the head's type requires, and merges the
argument's root with the head's s-node. `MOD_s(head, mod)` merges the modifier's s-node with the
head's root. Both operations merge sources with the same name and forget s (Groschwitz et al. 2018,
section 3). A well-typed tree denotes the same graph for any order of its operations. The merges are
therefore collected in a union-find structure over the nodes of all constants, in almost linear
time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from amparser.algebra.types import (
    ANY,
    APP,
    EMPTY,
    MOD,
    AMType,
    Renaming,
    accepts,
    apply_type,
    modify_type,
    source_of,
    type_of,
    type_to_str,
)
from amparser.errors import AMParserError, AMTreeError
from amparser.graph.sgraph import Node


def combined(
    lexical_type: AMType, dependents: Sequence[tuple[str, AMType]]
) -> tuple[AMType, dict[int, str]]:
    """Return the term type of a head with its dependents, and reasons why operations fail.

    Modifiers are combined first, while the head still has all its sources. Arguments follow in the
    order in which their sources become origins. Any other order in which all operations are defined
    gives the same type.

    Returns:
        The type after all defined operations, and the reasons for failures by index of the
            dependent.
    """
    current = lexical_type
    reasons: dict[int, str] = {}
    waiting: dict[int, tuple[str, AMType]] = {}
    for i, (operation, term_type) in enumerate(dependents):
        if operation.startswith(APP):
            waiting[i] = source_of(operation), term_type
        elif not operation.startswith(MOD):
            reasons[i] = "which has no such operation"
        elif modify_type(lexical_type, source := source_of(operation), term_type) is None:
            if source not in term_type.origins or term_type.request(source) != EMPTY:
                reasons[i] = f"where {source} is not a source of the modifier with an empty request"
            else:
                reasons[i] = "which does not include the rest of the modifier's type"
    progress = True
    while progress:
        progress = False
        for i, argument in list(waiting.items()):
            if (result := apply_type(current, *argument)) is not None:
                current, progress = result, True
                del waiting[i]
    for i, (source, term_type) in waiting.items():
        if source not in lexical_type.sources:
            reasons[i] = f"which has no source {source}"
        elif source not in current.sources:
            reasons[i] = f"whose source {source} is filled already"
        elif not accepts(current.request(source), term_type):
            reasons[i] = f"which requests {type_to_str(current.request(source))} there"
        else:
            before = sorted(e.source for e in current.renamings if e.target == source)
            reasons[i] = f"where {source} can only be filled after {', '.join(before)}"
    return current, reasons


class Step(NamedTuple):
    """Operation that combines a dependent with its head.

    Attributes:
        apply: true for APP, false for MOD.
        source: the source of the operation.
        names: new names of open sources of the dependent, by old name; unchanged names are missing.
    """

    apply: bool
    source: str
    names: Mapping[str, str]


def meeting(head: AMType, source: str, argument: AMType) -> AMType:
    """Return the head's type with its request at a source replaced by the argument's type.

    A source of the argument that is not in the request becomes a source of the head. It gets a
    number (`S_2`) if the head already has a source of this name.
    """
    if head.request(source) == argument:
        return head
    edges = {edge.name: edge for edge in head.renamings if edge.source == source}
    renamings = set(head.renamings)
    for name in sorted(argument.sources - set(edges)):
        if ANY in edges:
            renamings.discard(edges[ANY])
            renamings.add(Renaming(source, name, edges.pop(ANY).target))
            continue
        target, number = name, 1
        while target in head.sources:
            number += 1
            target = f"{name}_{number}"
        renamings.add(Renaming(source, name, target))
    return type_of(head.sources, renamings)


@lru_cache(maxsize=1 << 16)
def steps_of(
    lexical_type: AMType, dependents: tuple[tuple[str, AMType], ...], polymorphic: bool = False
) -> tuple[AMType, tuple[Step, ...]] | None:
    """Return the term type of a head with its dependents, and the step of each dependent.

    Returns None if an operation is undefined. If `polymorphic` is true, the requests of the head
    are first replaced by the types of the arguments.
    """
    for operation, argument in dependents if polymorphic else ():
        if operation.startswith(APP):
            try:
                lexical_type = meeting(lexical_type, source_of(operation), argument)
            except AMParserError:
                return None
    term_type, reasons = combined(lexical_type, dependents)
    if reasons:
        return None
    steps = []
    for operation, dependent_type in dependents:
        source = source_of(operation)
        apply = operation.startswith(APP)
        names = lexical_type.renamed(source) if apply else {}
        if ANY in names and dependent_type != lexical_type.request(source):
            names = dict.fromkeys(dependent_type.sources, names[ANY])
        steps.append(Step(apply, source, {n: t for n, t in names.items() if n != t}))
    return term_type, tuple(steps)


def join(
    head: int,
    dependents: Sequence[int],
    steps: Sequence[Step],
    open_nodes: Mapping[int, dict[str, int]],
    roots: Mapping[int, int],
    parent: list[int],
) -> None:
    """Merge the constants of dependents with the constant of their head.

    Args:
        head: the head, a token.
        dependents: its dependents; each must already be merged with its own dependents.
        steps: step of each dependent (see `steps_of`).
        open_nodes: for each token, the node of each open source of its constituent; changed in
            place.
        roots: for each token, the root of its constant.
        parent: union-find structure over nodes, in which the node with the lowest number represents
            its class; changed in place.
    """
    here = open_nodes[head]
    # A dependent may fill a source that comes from another dependent (raising), so the head
    # gets all open sources before any source is filled.
    for dependent, (apply, source, names) in zip(dependents, steps, strict=True):
        below = open_nodes[dependent]
        if not apply:
            _merge(roots[head], below.pop(source), parent)
        for name, node in below.items():
            target = names.get(name, name)
            if target in here:
                _merge(here[target], node, parent)
            else:
                here[target] = node
    for dependent, (apply, source, _) in zip(dependents, steps, strict=True):
        if apply:
            _merge(here.pop(source), roots[dependent], parent)


def _merge(left: int, right: int, parent: list[int]) -> None:
    while parent[left] != left:
        parent[left] = left = parent[parent[left]]
    while parent[right] != right:
        parent[right] = right = parent[parent[right]]
    # The smaller node represents the class, so `numbered` needs only one pass over the nodes.
    if left < right:
        parent[right] = left
    else:
        parent[left] = right


def numbered(values: Sequence[Node], parent: Sequence[int]) -> tuple[list[Node], list[int]]:
    """Return the nodes after merging, and the new number of each old node.

    Raises AMTreeError if nodes with different labels are merged.
    """
    number = [0] * len(values)
    nodes: list[Node] = []
    for node, value in enumerate(values):
        if parent[node] == node:
            number[node] = len(nodes)
            nodes.append(value)
            continue
        at = number[node] = number[parent[node]]
        if value.label is not None:
            if nodes[at].label is not None:
                raise AMTreeError(
                    f"two labels meet at one node: {_shown(nodes[at])} and {_shown(value)}"
                )
            nodes[at] = value
    return nodes, number


def _shown(node: Node) -> str:
    return repr(node.label) if node.token is None else f"{node.label!r} of token {node.token}"
