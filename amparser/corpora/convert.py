"""Convert files between notations and corpus formats; meanings are converted via their graphs.

The output may need something that the input does not have: the sentence (for meanings and trees),
alignments (for meanings), or sources (for trees). A model can provide the sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from amparser.algebra.tree import Entry
from amparser.corpora.analyses import contradiction, graph_of, lines_of_tree
from amparser.corpora.example import Example
from amparser.corpora.formats import FORMATS, CorpusFormat
from amparser.corpora.reading import examples_of
from amparser.errors import AMParserError, CorpusError, InputError, located
from amparser.files import lines_of
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.notations.notation import Notation, without_layout
from amparser.notations.registry import NOTATIONS

_TSV = "tsv"

_PARTS: Mapping[str, Callable[[SGraph], Iterable[str]]] = {
    "sources": lambda graph: graph.sources,
    "labels": lambda graph: (node.label or "" for node in graph.nodes.values()),
    "edges": lambda graph: (edge.label for edge in graph.edges),
}

TreeMaker = Callable[[Example], Example]
"""Function that decomposes the graph of an example, and returns the example with the tree."""


def readable_names() -> tuple[str, ...]:
    """Return the names of notations (for TSV files with such meanings) and of all other formats."""
    return tuple(dict.fromkeys((*NOTATIONS, *(name for name in FORMATS if name != _TSV))))


def format_named(name: str) -> tuple[CorpusFormat, str | None]:
    """Return the format with this name; if it names a notation, return TSV and the notation.

    Raises InputError if the name is unknown.
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
    """Yield the examples of a file as text in another notation or format.

    Args:
        lines: the numbered lines of the file.
        source, target: names of notations or formats.
        name: name of the file, for messages.
        add_tree: function that adds a tree to an example with a graph; needed for AM-CoNLL.

    Raises:
        AMParserError: an example cannot be read, or does not have what the target needs; the
            message names file and line.
    """
    read_format, read_notation = format_named(source)
    write_format, write_notation = format_named(target)
    for example in examples_of(read_format, lines, name):
        try:
            example = _with_graph(example, read_notation)
            if write_format.name == "amconll" and example.tree is None and example.failure is None:
                if not example.tokens:
                    raise InputError("an AM tree needs the sentence")
                if add_tree is not None:
                    example = add_tree(example)
            example = _with_meaning(example, write_notation, write_format)
            text = write_format.write(example)
            _check_read_again(text, example, write_format, name)
            yield text
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
    if notation is not None and (reason := contradiction(example, NOTATIONS[notation])):
        raise InputError(reason)
    return replace(example, notation=notation)


def _with_meaning(example: Example, notation: str | None, write_format: CorpusFormat) -> Example:
    """Add the meaning in the given notation.

    If `notation` is None, only JSON rows get a meaning, and only if it can be written.
    """
    if example.failure is not None:
        return replace(example, meaning=None)
    if notation is not None:
        known = None if example.notation is None else NOTATIONS[example.notation]
        # Only meanings without alignments (AMR) may be written in a notation of another family.
        alien = known is not None and known.family != NOTATIONS[notation].family
        if known is not None and alien and known.needs_alignment:
            raise InputError(f"a meaning in {known.name} cannot be written in {notation}")
        return replace(example, meaning=_written(example, NOTATIONS[notation]), notation=notation)
    if write_format.name == "json" and example.meaning is None and example.notation is not None:
        try:
            return replace(example, meaning=_written(example, NOTATIONS[example.notation]))
        except AMParserError:
            return example
    return example


def _written(example: Example, notation: Notation) -> str:
    graph = graph_of(example)
    if notation.needs_alignment and not example.tokens:
        notation.write(graph)  # raises if alignments are missing
        raise InputError(f"a meaning in {notation.name} needs the sentence")
    return notation.written(example.tokens, graph)


def _as_read(example: Example, notation: str | None) -> SGraph:
    graph = without_layout(graph_of(example))
    known = None if notation is None else NOTATIONS[notation].as_read(graph)
    return graph if known is None else known


def _entries(example: Example) -> list[Entry] | None:
    """Return the lines of an example's tree; set `aligned`, which JSON does not store, to True."""
    lines = lines_of_tree(example)
    return None if lines is None else [replace(entry, aligned=True) for entry in lines.entries]


def _lost_in_meaning(example: Example, notation: Notation) -> str:
    wanted = notation.as_read(without_layout(graph_of(example)))
    if wanted is None:
        return ""
    return _lost(wanted, notation.graph(example.tokens, example.meaning or ""))


def _lost(wanted: SGraph, read: SGraph) -> str:
    """Return the parts of `wanted` that `read` lacks, such as `labels dog`; empty if isomorphic."""
    if isomorphic(wanted, read):
        return ""
    for name, parts_of in _PARTS.items():
        if missing := Counter(parts_of(wanted)) - Counter(parts_of(read)):
            return f"{name} {', '.join(sorted(missing))}"
    return "graph"


def _check_read_again(text: str, example: Example, written: CorpusFormat, name: str) -> None:
    if written.name == _TSV and not example.tokens:
        return  # A row needs a sentence; a meaning without a sentence was checked when written.
    try:
        [again] = examples_of(written, enumerate(lines_of(text), 1), name)
    except (AMParserError, ValueError) as error:
        raise InputError(f"cannot be written in the format {written.name}: {error}") from None
    lost = "" if again.tokens == example.tokens else "tokens"
    if example.failure is None and written.name == _TSV:
        lost = _lost_in_meaning(example, NOTATIONS[example.notation or ""]) or lost
    elif example.failure is None:
        graphs = (_as_read(item, example.notation) for item in (example, again))
        lost = _lost(*graphs) or lost
        lines, written_lines = _entries(example), _entries(again)
        if lines is not None and written_lines is not None and lines != written_lines:
            lost = "tree"
    if lost:
        raise InputError(
            f"cannot be written in the format {written.name}: its {lost} would not be read back"
        )
