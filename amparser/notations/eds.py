"""Elementary Dependency Structures in DELPH-IN's native notation (Oepen & Lønning 2006).

    {e2: _1:_the_q<0:3>[BV x3] x3:_dog_n_1<4:7>{x NUM sg}[] e2:_bark_v_1<8:13>{e}[ARG1 x3]}

The graph is the same as for EDS in PENMAN files. Each predication is a node, labelled with its
predicate. In labels, `|` stands for `/`, and `%XX` for other characters that PENMAN symbols cannot
contain. Each string in parentheses is a constant below an edge `carg`. PyDelphin (extra `eds`)
reads the texts. Predicates are converted to lower case and roles to upper case. If a node has the
same role twice, one of the two edges is lost.

Properties (`{x NUM sg}`), anchors (`<0:3>`, in characters of the sentence) and node names are not
part of the graph, but a graph keeps the text from which it was read and is written as this text.
Nodes of other graphs get anchors from their spans or tokens.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.logic.token_reader import place_in
from amparser.notations.notation import (
    LaidOutGraph,
    Notation,
    TextLayout,
    laid_out_text,
    layout_of_graph,
)
from amparser.notations.penman_labels import is_constant, label_of_concept, text_of_label
from amparser.resources import library

CARG, BOUND = "carg", "BV"
"""Labels of the edge to a string, and of the edge from a quantifier to the node that it binds."""

_SYMBOL = r"[^\s:,<(\[\]{}]+"
_BEGIN = re.compile(r"""\s*(?:#\S+\s*)?\{\s*[^\s"'}]""")
"""Pattern of the start of a structure; it does not match the start of a JSON object."""
_UNWRITABLE = re.compile(r'[\s"()/:~#|]|%(?=[0-9A-Fa-f]{2})')
_RESERVED = re.compile(r"[\s:,<(\[\]{}]")
_GLUED = re.compile(r"[.?,;!]")

Anchor = tuple[int, int]
"""Start and end of a node's text, in characters of the sentence."""


@dataclass(frozen=True)
class EdsLayout(TextLayout):
    """Layout of a text, with the anchors of its nodes."""

    anchors: Mapping[int, Anchor] = field(default_factory=dict)


def anchors_of(graph: SGraph, tokens: Sequence[str] = ()) -> Mapping[int, Anchor]:
    """Return the anchors read with the graph, or else anchors computed from spans and tokens."""
    layout = layout_of_graph(graph, EDS.name)
    if isinstance(layout, EdsLayout):
        return layout.anchors
    places = places_of(tokens)
    at = [character for place in places for character in range(*place)]
    anchors = {}
    for number, node in graph.nodes.items():
        if node.span is not None and node.span[0] < node.span[1] <= len(at):
            anchors[number] = at[node.span[0]], at[node.span[1] - 1] + 1
        elif node.token is not None and node.token <= len(places):
            anchors[number] = places[node.token - 1]
    return anchors


def places_of(tokens: Sequence[str]) -> list[Anchor]:
    """Return the character offsets of tokens joined by spaces, with no space before `. ? , ; !`.

    >>> places_of(["No", ",", "thanks"])
    [(0, 2), (2, 3), (4, 10)]
    """
    places: list[Anchor] = []
    end = -1
    for token in tokens:
        start = end if places and _GLUED.fullmatch(token) else end + 1
        end = start + len(token)
        places.append((start, end))
    return places


def label_of_predicate(text: str) -> str:
    """Return the label of a predicate.

    >>> label_of_predicate("_and/or_c"), label_of_predicate("_p(q)_n")
    ('_and|or_c', '_p%28q%29_n')
    """
    quoted = _UNWRITABLE.sub(
        lambda m: "|" if m[0] == "/" else "".join(f"%{b:02X}" for b in m[0].encode()),
        unquote(text),
    )
    return label_of_concept(quoted)


def predicate_of_label(label: str) -> str:
    """Return the predicate of a label; only characters that EDS reserves stay escaped.

    >>> predicate_of_label("_and|or_c"), predicate_of_label("_p%28q%29_n")
    ('_and/or_c', '_p%28q)_n')
    """
    text = unquote(text_of_label(label).replace("|", "/"))
    return _RESERVED.sub(lambda m: "".join(f"%{b:02X}" for b in m[0].encode()), text)


def _read(text: str) -> LaidOutGraph:
    if not _BEGIN.match(text):
        raise LogicError(f"{place_in(text, 0)}: expected '{{TOP: NODE ...}}'")
    codec = library("delphin.codecs.eds", "reading the notation 'eds'", "eds")
    try:
        structures = codec.loads(text)
    except codec.EDSSyntaxError as error:
        lines = text.splitlines(keepends=True)
        at = sum(map(len, lines[: error.lineno - 1])) + error.offset
        raise LogicError(f"{place_in(text, at)}: {error.message}") from None
    except IndexError:  # PyDelphin reads beyond the end of the text
        structures = []
    if not structures or not structures[0].nodes:
        raise LogicError(f"{place_in(text, len(text))}: expected nodes and '}}'")
    if len(structures) > 1:
        raise LogicError(f"expected one structure, found {len(structures)}")
    return _graph_of(structures[0], text)


def _graph_of(structure: Any, text: str) -> LaidOutGraph:
    number: dict[str, int] = {}
    nodes: dict[int, Node] = {}
    anchors: dict[int, Anchor] = {}
    for i, node in enumerate(structure.nodes, 1):
        if node.id in number:
            raise LogicError(f"two nodes have the name {node.id!r}")
        number[node.id] = i
        nodes[i] = Node(label_of_predicate(node.predicate))
        if node.cfrom >= 0:
            anchors[i] = node.cfrom, node.cto
    edges = []
    for node in structure.nodes:
        for role, target in node.edges.items():
            if target not in number:
                raise LogicError(f"unknown node {target!r}, the {role} of {node.id!r}")
            edges.append(Edge(number[node.id], role, number[target]))
    for node in structure.nodes:
        if node.carg is not None:
            nodes[len(nodes) + 1] = Node(f'"{node.carg}"')
            edges.append(Edge(number[node.id], CARG, len(nodes)))
    top = structure.top or structure.nodes[0].id
    if top not in number:
        raise LogicError(f"unknown top node {top!r}")
    labels = tuple(node.label for node in nodes.values())
    layout = EdsLayout(text, labels, tuple(edges), anchors)
    return LaidOutGraph(nodes, tuple(edges), number[top], {}, EDS.name, layout)


def _names(graph: SGraph, order: Sequence[int]) -> dict[int, str]:
    """Return node names: `_1` for quantifiers, `x2` for bound nodes, `e3` for others."""
    bound = {edge.child for edge in graph.edges if edge.label == BOUND}
    quantifiers = {edge.parent for edge in graph.edges if edge.label == BOUND} - bound
    return {
        node: f"{'x' if node in bound else '_' if node in quantifiers else 'e'}{i}"
        for i, node in enumerate(order, 1)
    }


def _written(graph: SGraph, anchors: Mapping[int, Anchor]) -> str:
    if (text := laid_out_text(graph, EDS.name)) is not None:
        return text
    constants = {n for n, node in graph.nodes.items() if is_constant(node.label)}
    order = [node for node in graph.nodes if node not in constants]
    names = _names(graph, order)
    strings: dict[int, str] = {}
    roles: dict[int, list[str]] = {node: [] for node in order}
    for edge in graph.edges:
        if edge.parent in constants or (edge.child in constants) != (edge.label == CARG):
            raise TranslateError(f"the edge {edge.label!r} leads from or to a string")
        if edge.child not in constants:
            # PyDelphin converts roles to upper case.
            if not re.fullmatch(_SYMBOL, edge.label) or edge.label != edge.label.upper():
                raise TranslateError(f"the edge label {edge.label!r} is not a role, such as ARG1")
            roles[edge.parent].append(f"{edge.label} {names[edge.child]}")
        elif edge.parent in strings:
            raise TranslateError(f"{graph.nodes[edge.parent].label!r} has two strings")
        else:
            text = text_of_label(graph.nodes[edge.child].label or "")
            strings[edge.parent] = text if text.startswith('"') else f'"{text}"'
    if graph.root in constants or graph.sources:
        raise TranslateError("the top is a string, or the graph has open sources")
    nodes = []
    for node in order:
        label = graph.nodes[node].label
        if not label:
            raise TranslateError("a node has no label")
        anchor = "<{}:{}>".format(*anchors[node]) if node in anchors else ""
        string = f"({strings[node]})" if node in strings else ""
        inside = f"[{', '.join(roles[node])}]"
        nodes.append(f"{names[node]}:{predicate_of_label(label)}{anchor}{string}{inside}")
    return f"{' '.join([f'{{{names[graph.root]}:', *nodes])}}}"


class EdsNotation(Notation):
    """Elementary Dependency Structures; the graphs are the same as for EDS in PENMAN files."""

    name = "eds"
    sample = "{e2: e2:_bark_v_1<5:10>[ARG1 x3] x3:_dog_n_1<0:4>[]}"
    family = "penman"
    metrics = ("smatch", "edm", "match")
    needs_alignment = False

    def read(self, text: str) -> SGraph:
        """Return the graph. Raises LogicError, or ConfigError if PyDelphin is not installed."""
        return _read(text)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph; nodes are aligned to the first tokens of their anchors."""
        unaligned = _read(text)
        places = enumerate(places_of(tokens), 1)
        token_at = {at: token for token, place in places for at in range(*place)}
        count = {at: number for number, at in enumerate(token_at)}
        nodes = dict(unaligned.nodes)
        for node, (first, end) in anchors_of(unaligned).items():
            span = (count[first], count[end - 1] + 1) if {first, end - 1} <= count.keys() else None
            nodes[node] = Node(nodes[node].label, token_at.get(first), span)
        return LaidOutGraph(nodes, unaligned.edges, unaligned.root, {}, self.name, unaligned.layout)

    def write(self, graph: SGraph) -> str:
        """Return the text from which a graph was read, or else one line without anchors."""
        return _written(graph, {})

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """Implement `Notation.written`: write anchors; do not check the text by reading it."""
        return _written(graph, anchors_of(graph, tokens))

    def convert(self, tokens: Sequence[str], text: str, source: Notation) -> str:
        """Implement `Notation.convert`; the new text has anchors."""
        if source.name == self.name:
            return text
        return self.written(tokens, source.graph(tokens, text))

    def is_constant(self, label: str | None) -> bool:
        """Return True if a label belongs to a string below `carg`."""
        return is_constant(label)


EDS = EdsNotation()
