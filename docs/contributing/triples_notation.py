"""A notation that writes the graphs of the family `cogs` as triples: 2/sleep ; 1/"Emma" ; 2 agent 1

A node is its token and its label, an edge is two tokens and a label; the root comes first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from amparser import Parser
from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS

NODE = re.compile(r"(\d+)/(\S+)")
EDGE = re.compile(r"(\d+) (\S+) (\d+)")


class TriplesNotation(Notation):
    """Nodes and edges of a graph, separated by ` ; `; the first node is the root."""

    name = "triples"
    family = "cogs"

    def read(self, text: str) -> SGraph:
        """Return the graph of a text; an error names the column."""
        nodes: dict[int, Node] = {}
        edges: list[Edge] = []
        column = 1
        for part in text.split(" ; "):
            if node := NODE.fullmatch(part):
                token = int(node[1])
                nodes[token] = Node(node[2], token)
            elif edge := EDGE.fullmatch(part):
                edges.append(Edge(int(edge[1]), edge[2], int(edge[3])))
            else:
                raise LogicError(f"column {column}: expected TOKEN/LABEL or TOKEN ROLE TOKEN")
            column += len(part) + len(" ; ")
        unknown = {end for e in edges for end in (e.parent, e.child)} - nodes.keys()
        if unknown or not nodes:
            raise LogicError(f"column 1: no node for token {min(unknown, default=1)}")
        return SGraph(nodes, tuple(edges), next(iter(nodes)))

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """Return the graph of a text, whose nodes are aligned to tokens of the sentence."""
        graph = self.read(text)
        if max(graph.nodes) > len(tokens):
            raise TranslateError(f"token {max(graph.nodes)}: the sentence has {len(tokens)}")
        return graph

    def write(self, graph: SGraph) -> str:
        """Return the text of a graph, the root first."""
        token = {identifier: node.token for identifier, node in graph.nodes.items()}
        if graph.sources or None in token.values():
            raise TranslateError("a node without a token cannot be written")
        order = [graph.root, *(one for one in graph.nodes if one != graph.root)]
        parts = [f"{token[one]}/{graph.nodes[one].label}" for one in order]
        parts += [f"{token[e.parent]} {e.label} {token[e.child]}" for e in graph.edges]
        return " ; ".join(parts)


TRIPLES = TriplesNotation()


def main() -> None:
    """Translate from and to the notation `cogs`; print triples with the default model."""
    tokens = ["Emma", "slept", "."]
    cogs = "sleep . agent ( x _ 1 , Emma )"
    text = TRIPLES.convert(tokens, cogs, NOTATIONS["cogs"])
    assert text == '2/sleep ; 1/"Emma" ; 2 agent 1'
    assert TRIPLES.write(TRIPLES.graph(tokens, text)) == text
    assert NOTATIONS["cogs"].convert(tokens, text, TRIPLES) == cogs

    other_order = '2/sleep ; 2 agent 1 ; 1/"Emma"'
    assert TRIPLES.equality(tokens, text, other_order).graph
    assert not TRIPLES.equality(tokens, text, '2/sleep ; 2 theme 1 ; 1/"Emma"').graph
    assert not TRIPLES.is_readable("2/sleep and 1/Emma")
    NOTATIONS.register("triples", TRIPLES)
    assert NOTATIONS["triples"].family == "cogs"

    [result] = Parser.load(notation="triples").parse(["Emma slept."])
    assert result.meaning == '2/sleep ; 1/"Emma" ; 2 agent 1'


if __name__ == "__main__":
    main()
