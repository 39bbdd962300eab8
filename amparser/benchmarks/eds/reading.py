"""The files of the treebank: blocks in PENMAN notation with words, alignments and anchors above.

The input is the raw sentence, `# ::snt`, cut into tokens as raw text is. Its words (`tok`), the
word of each node (`alignments`, from 1, `-` for none) and where each node stands in the sentence
(`anchors`, as `FROM:TO` in characters, `-` for constants) are layers: training may use them, and
parsing does not see them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from pathlib import Path

from amparser.corpora.example import Example
from amparser.corpora.penman import PENMAN, blocks
from amparser.corpora.reading import numbered_lines
from amparser.corpora.tokens import tokenize
from amparser.errors import AMParserError, CorpusError, located

_FIELD = re.compile(r"# ::(snt|tok|alignments|anchors) (.*)")
_ANCHOR = re.compile(r"-|\d+:\d+")


def read_treebank(path: Path, limit: int | None = None) -> list[Example]:
    """The examples of a file.

    Raises:
        CorpusError: the file cannot be read, a block has no sentence, or its graph, alignments or
            anchors are malformed; names file and line.
    """
    return [
        _example(block, number, path)
        for number, block in islice(blocks(numbered_lines(path)), limit)
    ]


def _example(block: str, line: int, path: Path) -> Example:
    fields = {}
    lines = {}
    for number, text in enumerate(block.split("\n"), line):
        if match := _FIELD.fullmatch(text):
            fields[match[1]], lines[match[1]] = match[2].strip(), number

    def fault(message: str, field: str = "") -> CorpusError:
        return CorpusError(located(message, path=path, line=lines.get(field, line)))

    sentence = fields.get("snt", "")
    if not sentence:
        raise fault("expected a sentence, '# ::snt ...'")
    try:
        example = PENMAN.example(block)
    except AMParserError as error:
        raise fault(str(error)) from None
    assert example.graph is not None
    count = len(example.graph.nodes)
    anchors = fields.get("anchors", "").split()
    if anchors and len(anchors) != count:
        raise fault(f"{count} nodes, but {len(anchors)} anchors", "anchors")
    for anchor in anchors:
        if not _ANCHOR.fullmatch(anchor) or not _is_within(anchor, sentence):
            expected = f"expected FROM:TO within {len(sentence)} characters, or -"
            raise fault(f"anchor {anchor!r}: {expected}", "anchors")
    tokens = (node.token for node in example.graph.nodes.values())
    layers = {
        "tok": example.tokens,
        "alignments": tuple("-" if token is None else str(token) for token in tokens),
        "anchors": tuple(anchors),
    }
    # Nodes are aligned to words, which are smaller than tokens.
    nodes = {n: node._replace(token=None) for n, node in example.graph.nodes.items()}
    return replace(
        example,
        tokens=tokenize(sentence),
        graph=replace(example.graph, nodes=nodes),
        layers=tuple((name, items) for name, items in layers.items() if items),
        line=line,
    )


def _is_within(anchor: str, sentence: str) -> bool:
    if anchor == "-":
        return True
    first, end = map(int, anchor.split(":"))
    return first <= end <= len(sentence)
