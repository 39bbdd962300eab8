"""PENMAN: for each example a block of comments and one graph, separated by blank lines.

PENMAN itself has no place for the sentence and for alignments to tokens. As is usual
for AMR, comments above the graph hold both:

    # ::snt A dog ran .
    # ::alignments 3 2
    (i1<root> / run :agent (i2 / dog))

The k-th alignment is the token (1-based) of the k-th node of the text, or `-`
for none. `# ::tags A B` holds tags.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from amparser.amtree.evaluate import evaluate
from amparser.corpora.example import Example
from amparser.errors import AMParserError, CorpusError, InputError, located
from amparser.graph.penman_codec import sgraph_from_penman, sgraph_to_penman
from amparser.graph.sgraph import Node, SGraph

NO_PARSE = "# no parse: "
_SENTENCE = "# ::snt "
_ALIGNMENTS = "# ::alignments "
_TAGS = "# ::tags "


class PenmanFormat:
    """Graphs with their sentences and alignments in comments."""

    name = "penman"
    suffixes = (".penman", ".amr")

    def read(self, lines: Iterable[tuple[int, str]], name: str) -> Iterator[Example]:
        """One example per block."""
        for number, block in blocks(lines):
            try:
                yield replace(self.example(block), line=number)
            except AMParserError as error:
                raise CorpusError(located(str(error), path=name, line=number)) from None

    def example(self, block: str) -> Example:
        """The example of one block; other comments are ignored.

        Raises:
            GraphError, InputError: the graph or the comments are malformed.
        """
        tokens: tuple[str, ...] = ()
        tags: tuple[str, ...] = ()
        alignments: list[int | None] | None = None
        for line in block.split("\n"):
            if line.startswith(_SENTENCE):
                tokens = tuple(line.removeprefix(_SENTENCE).split())
            elif line.startswith(_TAGS):
                tags = tuple(line.removeprefix(_TAGS).split())
            elif line.startswith(_ALIGNMENTS):
                words = line.removeprefix(_ALIGNMENTS).split()
                if not all(word == "-" or word.isdecimal() for word in words):
                    raise InputError("expected a token number or '-' for each node in ::alignments")
                alignments = [None if word == "-" else int(word) for word in words]
            elif line.startswith(NO_PARSE):
                return Example(tokens, tags=tags, failure=line.removeprefix(NO_PARSE))
        graph = sgraph_from_penman(block)
        if alignments is not None:
            graph = with_alignments(graph, alignments, tokens)
        return Example(tokens, graph=graph, tags=tags)

    def write(self, example: Example) -> str:
        """A block that ends with a blank line; without an analysis it has only comments."""
        head = f"{_SENTENCE}{example.sentence}\n" if example.tokens else ""
        if example.tags and not any(" " in tag or not tag for tag in example.tags):
            head += f"{_TAGS}{' '.join(example.tags)}\n"
        if example.failure is not None:
            return f"{head}{NO_PARSE}{example.failure}\n\n"
        graph = graph_of(example)
        tokens = alignments_of(graph)
        if any(token is not None for token in tokens):
            head += f"{_ALIGNMENTS}{' '.join('-' if t is None else str(t) for t in tokens)}\n"
        return f"{head}{sgraph_to_penman(graph)}\n\n"


def graph_of(example: Example) -> SGraph:
    """The graph of an example, evaluated from its tree if only that is known.

    Raises:
        InputError: the example has neither, or is a failure.
    """
    if example.graph is not None:
        return example.graph
    if example.tree is not None and example.failure is None:
        return evaluate(example.tree, open_root=True)
    raise InputError(example.failure or "there is neither a graph nor a tree")


def blocks(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Runs of non-blank lines, each with the number of its first line."""
    block: list[str] = []
    first = 0
    for number, line in lines:
        if line.strip():
            first = first if block else number
            block.append(line)
        elif block:
            yield first, "\n".join(block)
            block = []
    if block:
        yield first, "\n".join(block)


def alignments_of(graph: SGraph) -> list[int | None]:
    """The token of each node, in the order in which PENMAN notation introduces them."""
    # The order does not depend on labels: use them to name the nodes, and read them back.
    named = replace(graph, nodes={n: Node(f"n{n}") for n in graph.nodes})
    order = [
        node.label or "" for node in sgraph_from_penman(sgraph_to_penman(named)).nodes.values()
    ]
    return [graph.nodes[int(label[1:])].token for label in order]


def with_alignments(graph: SGraph, alignments: Sequence[object], tokens: Sequence[str]) -> SGraph:
    """The graph with its nodes, in order, aligned to tokens (from 1).

    Raises:
        InputError: their number is not that of the nodes, or one is not a token.
    """
    if len(alignments) != len(graph.nodes):
        raise InputError(f"{len(graph.nodes)} nodes, but {len(alignments)} alignments")
    nodes = {}
    for (identifier, node), token in zip(graph.nodes.items(), alignments, strict=True):
        if token is not None and (
            not isinstance(token, int) or token < 1 or (tokens and token > len(tokens))
        ):
            raise InputError(f"alignment {token!r}: expected a token from 1 to {len(tokens)}")
        nodes[identifier] = node._replace(token=token)
    return replace(graph, nodes=nodes)


PENMAN = PenmanFormat()
