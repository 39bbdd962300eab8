"""Read the files of the EDS treebank: PENMAN blocks with annotations in comments.

The input is the raw sentence (`# ::snt`), tokenized like any raw text. The treebank's words (`tok`)
and the word of each node (`alignments`, from 1, `-` for none) are annotation layers. The position
of each node in the sentence (`anchors`, `FROM:TO` in characters, `-` for constants) is its span.
Only training may use layers and spans.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import accumulate, islice
from pathlib import Path

from amparser.corpora.example import Example
from amparser.corpora.penman import PENMAN, Field, fields_of
from amparser.corpora.reading import blocks, numbered_lines, parsed
from amparser.corpora.tokens import tokenize
from amparser.errors import InputError
from amparser.graph.sgraph import Node, Span

_ANCHOR = re.compile(r"-|(\d+):(\d+)")


def read_treebank(path: Path, limit: int | None = None) -> list[Example]:
    """Return the first `limit` examples of a file (default: all). Raises CorpusError."""
    return list(islice(parsed(blocks(numbered_lines(path)), _example, path), limit))


def _example(block: str) -> Example:
    fields = {key: values[-1] for key, values in fields_of(block).items()}
    sentence = fields["snt"].value if "snt" in fields else ""
    if not sentence:
        raise InputError("expected a comment with the sentence, '# ::snt ...'")
    example = PENMAN.example(block)
    assert example is not None
    assert example.graph is not None
    tokens = (node.token for node in example.graph.nodes.values())
    layers = {
        "tok": example.tokens,
        "alignments": tuple("-" if token is None else str(token) for token in tokens),
    }
    # Remove token numbers from nodes, because they count the treebank's words, not tokens.
    spans = _spans(fields.get("anchors", Field("", 1)), sentence, len(example.graph.nodes))
    rows = zip(example.graph.nodes.items(), spans, strict=True)
    nodes = {n: Node(node.label, None, span) for (n, node), span in rows}
    return replace(
        example,
        tokens=tokenize(sentence),
        graph=replace(example.graph, nodes=nodes),
        layers=tuple((name, items) for name, items in layers.items() if items),
        text=sentence,
    )


def _spans(field: Field, sentence: str, count: int) -> list[Span | None]:
    """Return the anchors of nodes as character offsets that do not count spaces; None for `-`."""
    before = [0, *accumulate(not character.isspace() for character in sentence)]
    anchors = field.value.split() or ["-"] * count
    if len(anchors) != count:
        raise InputError(f"line {field.line}, {count} nodes, but {len(anchors)} anchors")
    spans: list[Span | None] = []
    for anchor in anchors:
        match = _ANCHOR.fullmatch(anchor)
        first, end = (int(match[1] or 0), int(match[2] or 0)) if match else (1, 0)
        if not first <= end <= len(sentence):
            expected = f"expected FROM:TO within {len(sentence)} characters, or -"
            raise InputError(f"line {field.line}, anchor {anchor!r}: {expected}")
        spans.append(None if anchor == "-" else (before[first], before[end]))
    return spans
