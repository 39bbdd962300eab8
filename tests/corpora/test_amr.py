"""AMR files as they are released: tokens, and alignments of nodes to them."""

from dataclasses import replace

import pytest

from amparser.corpora.example import Example
from amparser.corpora.formats import FORMATS
from amparser.corpora.reading import examples_of
from amparser.errors import CorpusError
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
OTHERS = {
    "jamr": "# ::alignments 4-5|0 0-2|0.0+0.0.1+0.0.1.0 ::annotator Aligner v.02",
    "isi": "# ::alignments 0-1.1 0-1.1.2 0-1.1.2.1 2-1.1.r",
    "leamr": '# ::alignments [{"type": "subgraph", "tokens": [1, 0], "nodes": ["1.1", "1.1.2"]}]',
    "nodes_of_jamr": "# ::node\t0\tdeny-01\t4-5\n# ::root\t0\tdeny-01",
    "nodes_of_leamr": "# ::node 1 deny-01 4-5",
}
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
def test_each_way_of_alignments(text: str) -> None:
    [example] = read(f"# AMR release\n\n{text}")
    assert example.tokens == tuple(TOKENS.split())
    assert example.notation == "penman"
    assert example.meaning == " ".join(GRAPH.split())
    assert example.graph is not None
    assert [node.token for node in example.graph.nodes.values()] == EXPECTED
    assert PENMAN.write(example.graph) == GRAPH
    assert example.line == 3


def test_what_was_read_is_written_and_read_again() -> None:
    [example] = read(block(ALIGNMENTS))
    text = FORMATS["penman"].write(example)
    assert GRAPH in text
    assert ALIGNMENTS in text
    [again] = read(text)
    assert replace(again, line=0) == replace(example, line=0)
    [through_json] = examples_of(FORMATS["json"], [(1, FORMATS["json"].write(example))], "file")
    assert through_json.meaning == example.meaning
    assert through_json.graph is not None
    assert [node.token for node in through_json.graph.nodes.values()] == EXPECTED


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_alignments_to_addresses_are_refused(other: str) -> None:
    with pytest.raises(CorpusError, match=r"file:4: .* is not read, convert to `::alignments`"):
        read(block(other))


def test_a_further_field_on_the_line_is_no_alignment() -> None:
    [example], [again] = read(block(ALIGNMENTS)), read(block(f"{ALIGNMENTS}  ::save 1 ::by nobody"))
    assert again.graph == example.graph


def test_a_line_may_have_several_fields() -> None:
    [example] = read("# ::id a.1 ::date 2012 ::snt the dog ::x barks\n(b / bark-01)\n")
    assert (example.id, example.sentence) == ("a.1", "the dog ::x barks")


def test_a_meaning_alone_is_written() -> None:
    example = Example(("Go", "!"), "(g / go-02~e.0 :mode imperative)", notation="penman")
    text = "# ::tok Go !\n# ::alignments 1 -\n(g / go-02 :mode imperative)\n\n"
    assert FORMATS["penman"].write(example) == text


def test_without_alignments_no_node_is_aligned() -> None:
    for line in ("# ::id 1", "# ::alignments", "# ::alignments ::annotator nobody"):
        [example] = read(f"# ::snt Hello you\n{line}\n(h / hello :vocative (y / you))\n")
        assert example.tokens == ("Hello", "you")
        assert example.graph is not None
        assert [node.token for node in example.graph.nodes.values()] == [None, None]


@pytest.mark.parametrize(
    ("alignments", "message"),
    [
        ("# ::alignments 1:2 3", "file:4: `::alignments` with '1:2' is not read, convert to"),
        ("# ::alignments 1 2", "file:4: 9 nodes, but 2 alignments"),
        ("# ::alignments 99 - - - - - - - -", "file:4: alignment 99: expected a token from 1"),
    ],
)
def test_a_fault_is_named_with_its_line(alignments: str, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        read(block(alignments))
    assert message in str(caught.value)


def test_a_line_ends_at_a_line_feed_alone() -> None:
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
    ("graph", "message"),
    [
        ("(d / date-entity :time 16:30 :day 2)", "file:3: column 26: 16:30 needs quotes"),
        ("(d / day :mod :op1 2)", "file:3: column 10: expected a node, a variable"),
        ("(b / boy\n :ARG0 (c / cat~e.2))", "file:4: column 16: ~e.2: expected a token from 0"),
        ("(b / boy\n   :ARG0 c2)", "file:4: column 10: no node has the variable 'c2'"),
        ("(b / a :x " * 400 + "c" + ")" * 400, "file:3: column 3001: nested too deeply, expected"),
    ],
)
def test_a_fault_is_placed_in_the_file_and_not_in_a_comment(graph: str, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        read(f"\n# ::snt c2 :30\n{graph}\n")
    assert str(caught.value).startswith(message)


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
def test_graphs_of_this_package_are_told_from_amr(text: str, notation: str | None) -> None:
    [example] = read(text)
    assert example.notation == notation
