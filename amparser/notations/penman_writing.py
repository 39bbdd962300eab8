"""From an AMR graph to its text in PENMAN notation; `amparser.notations.penman` describes both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import penman
from penman.models.amr import model

from amparser.errors import TranslateError, nesting
from amparser.graph.sgraph import Edge, SGraph
from amparser.notations.penman_labels import is_constant, text_of_label
from amparser.notations.penman_reading import LIKE_A_VARIABLE, PenmanLayout

_ROLE = re.compile(r'[^\s"()/:~]+')


class _Step(NamedTuple):
    """A role that is written at a node, and the node behind it, introduced there or not."""

    node: int
    role: str
    other: int
    introduces: bool


def write_penman(graph: SGraph, layout: PenmanLayout | None = None) -> tuple[str, list[int]]:
    """The text of a graph, and its nodes in the order in which the text introduces them.

    If nodes and edges have the order of a text, this text is written. Otherwise an edge is
    written against its direction, with `-of`, only if its parent cannot be reached along edges.

    Args:
        graph: without open sources.
        layout: variables and indentation; by default variables are the first letters of
            concepts (`b`, `b2`), and the text is one line.

    Raises:
        TranslateError: the graph has open sources, is not connected, has a constant with more
            than one edge, or a label that has no place in PENMAN.
    """
    if graph.sources:
        raise TranslateError(f"open sources {', '.join(sorted(graph.sources))}")
    constants = _constants(graph)
    steps = _replayed(graph, constants)
    if steps is None:
        steps = list(_Walk(graph, constants).steps())
    order = [graph.root, *(step.other for step in steps if step.introduces)]
    if len(order) < len(graph.nodes):
        label = next(v.label for n, v in graph.nodes.items() if n not in order)
        raise TranslateError(f"{label!r} is not connected to the root")
    variables = _variables(graph, order, constants)
    indent = None
    if layout is not None:
        indent = layout.indent
        used = set(layout.variables.values())
        if layout.variables.keys() == variables.keys() and used.isdisjoint(constants.values()):
            variables = dict(layout.variables)
    with nesting(TranslateError, "the graph is too deep for PENMAN notation"):
        tree = _tree(graph, steps, constants, variables)
        return str(penman.format(tree, indent=indent)), order


def _constants(graph: SGraph) -> dict[int, str]:
    """The texts of the nodes that are constants."""
    constants = {
        node: text_of_label(value.label or "")
        for node, value in graph.nodes.items()
        if is_constant(value.label)
    }
    degree = dict.fromkeys(constants, 0)
    for edge in graph.edges:
        for end in (edge.parent, edge.child):
            if end in degree:
                degree[end] += 1
    for node, text in constants.items():
        if node == graph.root or degree[node] != 1:
            what = "the root" if node == graph.root else f"a node with {degree[node]} edges"
            raise TranslateError(f"the constant {text} is {what}, expected one edge to it")
        if LIKE_A_VARIABLE.fullmatch(text):
            raise TranslateError(f"the constant {text} would be read as a variable")
    return constants


def _role(edge: Edge, *, inverse: bool) -> str:
    """The role of an edge, with its colon.

    Raises:
        TranslateError: it would be read as another one.
    """
    role = f":{edge.label}"
    written = f"{role}-of" if inverse else role
    if not _ROLE.fullmatch(edge.label) or model.is_role_inverted(role):
        raise TranslateError(f"the edge label {edge.label!r} is no role of PENMAN")
    if inverse and not model.is_role_inverted(written):
        raise TranslateError(f"the role {role} has no inverse, since {written} is a role itself")
    return written


def _replayed(graph: SGraph, constants: Mapping[int, str]) -> list[_Step] | None:
    """The steps of the text whose nodes and edges have the order of the graph, or None.

    The nodes between the root and the one that was introduced last are open: an edge is
    written at its parent if that is open, or else at its child.
    """
    order = list(graph.nodes)
    if order[0] != graph.root:
        return None
    waiting = order[:0:-1]
    introduced = {graph.root}
    path = [graph.root]
    steps = []
    for edge in graph.edges:
        here = edge.parent if edge.parent in path else edge.child
        if here not in path:
            return None
        del path[path.index(here) + 1 :]
        inverse = here != edge.parent
        other = edge.parent if inverse else edge.child
        introduces = other not in introduced
        if introduces:
            if waiting.pop() != other:
                return None
            introduced.add(other)
            path += [] if other in constants else [other]
        steps.append(_Step(here, _role(edge, inverse=inverse), other, introduces))
    return None if waiting else steps


class _Walk:
    """Depth first from the root, along edges as far as they lead."""

    def __init__(self, graph: SGraph, constants: Mapping[int, str]) -> None:
        self.graph = graph
        self.constants = constants
        # By index, since two edges may be equal.
        self.incident: dict[int, list[int]] = {node: [] for node in graph.nodes}
        for index, edge in enumerate(graph.edges):
            self.incident[edge.parent].append(index)
            if edge.child != edge.parent:
                self.incident[edge.child].append(index)
        self.reachable: set[int] = set()
        self.inverse: set[int] = set()

    def steps(self) -> Iterator[_Step]:
        """What is written, in the order of the text."""
        self._reach(self.graph.root)
        introduced = {self.graph.root}
        stack = [(self.graph.root, self._below(self.graph.root))]
        while stack:
            node, below = stack[-1]
            step = next(below, None)
            if step is None:
                stack.pop()
                continue
            role, other = step
            yield _Step(node, role, other, other not in introduced)
            if other not in introduced and other not in self.constants:
                stack.append((other, self._below(other)))
            introduced.add(other)

    def _below(self, node: int) -> Iterator[tuple[str, int]]:
        for index in self.incident[node]:
            edge = self.graph.edges[index]
            if edge.parent == node:
                if index not in self.inverse:
                    yield _role(edge, inverse=False), edge.child
            elif edge.parent not in self.reachable:
                self._reach(edge.parent)
                self.inverse.add(index)
                yield _role(edge, inverse=True), edge.parent

    def _reach(self, node: int) -> None:
        """Note every node that edges lead to from this one."""
        agenda = [node]
        while agenda:
            current = agenda.pop()
            if current not in self.reachable:
                self.reachable.add(current)
                edges = (self.graph.edges[index] for index in self.incident[current])
                agenda += [edge.child for edge in edges if edge.parent == current]


def _variables(graph: SGraph, order: list[int], constants: Mapping[int, str]) -> dict[int, str]:
    """The first letter of each concept, with a number from the second use on."""
    taken = set(constants.values())
    count: dict[str, int] = {}
    variables = {}
    for node in order:
        if node in constants:
            continue
        label = graph.nodes[node].label
        letter = text_of_label(label)[0].lower() if label is not None else "x"
        letter = letter if "a" <= letter <= "z" else "x"
        name = ""
        while not name or name in taken:
            count[letter] = count.get(letter, 0) + 1
            name = letter if count[letter] == 1 else f"{letter}{count[letter]}"
        variables[node] = name
    return variables


def _tree(
    graph: SGraph,
    steps: list[_Step],
    constants: Mapping[int, str],
    variables: Mapping[int, str],
) -> Any:
    """The library's tree."""

    def opened(node: int) -> tuple[str, list[Any]]:
        label = graph.nodes[node].label
        branches = [] if label is None else [("/", text_of_label(label))]
        return variables[node], branches

    trees = {graph.root: opened(graph.root)}
    for step in steps:
        target: Any
        if step.other in constants:
            target = constants[step.other]
        elif step.introduces:
            target = trees[step.other] = opened(step.other)
        else:
            target = variables[step.other]
        trees[step.node][1].append((step.role, target))
    return penman.Tree(trees[graph.root])
