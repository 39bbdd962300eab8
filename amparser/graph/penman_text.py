"""PENMAN text of any graph: reading with the library `penman`, and writing.

Two notations share this module: s-graphs (`amparser.graph.penman_codec`) and AMR
(`amparser.notations.penman`). Nodes are numbered from 1 in the order of the text.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import penman
from penman.model import Model

from amparser.errors import AMParserError
from amparser.graph.sgraph import Edge, SGraph

# The library reports irregularities, which are errors here, through logging; without
# a handler Python would print them.
logging.getLogger("penman").addHandler(logging.NullHandler())

MOST_LEVELS = 300
"""Maximum nesting of a text: the library calls itself twice for each level."""
_ALIGNMENT = re.compile(r"~(?:[a-z]\.?)?([0-9]{1,9})(?:,[0-9]+)*$")
_COMMENT_STRING_PARENTHESIS = re.compile(
    r'(?<![^ \t\r\v\f\n])#.*|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|[()]'
)
_INDENTS = (6, -1, 4, 3, 2)
"""Columns of indentation per level; the library takes -1 for the column below the node."""
_EXPECTED = {
    "Expected: LPAREN": "expected a graph, '(VARIABLE / CONCEPT :ROLE ...)'",
    "Expected: SYMBOL": "expected a variable after '('",
    "Expected: ROLE": "expected a role ':ROLE' or ')'",
    "Expected: SYMBOL, STRING, LPAREN": "expected a node, a variable or a constant",
}
"""The library's messages in the words of this package."""

Key = TypeVar("Key", bound=Hashable)
Step = tuple[Edge, bool]
"""An edge that is written at a node, and whether inversely."""


class PenmanNode(NamedTuple):
    """A node of a text.

    Attributes:
        variable: None for a constant.
        label: the concept or constant, or None.
        token: the first one in `~e.N`, from 0, or None.
    """

    variable: str | None
    label: str | None
    token: int | None


class PenmanGraph(NamedTuple):
    """Nodes and edges of a text, in its order, and whether each edge was written with `-of`."""

    nodes: Mapping[int, PenmanNode]
    edges: tuple[Edge, ...]
    inverted: tuple[bool, ...]


def too_deep(text: str) -> int | None:
    """Return the place in a text where more than `MOST_LEVELS` parentheses are open, or None."""
    if text.count("(") <= MOST_LEVELS:
        return None
    depth = 0
    for match in _COMMENT_STRING_PARENTHESIS.finditer(text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth > MOST_LEVELS:
            return match.start()
    return None


class PenmanText:
    """One graph as text and as the library's tree.

    Args:
        error: the class of the errors that this and the methods raise. Messages name the column
            (from 1), and the line if the text has several.

    Raises:
        AMParserError: the text is not PENMAN, or nested more than `MOST_LEVELS` deep.
    """

    def __init__(self, text: str, error: type[AMParserError]) -> None:
        self.text = text
        self._error = error
        if (place := too_deep(text)) is not None:
            raise self._at(place, f"nested too deeply, expected at most {MOST_LEVELS} levels")
        lines = text.split("\n")
        try:
            try:
                # The library ignores what follows a graph, so another graph is put there to see
                # that nothing stands between.
                trees = list(penman.iterparse([*lines, "(end)"]))
            except penman.DecodeError:
                penman.parse(lines)  # says more about a graph without an end
                raise
            self.tree: penman.Tree = trees[0] if len(trees) == 2 else penman.parse(lines)
        except penman.DecodeError as fault:
            message = fault.message or ""
            reason = _EXPECTED.get(message, message.lower())
            if not fault.lineno:
                reason = _EXPECTED["Expected: LPAREN"]
            raise self._fault(reason, fault.lineno or 1, fault.offset or 0) from None
        if len(trees) != 2:
            raise self._fault("expected one graph and nothing behind it", 1, 0)

    def graph(
        self,
        model: Model,
        name: Callable[[str], str] = str,
        constant: Callable[[str], bool] = lambda word: False,
    ) -> PenmanGraph:
        """Return the nodes and edges.

        Args:
            model: tells inverse roles.
            name: of a variable the part by which later mentions refer to its node.
            constant: whether a word that is no variable is a constant.
        """
        known = {name(variable) for variable, _ in self.tree.nodes()}
        numbers: dict[str, int] = {}
        nodes: dict[int, PenmanNode] = {}
        links: list[tuple[int, str, int | str]] = []

        def introduce(node: Any) -> int:
            variable, branches = node
            if variable is None:
                raise self._at(self.text.find("("), "expected a variable after '('")
            if name(variable) in numbers:
                message = f"the variable {name(variable)!r} is introduced twice"
                raise self.fault_at(variable, message, last=True)
            if ("/", None) in branches:
                raise self.fault_at(variable, f"expected a concept after '{variable} /'")
            labels = [label for role, label in branches if role == "/"]
            numbers[name(variable)] = len(nodes) + 1
            return add(variable, labels[0] if labels else None)

        def add(variable: str | None, label: str | None) -> int:
            match = _ALIGNMENT.search(label or "")
            if label is not None and match is not None:
                label = label[: match.start()]
            nodes[len(nodes) + 1] = PenmanNode(variable, label, match and int(match[1]))
            return len(nodes)

        at = {(): introduce(self.tree.node)}
        for path, (role, target) in self.tree.walk():
            if role == "/":
                continue
            role = _ALIGNMENT.sub("", role)
            if target is None:
                message = f"expected a node, a variable or a constant after {role!r}"
                raise self.fault_at(role, message)
            if role in (":", ":-of"):
                raise self.fault_at(role, "expected a role after ':'")
            child: int | str
            if not isinstance(target, str):
                child = at[path] = introduce(target)
            elif (child := name(_ALIGNMENT.sub("", target))) not in known:
                if not constant(child):
                    raise self.fault_at(child, f"no node has the variable {child!r}")
                child = add(None, target)
            links.append((at[path[:-1]], role, child))
        edges, inverted = [], []
        for parent, role, child in links:
            other = numbers[child] if isinstance(child, str) else child
            inverse = False
            while model.is_role_inverted(role):
                role, inverse = model.invert_role(role), not inverse
            ends = (other, parent) if inverse else (parent, other)
            edges.append(Edge(ends[0], role[1:], ends[1]))
            inverted.append(inverse)
        return PenmanGraph(nodes, tuple(edges), tuple(inverted))

    def laid_out(self) -> str:
        """Return the text without comments and alignments, on one line or indented as it is.

        An indentation that the library does not write becomes one of six columns.
        """
        lines = [line for line in self.text.split("\n") if line.strip() and line.strip()[0] != "#"]
        text = "\n".join(lines).strip()
        tree = penman.Tree(self.tree.node)
        indents: Sequence[int | None] = _INDENTS if "\n" in text else (None,)
        indent = next((i for i in indents if penman.format(tree, indent=i) == text), indents[0])
        if "~" in text:
            for _, branches in tree.nodes():
                branches[:] = [
                    tuple(_ALIGNMENT.sub("", p) if isinstance(p, str) else p for p in branch)
                    for branch in branches
                ]
        return str(penman.format(tree, indent=indent))

    def fault_at(self, word: str, message: str, *, last: bool = False) -> AMParserError:
        """Return the error at the first (or last) place where a word stands in the text."""
        word = re.escape(word)
        places = [m.start() for m in re.finditer(rf"(?<![^\s(]){word}(?=[\s()<~]|$)", self.text)]
        places = places or [m.start() for m in re.finditer(word, self.text)] or [0]
        return self._at(places[-1 if last else 0], message)

    def _at(self, place: int, message: str) -> AMParserError:
        lines = self.text[:place].split("\n")
        return self._fault(message, len(lines), len(lines[-1]))

    def _fault(self, message: str, line: int, offset: int) -> AMParserError:
        place = f"line {line}, " if "\n" in self.text.strip() else ""
        return self._error(f"{place}column {offset + 1}: {message}")


def write_graph(
    graph: SGraph,
    introduce: Callable[[int], str],
    mention: Callable[[int], str],
    role: Callable[[Edge, bool], str],
    below: Callable[[int], Iterable[Step]],
    constants: Container[int] = (),
) -> tuple[str, list[int]]:
    """Return the text of a graph on one line, and its nodes in the order of the text.

    Args:
        introduce: the text of a node behind its parenthesis, up to the roles.
        mention: the text of a constant, or of a node that was introduced before.
        role: the text of an edge, written inversely or not.
        below: the edges that are written at a node.
        constants: the nodes that are never introduced.
    """

    def written(node: int) -> Iterator[tuple[str, int]]:
        for edge, inverse in below(node):
            yield role(edge, inverse), edge.parent if inverse else edge.child

    return write_out(graph.root, written, introduce, mention, constants)


def steps_along_edges(
    graph: SGraph, *, outgoing_first: bool = False
) -> Callable[[int], Iterator[Step]]:
    """Return a function that yields the edges to write at a node, nodes being asked depth first.

    An edge is written inversely only if its parent cannot be reached along edges.

    Args:
        outgoing_first: whether edges that leave a node come before those that enter it.
    """
    # By index, since two edges may be equal.
    incident: dict[int, list[int]] = {node: [] for node in graph.nodes}
    for index, edge in enumerate(graph.edges):
        for node in {edge.parent, edge.child}:
            incident[node].append(index)
    reachable: set[int] = set()
    inverse: set[int] = set()

    def reach(node: int) -> None:
        agenda = [node]
        while agenda:
            current = agenda.pop()
            if current not in reachable:
                reachable.add(current)
                edges = (graph.edges[index] for index in incident[current])
                agenda += [edge.child for edge in edges if edge.parent == current]

    def steps(node: int) -> Iterator[Step]:
        indices = incident[node]
        if outgoing_first:
            indices = sorted(indices, key=lambda index: graph.edges[index].parent != node)
        for index in indices:
            edge = graph.edges[index]
            if edge.parent == node:
                if index not in inverse:
                    yield edge, False
            elif edge.parent not in reachable:
                reach(edge.parent)
                inverse.add(index)
                yield edge, True

    reach(graph.root)
    return steps


def steps_in_text_order(
    graph: SGraph, constants: Container[int]
) -> Callable[[int], Iterable[Step]] | None:
    """Return the edges to write at each node if nodes and edges have the order of a text.

    The nodes between the root and the one that was introduced last are open: an edge is
    written at its parent if that is open, or else at its child.
    """
    waiting = iter(graph.nodes)
    path = [next(waiting)]
    introduced = set(path)
    steps: dict[int, list[Step]] = {}
    for edge in graph.edges:
        inverse = edge.parent not in path
        here, other = (edge.child, edge.parent) if inverse else (edge.parent, edge.child)
        if here not in path:
            return None
        del path[path.index(here) + 1 :]
        if other not in introduced:
            if next(waiting) != other:
                return None
            introduced.add(other)
            path += [] if other in constants else [other]
        steps.setdefault(here, []).append((edge, inverse))
    is_text = graph.root == next(iter(graph.nodes)) and len(introduced) == len(graph.nodes)
    return (lambda node: steps.get(node, ())) if is_text else None


def write_out(
    top: Key,
    below: Callable[[Key], Iterable[tuple[str, Key]]],
    introduce: Callable[[Key], str],
    mention: Callable[[Key], str],
    constants: Container[Key] = (),
    *,
    lines: bool = False,
) -> tuple[str, list[Key]]:
    """Write out each node where it is mentioned first; see `write_graph`.

    Args:
        below: the roles of a node, each with the node behind it.
        lines: whether each role has a line of its own, indented by tabs.
    """
    written = ["(" + introduce(top)]
    order = {top: None}
    stack = [iter(below(top))]
    while stack:
        role, node = next(stack[-1], ("", None))
        if node is None:
            stack.pop()
            written.append(")")
            continue
        written.append("\n" + "\t" * len(stack) if lines else " ")
        if node in order or node in constants:
            written.append(f"{role} {mention(node)}")
        else:
            written.append(f"{role} ({introduce(node)}")
            stack.append(iter(below(node)))
        order[node] = None
    return "".join(written), list(order)
