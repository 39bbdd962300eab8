"""DOT, the language of Graphviz, for graphs and AM dependency trees."""

from __future__ import annotations

from amparser.constants.operations import IGNORE, MOD, ROOT
from amparser.constants.tree import AMTree
from amparser.draw.constants import constant_lines
from amparser.graph.sgraph import SGraph

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": None})


def graph_to_dot(graph: SGraph) -> str:
    """An s-graph as a `digraph`; the root has a double outline."""
    marks = graph.marks()
    names = {node: f"n{i}" for i, node in enumerate(graph.nodes, 1)}
    lines = ["digraph {", "  node [shape=box, style=rounded];"]
    for node, value in graph.nodes.items():
        sources = (f"<{source}>" for source in marks.get(node, ()))
        label = " ".join([value.label or "", *sources]).strip()
        root = ", peripheries=2" if node == graph.root else ""
        lines.append(f"  {names[node]} [label={quoted(label)}{root}];")
    for edge in graph.edges:
        ends = f"{names[edge.parent]} -> {names[edge.child]}"
        lines.append(f"  {ends} [label={quoted(edge.label)}];")
    return "\n".join([*lines, "}"]) + "\n"


def tree_to_dot(tree: AMTree) -> str:
    """An AM dependency tree as a `digraph`, words in their order on one line."""
    lines = ["digraph {", "  node [shape=plaintext];", "  { rank=same; edge [style=invis];"]
    for token, entry in enumerate(tree.entries, 1):
        label = "\n".join((entry.form, *constant_lines(entry)))
        pale = ", fontcolor=gray40" if entry.operation == IGNORE else ""
        lines.append(f"    t{token} [label={quoted(label)}{pale}];")
    chain = " -> ".join(f"t{token}" for token in range(1, len(tree) + 1))
    lines += [f"    {chain};"] if len(tree) > 1 else []
    lines.append("  }")
    for token, entry in enumerate(tree.entries, 1):
        if entry.operation == IGNORE or not 0 <= entry.head <= len(tree):
            continue
        style = ", style=dashed" if entry.operation.startswith(MOD) else ""
        if entry.operation == ROOT or entry.head == 0:
            lines.append("  root [shape=point];")
            head = "root"
        else:
            head = f"t{entry.head}"
        lines.append(f"  {head} -> t{token} [label={quoted(entry.operation)}{style}];")
    return "\n".join([*lines, "}"]) + "\n"


def quoted(text: str) -> str:
    r"""A text as a quoted string of DOT.

    >>> print(quoted('a "b"'))
    "a \"b\""
    """
    return f'"{text.translate(_ESCAPES)}"'
