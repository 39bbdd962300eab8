"""AMR as it is released: one graph in PENMAN notation (Banarescu et al. 2013).

    (w / want-01 :polarity - :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))

A node is a variable with its concept, or a constant, each time it is written; the label of a
node says which (`amparser.notations.penman_labels`). A role is an edge from the node where it
is written to the node behind it; an inverse one, with `-of`, leads back: `:ARG0-of` is an
edge `ARG0`. Roles that only look inverse, such as `:consist-of`, are kept; the library's
model of AMR knows them. `:mod` and `:domain` stay apart.

Nodes are numbered from 1 in the order of the text, and edges stand in this order too, so
that the text comes back: variables in the usual way (`b`, `b2`), one line. A graph that
was read here also remembers its variables and its indentation. A graph of another origin is
written so that inverse roles are as few as can be. Either text has the same graph.

Alignments `~e.N` (the token N, counted from 0) at a concept or constant are read: the node is
aligned to the first of its tokens. Those at roles and at repeated variables are left out, as
all of them are when a graph is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from amparser.errors import TranslateError, nesting
from amparser.graph.sgraph import SGraph
from amparser.logic.token_reader import cut_at_spaces
from amparser.notations.layout import LaidOutGraph, layout_of_graph
from amparser.notations.notation import Notation
from amparser.notations.penman_labels import is_constant
from amparser.notations.penman_reading import PenmanLayout, PenmanText, read_penman
from amparser.notations.penman_writing import write_penman

# A string without an end is one word, so that none of its quotes is tried again.
_WORD = re.compile(r'"(?:[^"\\]|\\.)*+(?:"(?:~[^\s()]*)?)?|[()]|[^\s()"]+|\S')


def graph_of_text(tokens: Sequence[str], found: PenmanText) -> SGraph:
    """The graph of a text that was read, aligned by `~e.N` and with its layout.

    Raises:
        TranslateError: an alignment names a token that the sentence does not have.
    """
    nodes = dict(found.graph.nodes)
    for node, token in found.surface.items():
        if tokens and token >= len(tokens):
            raise TranslateError(f"~e.{token}: expected a token from 0 to {len(tokens) - 1}")
        nodes[node] = nodes[node]._replace(token=token + 1)
    root, edges = found.graph.root, found.graph.edges
    return LaidOutGraph(nodes, edges, root, {}, PenmanNotation.name, found.layout)


class PenmanNotation(Notation):
    """AMR graphs with constants."""

    name = "penman"
    family = "penman"
    metrics = ("smatch", "match")
    needs_alignment = False

    def read(self, text: str) -> SGraph:
        """The graph; raises LogicError."""
        return read_penman(text).graph

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """As in the module's docstring."""
        return graph_of_text(tokens, read_penman(text))

    def write(self, graph: SGraph) -> str:
        """The text of the graph, in its layout or on one line."""
        layout = layout_of_graph(graph, self.name)
        return write_penman(graph, layout if isinstance(layout, PenmanLayout) else None)[0]

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """See `Notation`.

        `write_penman` refuses what would be read as another graph, except for characters in
        strings that the reader takes for the end of a line.
        """
        with nesting(TranslateError, "the meaning is nested too deeply"):
            text = self.write(graph)
        return text if text.isprintable() else super().written(tokens, graph)

    def on_one_line(self, graph: SGraph) -> str:
        """The text of the graph on one line, with the variables of its text."""
        layout = layout_of_graph(graph, self.name)
        if not isinstance(layout, PenmanLayout):
            return write_penman(graph)[0]
        return write_penman(graph, replace(layout, indent=None))[0]

    def is_constant(self, label: str | None) -> bool:
        """Whether a label is that of a constant."""
        return is_constant(label)

    def split(self, text: str) -> Sequence[str]:
        """Parentheses, slashes, variables, roles and so on; a string is cut at its spaces."""
        return cut_at_spaces(_WORD.findall(text))

    def join(self, words: Sequence[str]) -> str:
        """The text on one line."""
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
