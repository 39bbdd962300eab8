"""PENMAN: for each example a block of comments and one graph, separated by blank lines.

    # ::snt A dog ran .
    # ::alignments 3 2
    (i1<root> / run :agent (i2 / dog))

The k-th alignment is the token (1-based) of the k-th node of the text, or `-` for none. Each
`# ::tag NAME` holds one tag, `# ::id NAME` the name of the example. A graph whose variables have
marks such as `<root>` is an s-graph of this package (`amparser.graph.penman_codec`); so is one
without constants, some of whose labels have quotes, below no other comments than these. All others
are AMR graphs as they are released: the example has the text on one line as its meaning and
`penman` as its notation. `# ::tok` has the tokens, or else `# ::snt`. Nodes are aligned by
`# ::alignments` in the ways of `amparser.corpora.amr_alignments`, or else by `# ::node`, or else by
`~e.N` in the graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from amparser.constants.evaluate import evaluate
from amparser.corpora.amr_alignments import (
    alignment_words,
    alignments_from_nodes,
    alignments_from_value,
    is_own,
)
from amparser.corpora.example import Example
from amparser.errors import (
    AMParserError,
    CorpusError,
    InputError,
    LogicError,
    TranslateError,
    located,
)
from amparser.graph.penman_codec import sgraph_from_penman, sgraph_to_penman
from amparser.graph.sgraph import Node, SGraph
from amparser.notations.layout import layout_of_graph
from amparser.notations.penman import PENMAN as AMR
from amparser.notations.penman import graph_of_text
from amparser.notations.penman_reading import PenmanLayout, is_sgraph, read_penman
from amparser.notations.penman_writing import write_penman
from amparser.notations.registry import NOTATIONS

NO_PARSE = "# no parse: "
_ID = "# ::id "
_SENTENCE = "# ::snt "
_TOKENS = "# ::tok "
_ALIGNMENTS = "# ::alignments "
_TAG = "# ::tag "
_OWN_FIELDS = {"snt", "alignments", "tag"}
_FIELD = re.compile(r"#\s*::(\w\S*)(?:\s(.*))?")


class _Field(NamedTuple):
    """A comment `# ::key value`, and which line of its block it is, from 0."""

    value: str
    line: int


class _LineError(InputError):
    """Something malformed in a line of a block, from 0."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class PenmanFormat:
    """Graphs with their sentences and alignments in comments."""

    name = "penman"
    suffixes = (".penman", ".amr")

    def read(self, lines: Iterable[tuple[int, str]], name: str) -> Iterator[Example]:
        """One example per block; a block of comments alone holds none."""
        for number, block in blocks(lines):
            if _is_empty(block):
                continue
            try:
                yield replace(self.example(block), line=number)
            except _LineError as error:
                place = number + error.line
                raise CorpusError(located(str(error), path=name, line=place)) from None
            except AMParserError as error:
                raise CorpusError(located(str(error), path=name, line=number)) from None

    def example(self, block: str) -> Example:
        """The example of one block.

        Raises:
            GraphError, InputError: the graph or the comments are malformed.
        """
        for line in block.split("\n"):
            if line.startswith(NO_PARSE):
                reason = line.removeprefix(NO_PARSE)
                fields = _fields(block)
                return Example(_tokens(fields), tags=_tags(fields), failure=reason)
        fields = _fields(block)
        tokens, tags = _tokens(fields), _tags(fields)
        if not is_sgraph(block, bare=fields.keys() <= _OWN_FIELDS):
            example = self._amr(block, fields, tokens, tags)
            names = [name for field in fields.get("id", []) for name in field.value.split()[:1]]
            return replace(example, id=names[-1]) if names else example
        graph = sgraph_from_penman(block)
        if field := _last(fields, "alignments"):
            if not is_own(field.value):
                message = "expected a token number or '-' for each node in ::alignments"
                raise _LineError(message, field.line)
            graph = _aligned(graph, field, tokens)
        return Example(tokens, graph=graph, tags=tags)

    def _amr(
        self,
        block: str,
        fields: dict[str, list[_Field]],
        tokens: tuple[str, ...],
        tags: tuple[str, ...],
    ) -> Example:
        try:
            text = read_penman(block)
        except LogicError as error:
            # The line of the block becomes one of the file.
            match = re.fullmatch(r"line (\d+), (.*)", str(error))
            message, line = (match[2], int(match[1]) - 1) if match else (str(error), 0)
            raise _LineError(message, line) from None
        field = _last(fields, "alignments")
        rows = fields.get("node", [])
        if field is not None and is_own(field.value):
            graph = _aligned(graph_of_text((), text), field, tokens)
        elif field is not None or rows:
            place = field or rows[0]
            try:
                if field is not None:
                    found = alignments_from_value(field.value, text, len(tokens))
                else:
                    values = (row.value for row in rows)
                    found = alignments_from_nodes(values, text, len(tokens))
            except InputError as error:
                raise _LineError(str(error), place.line) from None
            nodes = {
                n: v._replace(token=found[n] + 1 if n in found else None)
                for n, v in text.graph.nodes.items()
            }
            graph = replace(graph_of_text((), text), nodes=nodes)
        else:
            graph = graph_of_text(tokens, text)
        meaning = AMR.on_one_line(graph)
        return Example(tokens, meaning, graph, notation=AMR.name, tags=tags)

    def write(self, example: Example) -> str:
        """A block that ends with a blank line; without an analysis it has only comments.

        An example whose notation is `penman`, or one that has graphs in PENMAN of its own, is
        written as such a graph with `# ::tok`, others as s-graphs with `# ::snt`.
        """
        own = None if example.failure is not None else _own_text(example)
        amr = example.notation == AMR.name or own is not None
        head = f"{_ID}{example.id}\n" if amr and example.id else ""
        head += f"{_TOKENS if amr else _SENTENCE}{example.sentence}\n" if example.tokens else ""
        head += "".join(f"{_TAG}{tag}\n" for tag in example.tags if tag)
        if example.failure is not None:
            return f"{head}{NO_PARSE}{example.failure}\n\n"
        if own is not None:
            text, tokens = own
        elif amr:
            graph, text, order = _amr_text(example)
            tokens = [graph.nodes[node].token for node in order]
        else:
            graph = graph_of(example)
            text, tokens = sgraph_to_penman(graph), alignments_of(graph)
        if any(token is not None for token in tokens):
            head += f"{_ALIGNMENTS}{' '.join('-' if t is None else str(t) for t in tokens)}\n"
        return f"{head}{text}\n\n"


def _own_text(example: Example) -> tuple[str, list[int | None]] | None:
    """The PENMAN text of an example in a notation that has its own, and the nodes' tokens."""
    if example.notation is None or example.notation not in NOTATIONS:
        return None
    notation = NOTATIONS[example.notation]
    try:
        if example.graph is None and example.tree is None and example.meaning is not None:
            return notation.penman_text(notation.graph(example.tokens, example.meaning))
        return notation.penman_text(graph_of(example))
    except (LogicError, TranslateError, InputError):
        # A graph that is none of the notation is still one.
        return None


def _amr_text(example: Example) -> tuple[SGraph, str, list[int]]:
    """The graph of an example, its text, and its nodes in the order of the text."""
    if example.graph is None and example.tree is None and example.meaning is not None:
        graph = AMR.graph(example.tokens, example.meaning)
    else:
        graph = graph_of(example)
    layout = layout_of_graph(graph, AMR.name)
    text, order = write_penman(graph, layout if isinstance(layout, PenmanLayout) else None)
    return graph, text, order


def _fields(block: str) -> dict[str, list[_Field]]:
    """The comments `# ::key value` of a block by key."""
    fields: dict[str, list[_Field]] = {}
    for number, line in enumerate(block.split("\n")):
        if match := _FIELD.fullmatch(line):
            key, value = match[1], match[2] or ""
            fields.setdefault(key, []).append(_Field(value.strip(), number))
    return fields


def _last(fields: dict[str, list[_Field]], key: str) -> _Field | None:
    return fields[key][-1] if key in fields else None


def _tokens(fields: dict[str, list[_Field]]) -> tuple[str, ...]:
    field = _last(fields, "tok") or _last(fields, "snt")
    return tuple(field.value.split()) if field else ()


def _tags(fields: dict[str, list[_Field]]) -> tuple[str, ...]:
    return tuple(field.value for field in fields.get("tag", ()))


def _aligned(graph: SGraph, field: _Field, tokens: Sequence[str]) -> SGraph:
    """The graph with its nodes, in order, aligned in this package's own way."""
    alignments = [None if word == "-" else int(word) for word in alignment_words(field.value)]
    try:
        return with_alignments(graph, alignments, tokens)
    except InputError as error:
        raise _LineError(str(error), field.line) from None


def _is_empty(block: str) -> bool:
    """Whether a block has comments only, and none that is about a sentence."""
    lines = block.split("\n")
    return all(
        line.startswith("#") and not line.startswith((_SENTENCE, _TOKENS, NO_PARSE))
        for line in lines
    )


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
            type(token) is not int or token < 1 or (tokens and token > len(tokens))
        ):
            raise InputError(f"alignment {token!r}: expected a token from 1 to {len(tokens)}")
        nodes[identifier] = node._replace(token=token)
    return replace(graph, nodes=nodes)


PENMAN = PenmanFormat()
