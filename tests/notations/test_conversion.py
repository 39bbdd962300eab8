"""Between any two notations and formats, what is written is read as the same graph."""

import pytest
from surfaces import FORMS, SENTENCES

from amparser.corpora.convert import converted, format_named, readable_names
from amparser.corpora.example import Example
from amparser.corpora.formats import FORMATS
from amparser.corpora.penman import graph_of
from amparser.errors import AMParserError
from amparser.files import lines_of
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.notations.layout import without_layout
from amparser.notations.registry import NOTATIONS

TEXTS = {
    **{name: text for name, text in FORMS.items() if name not in FORMATS},
    "eds": "{e:\ne:_bark_v_1<4:9>[ARG1 x]\nx:_dog_n_1<0:3>[]\n}",
}
"""A text of each notation that stands in tables; others write what these say."""
PLAIN = (("two", "cats", "ran"), ("two", "cats", "did", "not", "kick", "bob"))


def converts(text: str, source: str, target: str) -> str:
    return "".join(
        converted([*enumerate(lines_of(text), 1)], source=source, target=target, name="x")
    )


def meaning(text: str, name: str) -> tuple[Example, SGraph]:
    """What a file says, and its graph."""
    chosen, notation = format_named(name)
    [example] = chosen.read(enumerate(lines_of(text), 1), "x")
    notation = notation or example.notation
    if example.graph is None and example.tree is None:
        assert notation is not None
        assert example.meaning is not None
        return example, NOTATIONS[notation].graph(example.tokens, example.meaning)
    return example, graph_of(example)


def files_of(name: str) -> dict[str, str]:
    """A file with the text of a notation, and those into which it can be converted."""
    found = {}
    for sentence in (*SENTENCES, ("few", "small", "cats", "ran", "slowly"), *PLAIN):
        row = f"{' '.join(sentence)}\t{' '.join(TEXTS[name].split())}\n"
        for target in readable_names():
            try:
                found[target] = converts(row, name, target)
            except AMParserError:
                continue
        if found:
            break
    return found


def forms(graph: SGraph) -> list[SGraph]:
    """The graph, and the same with the labels that other families have for it."""
    found = [without_layout(graph)]
    for notation in NOTATIONS.values():
        try:
            other = notation.as_read(graph)
        except AMParserError:
            continue
        found += [] if other is None else [without_layout(other)]
    return found


@pytest.mark.parametrize("name", TEXTS)
def test_a_conversion_keeps_the_graph_or_is_refused(name: str) -> None:
    files = files_of(name)
    assert len(files) > 1
    for source, text in files.items():
        try:
            example, graph = meaning(text, source)
        except AMParserError:  # formulas of boxes are read, but have no graphs
            assert source == "fol"
            continue
        for target in readable_names():
            try:
                written = converts(text, source, target)
            except AMParserError:
                assert target != source
                continue
            try:
                again, other = meaning(written, target)
            except AMParserError:
                assert target == "fol", written
                assert NOTATIONS[target].is_readable(written.split("\t")[1].strip())
                continue
            assert again.tokens == example.tokens
            assert any(isomorphic(one, two) for one in forms(graph) for two in forms(other)), (
                f"{source} to {target}: {text} {written}"
            )
