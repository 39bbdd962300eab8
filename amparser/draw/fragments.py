"""Graph constants as a few short lines, which pictures show below a word.

give            the root, with its lexical label
  agent L1      an edge to a node with the open source L1
  recipient to
marker C        a constant with a single node, which is both the root and the source C
"""

from __future__ import annotations

from functools import lru_cache

from amparser.algebra.fragment import LEX, Fragment
from amparser.algebra.tree import Entry
from amparser.algebra.types import AMType, type_to_str
from amparser.graph.sgraph import SGraph

_INDENT = "  "


def constant_lines(entry: Entry) -> tuple[str, ...]:
    """Return the lines of a token's constant; empty if the token is ignored."""
    if entry.supertag is None:
        return ()
    label = entry.label or LEX
    return tuple(line.replace(LEX, label) for line in _supertag_lines(entry.supertag))


def type_to_text(value: AMType) -> str:
    """Return a type without the brackets of empty requests.

    >>> from amparser.algebra.types import type_from_str
    >>> type_to_text(type_from_str("(S(), O(O2_UNIFY_S))"))
    '(O(O2_UNIFY_S), S)'
    """
    text = type_to_str(value)
    return text if text == "()" else text.replace("()", "")


def constant_to_text(entry: Entry) -> str:
    """Return a constant and its type on one line, for tooltips."""
    if entry.supertag is None:
        return f"{entry.form}: ignored"
    label = "" if entry.label is None else f", lexical label {entry.label}"
    lexical_type = type_to_text(entry.supertag.type)
    return f"{entry.form}: {entry.supertag.penman}{label}, type {lexical_type}"


@lru_cache(maxsize=4096)
def _supertag_lines(supertag: Fragment) -> tuple[str, ...]:
    lines = _lines_of(supertag.graph)
    if any(edge.name != edge.target for edge in supertag.type.renamings):
        lines.append(type_to_text(supertag.type))
    return tuple(lines)


def _lines_of(graph: SGraph) -> list[str]:
    sources = graph.marks()

    def name(node: int) -> str:
        label = graph.nodes[node].label
        marks = ",".join(sources.get(node, ()))
        return " ".join(part for part in (label, marks) if part) or "node"

    if not graph.edges and graph.nodes[graph.root].label is None:
        return [f"marker {name(graph.root)}"]
    lines, seen, used = [name(graph.root)], {graph.root}, set[int]()
    # Depth-first search; each entry is a node and an iterator over edge indices.
    stack = [(graph.root, iter(range(len(graph.edges))))]
    while stack:
        node, edges = stack[-1]
        index = next(edges, None)
        if index is None:
            stack.pop()
            continue
        edge = graph.edges[index]
        if index in used or node not in (edge.parent, edge.child):
            continue
        used.add(index)
        forward = edge.parent == node
        other = edge.child if forward else edge.parent
        role = edge.label if forward else f"{edge.label}-of"
        lines.append(f"{_INDENT * (len(stack) - 1)}{role} {name(other)}")
        if other not in seen:
            seen.add(other)
            stack.append((other, iter(range(len(graph.edges)))))
    return lines
