"""From one notation or corpus format to another, by way of the graph.

A conversion may need what the source lacks: the sentence (meanings, trees), alignments
(meanings), or names of sources (trees), which an inventory of sources has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from amparser.corpora.example import Example
from amparser.corpora.format import CorpusFormat
from amparser.corpora.formats import FORMATS
from amparser.corpora.penman import graph_of
from amparser.errors import AMParserError, CorpusError, InputError, located
from amparser.notations.registry import NOTATIONS

_TSV = "tsv"

TreeMaker = Callable[[Example], Example]
"""A function that adds the tree to an example with a graph."""


def readable_names() -> tuple[str, ...]:
    """The names of what can be read and written: notations (as TSV) and other corpus formats."""
    return tuple(dict.fromkeys((*NOTATIONS, *(name for name in FORMATS if name != _TSV))))


def format_named(name: str) -> tuple[CorpusFormat, str | None]:
    """The corpus format of a name; also the notation, if the name is a notation's alone.

    Raises:
        InputError: there is no such name.
    """
    if name in FORMATS and name != _TSV:
        return FORMATS[name], None
    if name in NOTATIONS:
        return FORMATS[_TSV], name
    raise InputError(f"unknown format {name!r}, expected one of {', '.join(readable_names())}")


def converted(
    lines: Iterable[tuple[int, str]],
    *,
    source: str,
    target: str,
    name: str,
    add_tree: TreeMaker | None = None,
) -> Iterator[str]:
    """The items of a file in another notation or format, as text.

    Args:
        lines: the numbered lines of the file.
        source, target: names of notations or formats (`readable_names`).
        name: the name of the file, for messages.
        add_tree: makes a tree of a graph; needed to write AM-CoNLL from graphs.

    Raises:
        AMParserError: an item cannot be read, or lacks what the target needs; the message
            names file and line.
    """
    read_format, read_notation = format_named(source)
    write_format, write_notation = format_named(target)
    for example in read_format.read(lines, name):
        try:
            example = _with_graph(example, read_notation)
            if write_format.name == "amconll" and example.tree is None and example.failure is None:
                if not example.tokens:
                    raise InputError("an AM tree needs the sentence")
                if add_tree is not None:
                    example = add_tree(example)
            yield write_format.write(_with_meaning(example, write_notation, write_format))
        except AMParserError as error:
            raise CorpusError(located(str(error), path=name, line=example.line)) from None


def _with_graph(example: Example, notation: str | None) -> Example:
    notation = notation or example.notation
    if example.graph is None and example.tree is None and example.meaning is not None:
        if notation is None:
            raise InputError("expected the notation of the meaning under the key 'notation'")
        chosen = NOTATIONS[notation]
        graph = chosen.graph(example.tokens, example.meaning)
        return replace(example, graph=graph, notation=chosen.name)
    return replace(example, notation=notation)


def _with_meaning(example: Example, notation: str | None, write_format: CorpusFormat) -> Example:
    """The example with its meaning in a notation; other formats take whatever can be written."""
    if example.failure is not None:
        return replace(example, meaning=None)
    if notation is not None:
        known = None if example.notation is None else NOTATIONS[example.notation]
        # Graphs of anybody, such as AMR's, may happen to be graphs of the other notation.
        written = NOTATIONS[notation].families
        alien = known is not None and not {*known.families} & {*written}
        if known is not None and alien and known.needs_alignment:
            raise InputError(f"a meaning in {known.name} cannot be written in {notation}")
        meaning = NOTATIONS[notation].write(graph_of(example))
        return replace(example, meaning=meaning, notation=notation)
    if write_format.name == "json" and example.meaning is None and example.notation is not None:
        try:
            meaning = NOTATIONS[example.notation].write(graph_of(example))
            return replace(example, meaning=meaning)
        except AMParserError:
            return example
    return example
