"""Corpus formats: examples round-trip, and failures keep their reasons."""

from dataclasses import replace

import pytest

from amparser.algebra.conll import am_trees_from_str
from amparser.corpora.analyses import with_alignments
from amparser.corpora.example import Example
from amparser.corpora.formats import FORMATS
from amparser.corpora.reading import examples_of
from amparser.errors import InputError
from amparser.graph.penman_codec import sgraph_from_penman

GRAPH = with_alignments(
    sgraph_from_penman("(i1<root> / run :agent (i2 / dog))"), [3, 2], ("A", "dog", "ran")
)
[TREE] = am_trees_from_str(
    "1\tA\t_\t_\t_\t_\t_\t_\t_\t0\tIGNORE\ttrue\n"
    "2\tdog\t_\tdog\t_\t_\t(i1<root> / --LEX--)\t$LEMMA$\t()\t3\tAPP_s\ttrue\n"
    "3\tran\t_\trun\t_\t_\t(i1<root> / --LEX-- :agent (i2<s>))\t$LEMMA$\t(s())\t0\tROOT\ttrue\n"
)
EXAMPLES = {
    "tsv": Example(("A", "dog"), "dog ( x _ 1 )", tags=("wh question",)),
    "penman": Example(("A", "dog", "ran"), graph=GRAPH, tags=("a", "wh question")),
    "amconll": Example(
        ("A", "dog", "ran"),
        tree=TREE.derivation(),
        tags=("a", "wh question"),
        columns=TREE.with_attributes(("type", "a"), ("type", "wh question")),
    ),
    "json": Example(
        ("A", "dog", "ran"),
        "dog ( x _ 1 )",
        GRAPH,
        TREE.derivation(),
        "cogs",
        ((), (0,), (1, 0)),
        ("wh question", "depth:3"),
        logp=-0.5,
        columns=TREE,
    ),
}


def read(name: str, text: str) -> list[Example]:
    lines = enumerate(text.split("\n")[:-1], 1)
    return list(examples_of(FORMATS[name], lines, "file"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_round_trip(name) -> None:
    example = EXAMPLES[name]
    text = FORMATS[name].write(example)
    size = len(text.split("\n")) - 1
    first, second = read(name, text * 2)
    assert replace(first, line=0) == replace(second, line=0) == example
    assert (first.line, second.line) == (1, 1 + size)


@pytest.mark.parametrize("name", ["penman", "amconll", "json"])
def test_a_failure_keeps_its_reason(name) -> None:
    failure = Example(("A", "dog"), failure="no well-typed tree")
    [found] = read(name, FORMATS[name].write(failure))
    assert found.failure == "no well-typed tree"
    assert found.tokens == ("A", "dog")


@pytest.mark.parametrize("name", ["tsv", "penman", "amconll"])
def test_an_example_that_a_format_cannot_hold_is_refused(name) -> None:
    with pytest.raises(InputError, match="the example has n"):
        FORMATS[name].write(Example(("a",)))
