"""PENMAN files: blocks of comments and a graph, separated by blank lines.

    # ::snt A dog ran .
    # ::alignments 3 2
    (i1<root> / run :agent (i2 / dog))

The k-th number of `::alignments` is the token (from 1) of the k-th node of the text, or `-` if this
node has no token. Without this comment, the alignments in the graph (`~e.N`) are used. Alignment
comments of other programs, which refer to nodes by address, are errors. Tokens come from `::tok`,
or else from `::snt`. The comments `::tag NAME` and `::id NAME` state a tag and the name of the
example. A line may have several comments, but `::snt` and `::tok` extend to its end.

A graph is an s-graph of this package (`amparser.graph.penman_codec`) if its variables have marks
such as `<root>`, or if it has quoted labels, no constants, and only the comments above. All other
graphs are AMR graphs: their meaning is the text on one line, in the notation `penman`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from amparser.corpora.analyses import graph_of, with_alignments
from amparser.corpora.example import Example
from amparser.corpora.reading import blocks
from amparser.errors import CorpusError, InputError, LogicError
from amparser.graph.penman_codec import ordered_penman, sgraph_from_penman
from amparser.graph.penman_text import PenmanText
from amparser.graph.sgraph import SGraph
from amparser.notations.penman import PENMAN as AMR, graph_of_penman, penman_of_graph

NO_PARSE = "# no parse: "
_OWN_FIELDS = {"snt", "alignments", "tag"}
_SENTENCES = ("tok", "snt")
_FIELD = re.compile(r"(?:^#\s*|\s)::(\w\S*)")
_TOKEN = re.compile(r"-|\d{1,9}")
_CONVERT = "convert to `::alignments` with a token (from 1) or '-' for each node"


class Field(NamedTuple):
    """Value of a comment `# ::key value`, and the line of the comment in its block (from 1)."""

    value: str
    line: int


class PenmanFormat:
    """Format of graphs in PENMAN, with sentences and alignments in comments."""

    name = "penman"
    suffixes = (".penman", ".amr")
    in_blocks = True
    sample = "# ::snt turn on the lamp"

    def items(
        self, lines: Iterable[tuple[int, str | CorpusError]]
    ) -> Iterator[tuple[int, str | CorpusError]]:
        """Yield the blocks of a file.

        A block of comments and a following block without comments are one item.
        """
        comments: tuple[int, str] | None = None
        for number, block in blocks(lines):
            if comments is not None:
                first, text = comments
                if str(block).startswith("("):
                    block = text + "\n" * (number - first - text.count("\n")) + str(block)
                    number = first
                else:
                    yield comments
                comments = None
            if isinstance(block, str) and _is_bare(block) and NO_PARSE not in block:
                comments = number, block
            else:
                yield number, block
        if comments is not None:
            yield comments

    def example(self, text: str) -> Example | None:
        """Return the example of a block; None if it has only comments.

        Raises GraphError, InputError or LogicError if the graph or the comments are malformed.
        """
        fields = fields_of(text)
        tokens = tuple(next((fields[k][-1].value for k in _SENTENCES if k in fields), "").split())
        tags = tuple(field.value for field in fields.get("tag", ()))
        lines = text.split("\n")
        for line in lines:
            if line.startswith(NO_PARSE):
                return Example(tokens, tags=tags, failure=line.removeprefix(NO_PARSE))
        if not tokens and _is_bare(text):
            return None
        parsed = PenmanText(text, LogicError)
        alignments = fields["alignments"][-1] if "alignments" in fields else Field("", 1)
        if _is_sgraph(parsed, bare=fields.keys() <= _OWN_FIELDS):
            graph = _aligned(sgraph_from_penman(parsed), alignments, tokens)
            return Example(tokens, graph=graph, tags=tags)
        if not alignments.value and "node" in fields:
            raise InputError(
                f"line {fields['node'][0].line}, `::node` is not supported, {_CONVERT}"
            )
        graph = graph_of_penman(parsed, () if alignments.value else tokens)
        graph = _aligned(graph, alignments, tokens)
        names = [name for field in fields.get("id", ()) for name in field.value.split()[:1]]
        meaning = AMR.on_one_line(graph)
        name = names[-1] if names else ""
        return Example(tokens, meaning, graph, notation=AMR.name, tags=tags, id=name)

    def write(self, example: Example) -> str:
        """Return the block of an example, ending with a blank line.

        If the example has no analysis, the block has only comments. If its notation is `penman`,
        the graph is an AMR graph and the sentence is in `# ::tok`; otherwise, the graph is an
        s-graph and the sentence is in `# ::snt`.
        """
        amr = example.notation == AMR.name
        head = f"# ::id {example.id}\n" if amr and example.id else ""
        head += f"# ::{'tok' if amr else 'snt'} {example.sentence}\n" if example.tokens else ""
        head += "".join(f"# ::tag {tag}\n" for tag in example.tags if tag)
        if example.failure is not None:
            return f"{head}{NO_PARSE}{example.failure}\n\n"
        graph = _graph_or_meaning(example) if amr else graph_of(example)
        text, order = penman_of_graph(graph) if amr else ordered_penman(graph)
        tokens = [graph.nodes[node].token for node in order]
        if any(token is not None for token in tokens):
            numbers = " ".join("-" if token is None else str(token) for token in tokens)
            head += f"# ::alignments {numbers}\n"
        return f"{head}{text}\n\n"


def _is_bare(block: str) -> bool:
    return all(line.startswith("#") for line in block.split("\n"))


def _is_sgraph(parsed: PenmanText, *, bare: bool) -> bool:
    """Return True for an s-graph, False for an AMR graph (see the module's docstring).

    `bare` is True if the block has only comments that this package writes.
    """
    nodes = parsed.tree.nodes()
    variables = {variable for variable, _ in nodes}
    words = [branch for _, below in nodes for branch in below if isinstance(branch[1], str)]
    quoted = {label.startswith('"') for role, label in words if role == "/"}
    constants = any(role != "/" and word not in variables for role, word in words)
    if any("<" in (variable or "") for variable in variables):
        return True
    return bare and True in quoted and not constants and (False in quoted or len(variables) == 1)


def _graph_or_meaning(example: Example) -> SGraph:
    if example.graph is None and example.tree is None and example.meaning is not None:
        return AMR.graph(example.tokens, example.meaning)
    return graph_of(example)


def fields_of(block: str) -> Mapping[str, list[Field]]:
    """Return the comments `# ::key value` of a block by key."""
    fields: dict[str, list[Field]] = defaultdict(list)
    for number, line in enumerate(block.split("\n"), 1):
        match = _FIELD.match(line)
        while match is not None:
            following = None if match[1] in _SENTENCES else _FIELD.search(line, match.end())
            value = line[match.end() : following.start() if following else None]
            fields[match[1]].append(Field(value.strip(), number))
            match = following
    return dict(fields)


def _aligned(graph: SGraph, field: Field, tokens: Sequence[str]) -> SGraph:
    words = field.value.split()
    if not words:
        return graph
    try:
        if wrong := next((word for word in words if not _TOKEN.fullmatch(word)), None):
            raise InputError(f"`::alignments` with {wrong!r} is not supported, {_CONVERT}")
        return with_alignments(graph, [None if w == "-" else int(w) for w in words], tokens)
    except InputError as error:
        raise InputError(f"line {field.line}, {error}") from None


PENMAN = PenmanFormat()
