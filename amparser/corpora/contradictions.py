"""Rows that contradict themselves or each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from amparser.corpora.analyses import graph_of
from amparser.corpora.example import Example
from amparser.errors import AMParserError
from amparser.graph.sgraph import isomorphic
from amparser.notations.layout import layout_of_graph
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS


def contradiction(example: Example, notation: Notation) -> str | None:
    """Why the meaning of a row is not that of its graph or tree; None if it is.

    Raises:
        AMParserError: the meaning is malformed, or the tree has no graph.
    """
    text, graph = example.meaning, example.graph
    if text is None or example.failure is not None or (graph is None and example.tree is None):
        return None
    if graph is not None and layout_of_graph(graph, notation.name) is not None:
        return None  # it was read from the text
    graph = notation.as_read(graph_of(example))
    if graph is None or isomorphic(graph, notation.graph(example.tokens, text)):
        return None
    try:
        written = notation.written(example.tokens, graph)
        if notation.equality(example.tokens, text, written).graph:
            return None
    except AMParserError:
        pass
    return f"'meaning' is not that of the {'tree' if example.graph is None else 'graph'}"


def ambiguous(examples: Iterable[Example], notation: str) -> Iterator[list[list[Example]]]:
    """The rows of each sentence that has several meanings, in groups of one meaning.

    Args:
        examples: rows; those without a meaning are left out.
        notation: of the meanings whose row names none.
    """
    rows: dict[tuple[str, ...], list[Example]] = defaultdict(list)
    for example in examples:
        if example.meaning is not None:
            rows[tuple(token.lower() for token in example.tokens)].append(example)
    for same_sentence in rows.values():
        groups: list[list[Example]] = []
        for example in same_sentence:
            same = (group for group in groups if _same(notation, group[0], example))
            group = next(same, None)
            if group is None:
                groups.append([example])
            else:
                group.append(example)
        if len(groups) > 1:
            yield groups


def _same(notation: str, one: Example, other: Example) -> bool:
    if one.meaning == other.meaning:
        return True
    name = one.notation or notation
    try:
        return NOTATIONS[name].equality(one.tokens, one.meaning or "", other.meaning).graph
    except AMParserError:
        return False
