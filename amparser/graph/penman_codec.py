"""PENMAN notation of s-graphs, through the `penman` library; alignments are not written.

    (i1<root> / --LEX-- :agent (i2<L1>) :iota-of (i3 / the))

A node's variable carries, in angle brackets, `root` and the sources that mark it. A node without a
label is a bare variable, and so is a later mention of a node. An edge is written against its
direction, with `-of`, only if its parent cannot be reached along edges. Without a `<root>` the
first node is the root. Every label has one text and every text one label: a PENMAN symbol, also
one in double quotes, is written as it is, any other label as a string with backslash escapes.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any

import penman

from amparser.errors import GraphError, nesting
from amparser.graph.sgraph import Edge, Node, SGraph

# The library reports irregularities, which are errors here, through logging; without
# a handler Python would print them.
logging.getLogger("penman").addHandler(logging.NullHandler())

ROOT_MARK = "root"
_INVERSE = "-of"
_LINE_BREAKS = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
# What the library's lexer takes as one symbol; a leading "#" opens a comment.
_SYMBOL = re.compile(rf'(?!#)[^ \t"()/:~{_LINE_BREAKS}]+')
_ROLE = re.compile(rf'[^ \t"()/:~{_LINE_BREAKS}]+')
_VARIABLE = re.compile(r"([^<>]+)(?:<([^<>]+)>)?")
_SOURCE = re.compile(rf'[^ \t"()/:~,<>{_LINE_BREAKS}]+')
_ALIGNMENT = re.compile(r"~(?:[a-z]\.?)?[0-9]+(?:,[0-9]+)*$")
_ESCAPED = re.compile(rf'["\\{_LINE_BREAKS}]')
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")


def sgraph_from_penman(text: str) -> SGraph:
    """Read one s-graph; node identifiers count from 1 in the order of the text.

    Raises:
        GraphError: the text is not PENMAN, refers to a variable that no node
            introduces, introduces one twice, or marks two nodes with `root`
            or with the same source. The message names line and column.
    """
    return _Reader(text).graph()


class _Reader:
    """One text on its way to a graph."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.identifiers: dict[str, int] = {}
        self.nodes: dict[int, Node] = {}
        self.sources: dict[str, int] = {}
        self.root: int | None = None
        # The target of a link may be introduced later.
        self.links: list[tuple[int, str, str]] = []

    def graph(self) -> SGraph:
        try:
            tree = penman.parse(self.text)
            # The library ignores what follows the first graph, so a second graph
            # is appended to check that nothing comes between.
            if len(list(penman.iterparse(f"{self.text}\n(end)"))) != 2:
                raise GraphError("PENMAN: expected one graph and nothing after it")
        except penman.DecodeError as error:
            raise self._error(error.message.lower(), error.lineno, error.offset) from None
        except RecursionError:
            raise GraphError("PENMAN text nested too deeply") from None
        self._introduce(tree.node)
        edges = []
        for node, role, variable in self.links:
            target = self.identifiers.get(variable)
            if target is None:
                raise self._error_at(variable, f"no node has the variable {variable!r}")
            label = role.removesuffix(_INVERSE)
            if label == role:
                edges.append(Edge(node, role, target))
            else:
                edges.append(Edge(target, label, node))
        root = 1 if self.root is None else self.root
        return SGraph(self.nodes, tuple(edges), root, self.sources)

    def _introduce(self, top: Any) -> None:
        """Number the nodes and collect the edges, in the order of the text."""
        stack: list[tuple[Any, Iterator[Any]]] = [self._open(top)]
        while stack:
            variable, branches = stack[-1]
            branch = next(branches, None)
            if branch is None:
                stack.pop()
                continue
            role, target = (_ALIGNMENT.sub("", x) if isinstance(x, str) else x for x in branch)
            if role == "/":
                continue
            if target is None:
                raise self._error_at(role, f"expected a node after {role!r}")
            if role in (":", f":{_INVERSE}"):
                raise self._error_at(role, "expected an edge label after ':'")
            here = self.identifiers[variable]
            if isinstance(target, str):
                self.links.append((here, role[1:], target.partition("<")[0]))
            else:
                stack.append(self._open(target))
                self.links.append((here, role[1:], stack[-1][0]))

    def _open(self, node: Any) -> tuple[str, Iterator[Any]]:
        text, branches = node
        if text is None:
            raise GraphError("expected a variable after '(' in PENMAN text")
        match = _VARIABLE.fullmatch(text)
        if match is None:
            raise self._error_at(text, f"expected VARIABLE or VARIABLE<SOURCE,...>, found {text!r}")
        variable = match[1]
        if variable in self.identifiers:
            raise self._error_at(text, f"the variable {variable!r} is introduced twice", last=True)
        identifier = len(self.identifiers) + 1
        self.identifiers[variable] = identifier
        labels = [target for role, target in branches if role == "/"]
        if None in labels:
            raise self._error_at(text, f"expected a label after '/' at {text!r}")
        self.nodes[identifier] = Node(_label_from_penman(labels[0]) if labels else None)
        for mark in match[2].split(",") if match[2] else ():
            self._mark(identifier, mark.strip(), text)
        return variable, iter(branches)

    def _mark(self, identifier: int, mark: str, text: str) -> None:
        if not mark:
            raise self._error_at(text, f"expected a source between commas, found {text!r}")
        if mark == ROOT_MARK:
            if self.root is not None:
                raise self._error_at(text, "a second node is marked as root", last=True)
            self.root = identifier
        elif mark in self.sources:
            raise self._error_at(text, f"the source {mark!r} occurs twice", last=True)
        else:
            self.sources[mark] = identifier

    def _error(self, message: str, line: int | None, offset: int | None) -> GraphError:
        return GraphError(f"line {line or 1}, column {(offset or 0) + 1}: PENMAN: {message}")

    def _error_at(self, word: str, message: str, *, last: bool = False) -> GraphError:
        """An error at the first (or last) place where a word of the text occurs."""
        places = list(re.finditer(rf"(?<![^\s(]){re.escape(word)}(?=[\s()<~]|$)", self.text))
        at = places[-1 if last else 0].start() if places else 0
        before = self.text[:at].splitlines() or [""]
        return self._error(message, len(before), len(before[-1]))


def _label_from_penman(text: str) -> str:
    text = _ALIGNMENT.sub("", text)
    if not text.startswith('"'):
        return text
    content = _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else m[2], text[1:-1])
    return f'"{content}"' if _SYMBOL.fullmatch(content) else content


def _label_to_penman(label: str) -> str:
    quoted = len(label) > 2 and label[0] == label[-1] == '"'
    # A backslash before the closing quote would escape it.
    if not (quoted and "\\" in label) and _SYMBOL.fullmatch(label[1:-1] if quoted else label):
        return label
    return '"' + _ESCAPED.sub(_escape, label) + '"'


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return f"\\{character}" if character in '"\\' else f"\\u{ord(character):04x}"


def sgraph_to_penman(graph: SGraph) -> str:
    """Write one s-graph on one line, canonically.

    Variables are `i1`, `i2`, ... in depth-first order from the root. Sources
    are sorted and follow `root`. A node's outgoing edges come in the order
    of `graph.edges`, then the inverse ones. Graphs that differ only in node
    identifiers give equal text.

    Raises:
        GraphError: a node is not connected to the root, or an edge label or a
            source has no PENMAN notation (reserved characters, `-of` at the end).
    """
    with nesting(GraphError, "the graph is too deep for PENMAN notation"):
        return _Writer(graph).text()


class _Writer:
    """One graph on its way to a text."""

    def __init__(self, graph: SGraph) -> None:
        self.graph = graph
        # By index, since two edges may be equal.
        self.outgoing: dict[int, list[int]] = {node: [] for node in graph.nodes}
        self.incoming: dict[int, list[int]] = {node: [] for node in graph.nodes}
        for index, edge in enumerate(graph.edges):
            if not _ROLE.fullmatch(edge.label) or edge.label.endswith(_INVERSE):
                raise GraphError(f"the edge label {edge.label!r} has no PENMAN notation")
            self.outgoing[edge.parent].append(index)
            self.incoming[edge.child].append(index)
        self.marks: dict[int, list[str]] = {graph.root: [ROOT_MARK]}
        for source in sorted(graph.sources):
            if source == ROOT_MARK or not _SOURCE.fullmatch(source):
                raise GraphError(f"the source {source!r} has no PENMAN notation")
            self.marks.setdefault(graph.sources[source], []).append(source)
        self.variables: dict[int, str] = {}
        self.inverse: set[int] = set()
        self.reachable: set[int] = set()

    def text(self) -> str:
        self._reach(self.graph.root)
        top = self._open(self.graph.root)
        stack = [(top[1], self._steps(self.graph.root))]
        while stack:
            branches, steps = stack[-1]
            step = next(steps, None)
            if step is None:
                stack.pop()
                continue
            role, node = step
            if node in self.variables:
                branches.append((role, self.variables[node]))
                continue
            opened = self._open(node)
            branches.append((role, opened))
            stack.append((opened[1], self._steps(node)))
        if missing := [node for node in self.graph.nodes if node not in self.variables]:
            raise GraphError(f"not connected to the root: nodes {missing}")
        return str(penman.format(penman.Tree(top), indent=None))

    def _open(self, node: int) -> tuple[str, list[Any]]:
        """The library's tree for a node and its label, without edges so far."""
        self.variables[node] = variable = f"i{len(self.variables) + 1}"
        label = self.graph.nodes[node].label
        marks = ",".join(self.marks.get(node, ()))
        branches: list[Any] = [] if label is None else [("/", _label_to_penman(label))]
        return (f"{variable}<{marks}>" if marks else variable), branches

    def _steps(self, node: int) -> Iterator[tuple[str, int]]:
        """The roles at a node with the node at their other end."""
        for index in self.outgoing[node]:
            if index not in self.inverse:
                yield f":{self.graph.edges[index].label}", self.graph.edges[index].child
        for index in self.incoming[node]:
            edge = self.graph.edges[index]
            if edge.parent not in self.reachable:
                self._reach(edge.parent)
                self.inverse.add(index)
                yield f":{edge.label}{_INVERSE}", edge.parent

    def _reach(self, node: int) -> None:
        """Note every node that edges lead to from this one."""
        agenda = [node]
        while agenda:
            current = agenda.pop()
            if current not in self.reachable:
                self.reachable.add(current)
                agenda.extend(self.graph.edges[index].child for index in self.outgoing[current])
