"""PENMAN notation of s-graphs, without alignments.

    (i1<root> / --LEX-- :agent (i2<L1>) :iota-of (i3 / the))

The angle brackets after a node's variable contain `root` if the node is the root, and the node's
sources. If no node has the mark `root`, the first node is the root. A node without a label is
written as its variable alone, and so are later mentions of a node. An edge is written inversely,
with `-of`, only if its parent cannot be reached from the root. Each label has exactly one text: a
PENMAN symbol, with or without double quotes, is written unchanged, and any other label is written
as a string with backslash escapes.

`write_graph` writes any graph as PENMAN text. The first mention of a node *introduces* it, with its
label and roles. `steps_along_edges` and `steps_in_text_order` choose for each edge the node at
which it is written, its parent or its child.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator

from penman.model import Model

from amparser.errors import GraphError
from amparser.graph.penman_text import PenmanText, too_deep
from amparser.graph.sgraph import Edge, Node, SGraph

ROOT_MARK = "root"
_INVERSE = "-of"
_MODEL = Model()
_LINE_BREAKS = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
# Pattern of a symbol in the lexer of the library `penman`; a leading "#" starts a comment.
_SYMBOL = re.compile(rf'(?!#)[^ \t"()/:~{_LINE_BREAKS}]+')
_ROLE = re.compile(rf'[^ \t"()/:~{_LINE_BREAKS}]+')
_VARIABLE = re.compile(r"([^<>]+)(?:<([^<>]+)>)?")
_SOURCE = re.compile(rf'[^ \t"()/:~,<>{_LINE_BREAKS}]+')
_ESCAPED = re.compile(rf'["\\{_LINE_BREAKS}]')
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")


def sgraph_from_penman(text: str | PenmanText) -> SGraph:
    """Read one s-graph; node identifiers count from 1 in text order.

    Raises GraphError if the text is not PENMAN, uses an unknown variable, introduces a variable
    twice, or marks two nodes with `root` or with the same source. The message names the column
    and, if the text has several lines, the line.
    """
    parsed = PenmanText(text, GraphError) if isinstance(text, str) else text
    found = parsed.graph(_MODEL, name=lambda variable: variable.partition("<")[0])
    nodes: dict[int, Node] = {}
    marked: dict[str, int] = {}
    for number, (variable, label, _) in found.nodes.items():
        assert variable is not None
        nodes[number] = Node(None if label is None else _label_from_penman(label))
        match = _VARIABLE.fullmatch(variable)
        if match is None:
            message = f"expected VARIABLE or VARIABLE<SOURCE,...>, found {variable!r}"
            raise parsed.fault_at(variable, message)
        for mark in map(str.strip, match[2].split(",") if match[2] else ()):
            if not mark:
                message = f"expected a source between commas, found {variable!r}"
                raise parsed.fault_at(variable, message)
            if mark in marked:
                what = "a second node is marked as root"
                message = what if mark == ROOT_MARK else f"the source {mark!r} occurs twice"
                raise parsed.fault_at(variable, message, last=True)
            marked[mark] = number
    root = marked.pop(ROOT_MARK, 1)
    return SGraph(nodes, tuple(Edge(*edge) for edge in found.edges), root, marked)


def _label_from_penman(text: str) -> str:
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
    """Write one s-graph on one line, in canonical form.

    Variables are `i1`, `i2`, ... in depth-first order from the root. Sources are sorted and follow
    `root`. A node's outgoing edges are in the order of `graph.edges`; inverse edges follow. Graphs
    that differ only in node identifiers have the same text. Raises GraphError if a node is not
    connected to the root, or if an edge label or a source cannot be written in PENMAN notation
    (because of reserved characters, or `-of` at the end).
    """
    return ordered_penman(graph)[0]


def ordered_penman(graph: SGraph) -> tuple[str, list[int]]:
    """Return the text of `sgraph_to_penman`, and the nodes in text order."""
    marks: dict[int, list[str]] = {graph.root: [ROOT_MARK]}
    for source in sorted(graph.sources):
        if source == ROOT_MARK or not _SOURCE.fullmatch(source):
            raise GraphError(f"the source {source!r} has no PENMAN notation")
        marks.setdefault(graph.sources[source], []).append(source)
    variables: dict[int, str] = {}

    def introduce(node: int) -> str:
        text = variables[node] = f"i{len(variables) + 1}"
        if node in marks:
            text += f"<{','.join(marks[node])}>"
        label = graph.nodes[node].label
        return text if label is None else f"{text} / {_label_to_penman(label)}"

    def role(edge: Edge, inverse: bool) -> str:
        if not _ROLE.fullmatch(edge.label) or edge.label.endswith(_INVERSE):
            raise GraphError(f"the edge label {edge.label!r} has no PENMAN notation")
        return f":{edge.label}{_INVERSE if inverse else ''}"

    below = steps_along_edges(graph, outgoing_first=True)
    text, order = write_graph(graph, introduce, variables.__getitem__, role, below)
    if missing := [node for node in graph.nodes if node not in variables]:
        raise GraphError(f"not connected to the root: nodes {missing}")
    if too_deep(text) is not None:
        raise GraphError("the graph is too deep for PENMAN notation")
    return text, order


Step = tuple[Edge, bool]
"""Edge that is written at a node, and whether it is written inversely (at its child)."""


def write_graph(
    graph: SGraph,
    introduce: Callable[[int], str],
    mention: Callable[[int], str],
    role: Callable[[Edge, bool], str],
    below: Callable[[int], Iterable[Step]],
    constants: Container[int] = (),
) -> tuple[str, list[int]]:
    """Return the text of a graph on one line, and its nodes in text order.

    A node is written in full at its first mention.

    Args:
        introduce: function that returns the text of a node between its opening parenthesis and its
            roles.
        mention: function that returns the text of a constant, or of a node introduced before.
        role: function that returns the text of an edge, written inversely or not.
        below: function that returns the edges to write at a node.
        constants: nodes that are never introduced.
    """
    written = ["(" + introduce(graph.root)]
    order = {graph.root: None}
    stack = [iter(below(graph.root))]
    while stack:
        edge, inverse = next(stack[-1], (None, False))
        if edge is None:
            stack.pop()
            written.append(")")
            continue
        node = edge.parent if inverse else edge.child
        if node in order or node in constants:
            written.append(f" {role(edge, inverse)} {mention(node)}")
        else:
            written.append(f" {role(edge, inverse)} ({introduce(node)}")
            stack.append(iter(below(node)))
        order[node] = None
    return "".join(written), list(order)


def steps_along_edges(
    graph: SGraph, *, outgoing_first: bool = False
) -> Callable[[int], Iterator[Step]]:
    """Return a function that yields the edges to write at a node.

    Call it once for each node, in depth-first order.
    """
    # Edges are identified by their index, because two edges may be equal.
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
    """Return a function that yields the edges to write at a node, in the order of the graph.

    The result is None if no text has the nodes and edges in this order. An edge is written at its
    parent if the parent is on the path from the root to the node introduced last, and otherwise at
    its child.
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
