"""AMR graphs in PENMAN notation, as AMR corpora write them (Banarescu et al. 2013).

    (w / want-01 :polarity - :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))

A node is a variable with its concept, or one occurrence of a constant. Its label shows which of the
two it is (`amparser.notations.penman_labels`). A role is an edge from the node where the role is
written to the node that follows. Inverse roles end in `-of` and have the opposite direction:
`:ARG0-of` is an edge `ARG0`. Roles that only look inverse, such as `:consist-of`, are unchanged;
penman's AMR model lists them. `:mod` and `:domain` are different roles.

Nodes are numbered from 1 in the order of the text, and edges have the same order. A graph that was
read from a text is written as exactly this text. Other graphs are written on one line, with
variables such as `b` and `b2` and with as few inverse roles as possible.

Alignments `~e.N` (token N, counted from 0) of concepts and constants are read; a node is aligned to
the first of its tokens. Alignments of roles and of repeated variables are ignored. Alignments are
not written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

from amparser.errors import LogicError, TranslateError
from amparser.graph.penman_codec import steps_along_edges, steps_in_text_order, write_graph
from amparser.graph.penman_text import PenmanText, too_deep
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.notations.notation import LaidOutGraph, Notation, TextLayout, laid_out_text
from amparser.notations.penman_labels import (
    is_constant,
    label_of_concept,
    label_of_constant,
    text_of_label,
)

_LIKE_A_VARIABLE = re.compile(r"[a-z]\d+")
_ROLE = re.compile(r'[^\s"()/:~]+')


@cache
def _model() -> Any:
    from penman.models.amr import model

    return model


def graph_of_penman(text: str | PenmanText, tokens: Sequence[str] = ()) -> SGraph:
    """Read an AMR graph with the alignments `~e.N` and the layout of its text.

    Raises LogicError if the text is not PENMAN, introduces a variable twice, refers to an undefined
    variable, or has an alignment to a token that the sentence does not have. The message names the
    column and, if the text has several lines, the line.
    """
    parsed = PenmanText(text, LogicError) if isinstance(text, str) else text
    read = parsed.graph(_model(), constant=lambda word: not _LIKE_A_VARIABLE.fullmatch(word))
    nodes: dict[int, Node] = {}
    for number, (variable, label, token) in read.nodes.items():
        if label is not None:
            label = label_of_constant(label) if variable is None else label_of_concept(label)
        if token is not None and tokens and token >= len(tokens):
            message = f"~e.{token}: expected a token from 0 to {len(tokens) - 1}"
            raise parsed.fault_at(f"~e.{token}", message)
        nodes[number] = Node(label, None if token is None else token + 1)
    labels = tuple(node.label for node in nodes.values())
    edges = tuple(Edge(*edge) for edge in read.edges)
    layout = TextLayout(parsed.laid_out(), labels, edges)
    return LaidOutGraph(nodes, edges, 1, {}, PenmanNotation.name, layout)


def penman_of_graph(graph: SGraph) -> tuple[str, list[int]]:
    """Return the text of a graph, and its nodes in the order of the text.

    A graph that was read from a text is written as the same text. Any other graph is written on one
    line, with the first letters of concepts as variables (`b`, `b2`), and if possible in the order
    of the graph's nodes and edges. Raises TranslateError if the graph has open sources, is not
    connected, has a constant with more than one edge, or has a label that PENMAN cannot represent.
    """
    if (text := laid_out_text(graph, PenmanNotation.name)) is not None:
        return text, list(graph.nodes)
    if graph.sources:
        raise TranslateError(f"the graph has open sources {', '.join(sorted(graph.sources))}")
    constants = _constants(graph)
    taken = set(constants.values())
    count = Counter[str]()
    mentions = dict(constants)

    def introduce(node: int) -> str:
        label = graph.nodes[node].label
        concept = None if label is None else text_of_label(label)
        letter = "x" if concept is None else concept[0].lower()
        letter = letter if "a" <= letter <= "z" else "x"
        variable = ""
        while not variable or variable in taken:
            count[letter] += 1
            variable = letter if count[letter] == 1 else f"{letter}{count[letter]}"
        mentions[node] = variable
        return variable if concept is None else f"{variable} / {concept}"

    below = steps_in_text_order(graph, constants) or steps_along_edges(graph)
    mention = mentions.__getitem__
    text, order = write_graph(graph, introduce, mention, _role, below, constants)
    if len(order) < len(graph.nodes):
        label = next(node.label for n, node in graph.nodes.items() if n not in order)
        raise TranslateError(f"{label!r} is not connected to the root")
    if too_deep(text) is not None:
        raise TranslateError("the graph is too deep for PENMAN notation")
    return text, order


def _constants(graph: SGraph) -> dict[int, str]:
    degree = Counter(end for edge in graph.edges for end in (edge.parent, edge.child))
    constants: dict[int, str] = {}
    for node, (label, *_) in graph.nodes.items():
        if label is None or not is_constant(label):
            continue
        text = constants[node] = text_of_label(label)
        if node == graph.root or degree[node] != 1:
            what = "the root" if node == graph.root else f"a node with {degree[node]} edges"
            raise TranslateError(f"the constant {text} is {what}, expected one edge to it")
        if _LIKE_A_VARIABLE.fullmatch(text):
            raise TranslateError(f"the constant {text} would be read as a variable")
    return constants


def _role(edge: Edge, inverse: bool) -> str:
    role = f":{edge.label}"
    written = f"{role}-of" if inverse else role
    if not _ROLE.fullmatch(edge.label) or _model().is_role_inverted(role):
        raise TranslateError(f"the edge label {edge.label!r} is not a role of PENMAN")
    if inverse and not _model().is_role_inverted(written):
        raise TranslateError(f"the role {role} has no inverse, since {written} is a role itself")
    return written


class PenmanNotation(Notation):
    """AMR graphs; nodes are concepts with a variable, or constants."""

    name = "penman"
    family = "penman"
    metrics = ("smatch", "match")
    needs_alignment = False
    # Matching an unterminated string as one word avoids backtracking at each quote.
    word = re.compile(r'"(?:[^"\\]|\\.)*+(?:"(?:~[^\s()]*)?)?|[()]|[^\s()"]+|\S')

    def read(self, text: str) -> SGraph:
        """Return the graph. Raises LogicError if the text is malformed."""
        return graph_of_penman(text)

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph with the alignments that the text contains."""
        return graph_of_penman(text, tokens)

    def write(self, graph: SGraph) -> str:
        """Return the text from which the graph was read, or else a text on one line."""
        return penman_of_graph(graph)[0]

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """Implement `Notation.written`; check only texts with unprintable characters."""
        text = self.write(graph)
        return text if text.isprintable() else super().written(tokens, graph)

    def on_one_line(self, graph: SGraph) -> str:
        """Return the text of the graph on one line; variables that were read are kept."""
        return " ".join(map(str.strip, self.write(graph).split("\n")))

    def is_constant(self, label: str | None) -> bool:
        """Return True if a node with this label is a constant."""
        return is_constant(label)

    def join(self, words: Sequence[str]) -> str:
        """Join words into a text on one line."""
        written: list[str] = []
        in_string = glued = False
        for word in words:
            if written and not (glued or (word == ")" and not in_string)):
                written.append(" ")
            written.append(word)
            glued = word == "(" and not in_string
            quotes = re.sub(r"\\.", "", word).count('"')
            in_string ^= bool(quotes % 2)
        return "".join(written)


PENMAN = PenmanNotation()
