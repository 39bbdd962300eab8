"""PENMAN notation of s-graphs; alignments are not written.

    (i1<root> / --LEX-- :agent (i2<L1>) :iota-of (i3 / the))

A node's variable is followed, in angle brackets, by `root` and the sources that mark it. A node
without a label is a bare variable, and so is a later mention of a node. An edge is written
inversely, with `-of`, only if its parent cannot be reached along edges. Without `<root>` the first
node is the root. Labels and their texts correspond one to one: a PENMAN symbol, also one in double
quotes, is written unchanged, any other label as a string with backslash escapes.
"""

from __future__ import annotations

import re

from penman.model import Model

from amparser.errors import GraphError
from amparser.graph.penman_text import PenmanText, too_deep
from amparser.graph.penman_writing import steps_along_edges, write_graph
from amparser.graph.sgraph import Edge, Node, SGraph

ROOT_MARK = "root"
_INVERSE = "-of"
_MODEL = Model()
_LINE_BREAKS = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
# One symbol of the library's lexer; a leading "#" opens a comment.
_SYMBOL = re.compile(rf'(?!#)[^ \t"()/:~{_LINE_BREAKS}]+')
_ROLE = re.compile(rf'[^ \t"()/:~{_LINE_BREAKS}]+')
_VARIABLE = re.compile(r"([^<>]+)(?:<([^<>]+)>)?")
_SOURCE = re.compile(rf'[^ \t"()/:~,<>{_LINE_BREAKS}]+')
_ESCAPED = re.compile(rf'["\\{_LINE_BREAKS}]')
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")


def sgraph_from_penman(text: str | PenmanText) -> SGraph:
    """Read one s-graph; node identifiers count from 1 in text order.

    Raises:
        GraphError: the text is not PENMAN, uses an unknown variable, introduces a variable twice,
            or marks two nodes with `root` or with the same source. The message names the column,
            and the line if the text has several.
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
    return SGraph(nodes, found.edges, root, marked)


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
    `root`. A node's outgoing edges come in the order of `graph.edges`, then its inverse edges.
    Graphs that differ only in node identifiers give equal text.

    Raises:
        GraphError: a node is not connected to the root, or an edge label or a source has no
            PENMAN notation (reserved characters, `-of` at the end).
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
