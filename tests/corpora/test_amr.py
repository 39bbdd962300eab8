"""AMR files as they are released: tokens, and alignments in each of the published ways."""

from dataclasses import replace

import pytest

from amparser.corpora.example import Example
from amparser.corpora.formats import FORMATS
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

WAYS = {
    "own": "# ::alignments 5 1 - 1 1 2 6 9 4",
    "jamr": "# ::alignments 4-5|0 0-2|0.0+0.0.1+0.0.1.0 1-2|0.0.1.1 5-6|0.1 8-9|0.1.0 3-4|0.1.1"
    " ::annotator Aligner v.02 ::date 2014-08-08T20:42:25.346",
    "isi": "# ::alignments 0-1.1 0-1.1.2 0-1.1.2.1 1-1.1.2.2 2-1.1.r 3-1.2.3 4-1 5-1.2 7-1.2.2.1"
    " 8-1.2.2",
    "leamr": '# ::alignments [{"type": "subgraph", "tokens": [1, 0], "nodes": ["1.1", "1.1.2", '
    '"1.1.2.1"]}, {"tokens": [1], "nodes": ["1.1.2.2"]}, {"tokens": [4], "nodes": ["1"]}, '
    '{"tokens": [5], "nodes": ["1.2"]}, {"tokens": [8], "nodes": ["1.2.2"], "edges": []}, '
    '{"tokens": [3], "nodes": ["1.2.3"]}]',
    "nodes_of_jamr": """# ::node\t0\tdeny-01\t4-5
# ::node\t0.0\tcountry\t0-2
# ::node\t0.0.0\t"Atlantis"\t
# ::node\t0.0.1\tname\t0-2
# ::node\t0.0.1.0\t"New"\t0-1
# ::node\t0.0.1.1\t"Atlantis"\t1-2
# ::node\t0.1\taccess-01\t5-6
# ::node\t0.1.0\tfacility\t8-9
# ::node\t0.1.1\t-\t3-4
# ::root\t0\tdeny-01
# ::edge\tdeny-01\tARG0\tcountry\t0\t0.0""",
    "nodes_of_leamr": """# ::node 1 deny-01 4-5
# ::node 1.1 country 0-2
# ::node 1.1.2 name 0-2
# ::node 1.1.2.1 "New" 0-1
# ::node 1.1.2.2 "Atlantis" 1-2
# ::node a access-01 5-6
# ::node f facility 8-9
# ::node 1.2.3 - 3-4""",
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
    return list(FORMATS["penman"].read(enumerate(text.split("\n"), 1), "file"))


def block(alignments: str, graph: str = GRAPH) -> str:
    return f"# ::id x.1 ::date 2014\n# ::snt Not it\n# ::tok {TOKENS}\n{alignments}\n{graph}\n"


@pytest.mark.parametrize("way", [*WAYS, "surface"])
def test_each_way_of_alignments(way: str) -> None:
    text = block("# ::save-date today", SURFACE) if way == "surface" else block(WAYS[way])
    [example] = read(f"# AMR release\n\n{text}")
    assert example.tokens == tuple(TOKENS.split())
    assert example.notation == "penman"
    assert example.meaning == " ".join(GRAPH.split())
    assert example.graph is not None
    assert [node.token for node in example.graph.nodes.values()] == EXPECTED
    assert PENMAN.write(example.graph) == GRAPH
    assert example.line == 3


def test_what_was_read_is_written_and_read_again() -> None:
    [example] = read(block(WAYS["isi"]))
    text = FORMATS["penman"].write(example)
    assert GRAPH in text
    assert WAYS["own"] in text
    [again] = read(text)
    assert replace(again, line=0) == replace(example, line=0)
    [through_json] = FORMATS["json"].read([(1, FORMATS["json"].write(example))], "file")
    assert through_json.meaning == example.meaning
    assert through_json.graph is not None
    assert [node.token for node in through_json.graph.nodes.values()] == EXPECTED


@pytest.mark.parametrize("way", ["own", "jamr", "isi"])
def test_a_further_field_on_the_line_is_no_alignment(way: str) -> None:
    [example], [again] = read(block(WAYS[way])), read(block(f"{WAYS[way]}  ::id 1 ::by nobody"))
    assert again.graph == example.graph


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
        ("# ::alignments 1:2 3", "file:4: expected in ::alignments a token number or '-'"),
        ("# ::alignments 0-1|0 0-1.1", "(LEAMR); found '0-1.1'"),
        ("# ::alignments 0-1|0.7", "file:4: '0-1|0.7': the graph has no node 0.7"),
        ("# ::alignments 0-11|0", "file:4: '0-11|0': expected tokens from 0 to 9"),
        ("# ::alignments 2-2|0", "file:4: '2-2|0': expected tokens"),
        ("# ::alignments 10-1", "file:4: '10-1': expected tokens from 0 to 9"),
        ("# ::alignments 1 2", "file:4: 9 nodes, but 2 alignments"),
        ("# ::alignments 99 - - - - - - - -", "file:4: alignment 99: expected a token from 1"),
        ('# ::alignments [{"tokens": [1]}]', "file:4: expected in ::alignments objects"),
        ("# ::alignments [{", "file:4: ::alignments is not JSON"),
        ("# ::node\t0\tdeny-01\tx", "file:4: expected in ::node an address"),
        ("# ::node\t5\tdeny-01\t0-1", "file:4: '5': the graph has no node 5"),
    ],
)
def test_a_fault_is_named_with_its_line(alignments: str, message: str) -> None:
    with pytest.raises(CorpusError) as caught:
        read(block(alignments))
    assert message in str(caught.value)


def test_a_fault_of_the_graph_is_named() -> None:
    with pytest.raises(CorpusError, match=r"file:4: column 16: no node has the variable 'c2'"):
        read(block("# ::id 2", "(b / boy :ARG0 c2)").replace("# ::snt Not it\n", "", 1))
    with pytest.raises(CorpusError, match=r"~e\.99: expected a token from 0 to 9"):
        read(block("# ::id 2", "(b / boy~e.99)"))


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
