"""AMR files: tokens, comments and alignments."""

from dataclasses import replace

import pytest

from amparser.corpora.example import Example
from amparser.corpora.formats import FORMATS
from amparser.corpora.reading import examples_of
from amparser.notations.penman import PENMAN

GRAPH = """(d / deny-01
      :ARG0 (c / country
            :wiki "Atlantis"
            :name (n / name
                  :op1 "New"
                  :op2 "Atlantis"))
      :ARG1 (a / access-01
            :ARG0 c
            :ARG1 (f / facility
                  :poss c)
            :polarity -))"""
TOKENS = "New Atlantis has not denied access to its facilities ."
#  d c "Atlantis" n "New" "Atlantis" a f -
EXPECTED = [5, 1, None, 1, 1, 2, 6, 9, 4]

ALIGNMENTS = "# ::alignments 5 1 - 1 1 2 6 9 4"
SURFACE = (
    GRAPH.replace("deny-01", "deny-01~e.4")
    .replace("country", "country~e.0")
    .replace("/ name", "/ name~e.0,1")
    .replace(':op1 "New"', ':op1 "New"~e.0')
    .replace(':op2 "Atlantis"', ':op2 "Atlantis"~e.1')
    .replace("access-01", "access-01~e.5")
    .replace(":poss c", ":poss~e.7 c~e.7")
    .replace("facility", "facility~e.8")
    .replace("polarity -", "polarity -~e.3")
)


def read(text: str) -> list[Example]:
    return list(examples_of(FORMATS["penman"], enumerate(text.split("\n"), 1), "file"))


def block(alignments: str, graph: str = GRAPH) -> str:
    return f"# ::id x.1 ::date 2014\n# ::snt Not it\n# ::tok {TOKENS}\n{alignments}\n{graph}\n"


@pytest.mark.parametrize(
    "text", [block(ALIGNMENTS), block("# ::save-date today", SURFACE)], ids=["comment", "markers"]
)
def test_alignments_are_read_from_comments_and_markers(text) -> None:
    [example] = read(f"# AMR release\n\n{text}")
    assert example.tokens == tuple(TOKENS.split())
    assert example.notation == "penman"
    assert example.meaning == " ".join(GRAPH.split())
    assert [node.token for node in example.graph.nodes.values()] == EXPECTED
    assert PENMAN.write(example.graph) == GRAPH
    assert example.line == 3


def test_examples_round_trip_through_penman_and_json() -> None:
    [example] = read(block(ALIGNMENTS))
    text = FORMATS["penman"].write(example)
    assert GRAPH in text
    assert ALIGNMENTS in text
    [again] = read(text)
    assert replace(again, line=0) == replace(example, line=0)
    [through_json] = examples_of(FORMATS["json"], [(1, FORMATS["json"].write(example))], "file")
    assert through_json.meaning == example.meaning
    assert [node.token for node in through_json.graph.nodes.values()] == EXPECTED


def test_fields_after_alignments_are_ignored() -> None:
    [example], [again] = read(block(ALIGNMENTS)), read(block(f"{ALIGNMENTS}  ::save 1 ::by nobody"))
    assert again.graph == example.graph


def test_a_comment_line_may_have_several_fields() -> None:
    [example] = read("# ::id a.1 ::date 2012 ::snt the dog ::x barks\n(b / bark-01)\n")
    assert (example.id, example.sentence) == ("a.1", "the dog ::x barks")


def test_a_meaning_without_a_graph_is_written() -> None:
    example = Example(("Go", "!"), "(g / go-02~e.0 :mode imperative)", notation="penman")
    text = "# ::tok Go !\n# ::alignments 1 -\n(g / go-02 :mode imperative)\n\n"
    assert FORMATS["penman"].write(example) == text


def test_nodes_are_unaligned_if_there_are_no_alignments() -> None:
    for line in ("# ::id 1", "# ::alignments", "# ::alignments ::annotator nobody"):
        [example] = read(f"# ::snt Hello you\n{line}\n(h / hello :vocative (y / you))\n")
        assert example.tokens == ("Hello", "you")
        assert [node.token for node in example.graph.nodes.values()] == [None, None]


def test_only_a_line_feed_ends_a_line() -> None:
    [example] = read("# ::snt the dog\u2028barks\n(b / bark-01)\n")
    assert example.tokens == ("the", "dog", "barks")


def test_a_blank_line_may_stand_between_comments_and_graph() -> None:
    text = "# AMR release\n\n# ::snt the dog barks\n\n\n(b / bark-01)\n\n# ::snt a cat\n(c / cat"
    faults: list[str] = []
    [example] = examples_of(FORMATS["penman"], enumerate(text.split("\n"), 1), "file", faults)
    assert (example.tokens, example.meaning) == (("the", "dog", "barks"), "(b / bark-01)")
    assert example.line == 3
    assert [fault[:7] for fault in faults] == ["file:9:"]


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("(i1<root> / a :b (i2 / c))", None),
        ('(i1 / a :b (i2 / "C"))', None),
        ('# ::tok C\n(i1 / a :b (i2 / "C"))', "penman"),
        ('(b0 / "box" :member (s0 / "x.n.01" :EQU "now"))', "penman"),
        ("(a / b :c 3)", "penman"),
        ("(a / b)", "penman"),
    ],
)
def test_graphs_of_this_package_are_distinguished_from_amr(text, notation) -> None:
    [example] = read(text)
    assert example.notation == notation
