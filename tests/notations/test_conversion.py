"""Conversion between any two notations or formats keeps the graph."""

import gzip
import os
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

import pytest
from surfaces import FORMS, SENTENCES

from amparser.corpora.analyses import graph_of
from amparser.corpora.convert import converted, format_named, readable_names
from amparser.corpora.example import Example
from amparser.corpora.formats import FORMATS, format_of
from amparser.corpora.reading import examples_of, read_examples
from amparser.corpora.recognition import recognised
from amparser.errors import AMParserError
from amparser.files import lines_of
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.notations.notation import without_layout
from amparser.notations.registry import NOTATIONS

TEXTS = {
    **{name: text for name, text in FORMS.items() if name not in FORMATS},
    "eds": "{e:\ne:_bark_v_1<4:9>[ARG1 x]\nx:_dog_n_1<0:3>[]\n}",
}
"""One text for each notation of tabular files. The other files are converted from these."""
ITEMS = int(os.environ.get("AMPARSER_CONVERT", "15"))
"""Number of items of published files to convert."""
PLAIN = (("two", "cats", "ran"), ("two", "cats", "did", "not", "kick", "bob"))


def converts(text: str, source: str, target: str) -> str:
    return "".join(
        converted([*enumerate(lines_of(text), 1)], source=source, target=target, name="x")
    )


def meaning(text: str, name: str) -> tuple[Example, SGraph]:
    chosen, notation = format_named(name)
    [example] = examples_of(chosen, enumerate(lines_of(text), 1), "x")
    notation = notation or example.notation
    if example.graph is None and example.tree is None:
        return example, NOTATIONS[notation].graph(example.tokens, example.meaning)
    return example, graph_of(example)


def files_of(name: str) -> dict[str, str]:
    """Return the files, by notation or format, to which the text of a notation converts."""
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
    found = [without_layout(graph)]
    for notation in NOTATIONS.values():
        try:
            other = notation.as_read(graph)
        except AMParserError:
            continue
        found += [] if other is None else [without_layout(other)]
    return found


def check(files: Mapping[str, str]) -> Counter[str]:
    """Convert each file to each notation; return counts of `kept` graphs and `refused` files."""
    counts = Counter[str]()
    for source, text in files.items():
        example, graph = meaning(text, source)
        for target in readable_names():
            try:
                written = converts(text, source, target)
            except AMParserError:
                assert target != source
                counts["refused"] += 1
                continue
            again, other = meaning(written, target)
            assert again.tokens == example.tokens
            assert any(isomorphic(one, two) for one in forms(graph) for two in forms(other)), (
                f"{source} to {target}: {text} {written}"
            )
            counts["kept"] += 1
    return counts


@pytest.mark.parametrize("name", TEXTS)
def test_a_conversion_keeps_the_graph_or_is_refused(name) -> None:
    files = files_of(name)
    assert len(files) > 1
    check(files)


def items(path: Path) -> tuple[str, list[str]]:
    """Return the notation or format of a corpus file and the texts of its items.

    Both are empty if the notation is not recognised.
    """
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open() as file:
        text = file.read()
    chosen = format_of(path)
    if chosen.name in ("penman", "amconll"):
        return chosen.name, [f"{block}\n\n" for block in text.strip().split("\n\n")]
    found = recognised(read_examples(path, limit=50))
    rows = [f"{one.sentence}\t{one.meaning}\n" for one in read_examples(path)]
    return (found[0], rows) if found else ("", [])


def test_a_conversion_of_published_items_keeps_the_graph_or_is_refused(data_dir) -> None:
    kinds = ("train.", "dev.", "long-dev.", "silver.", "example.")
    found = (path for path in data_dir.rglob("*") if path.name.startswith(kinds))
    paths = sorted(path for path in found if ".sbn" not in path.name)
    dice, counts, read = Random(40), Counter[str](), cache(items)
    for _ in range(ITEMS):
        name, texts = read(dice.choice(paths))
        if texts:
            text = dice.choice(texts)
            files = {name: text}
            for target in readable_names():
                with suppress(AMParserError):
                    files[target] = converts(text, name, target)
            counts += check(files) + Counter(items=1)
    print(dict(counts))
    assert counts["kept"] > counts["items"]
