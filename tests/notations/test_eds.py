"""Elementary Dependency Structures in native notation, checked against PyDelphin."""

import sys
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from amparser.errors import ConfigError, TranslateError
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.notations.eds import (
    EDS,
    anchors_of,
    label_of_predicate,
    places_of,
    predicate_of_label,
)
from amparser.notations.notation import without_layout
from amparser.notations.penman import PENMAN

BARKS = (
    '{e2: _1:proper_q<0:3>[BV x3] x3:named<0:3>("Rex"){x NUM sg, PERS 3}[] '
    "e2:_bark_v_1<4:10>{e TENSE past}[ARG1 x3]}"
)
LINES = "{e2:\n _1:_the_q<0:3>[BV x3]\n x3:_dog_n_1<4:7>[]\n e2:_look_v_up[ARG1 x3, ARG2 x3]\n}"
REX = '(b / _bark_v_1 :ARG1 (n / named :carg "Rex" :BV-of (p / proper_q)))'
OTHERS = [
    "{e1: e1:_rain_v_1[]}",
    "{ e1:_rain_v_1<0:5>{e}[] x1:_dog_n_1[] }",
    "{e1:(fragmented) e1:_and/or_c[L-INDEX x2] |x2:_widgets/nns_u_unknown[]}",
    '{:e1:card<0:1>("2")[]}',
]


@pytest.mark.parametrize("text", [BARKS, LINES])
def test_a_text_is_written_as_it_was_read(text) -> None:
    assert EDS.write(EDS.read(text)) == text
    assert EDS.written((), EDS.read(text)) == text


@pytest.mark.parametrize("text", [BARKS, LINES, *OTHERS])
def test_pydelphin_reads_the_same_nodes_and_edges(text) -> None:
    codec = pytest.importorskip("delphin.codecs.eds", reason="PyDelphin is not installed")
    graph = EDS.read(text)
    judged = codec.decode(text)
    found = codec.decode(EDS.write(without_layout(graph)))
    for one in (judged, found):
        predicates = Counter(node.predicate for node in one.nodes)
        labels = [n.label for n in graph.nodes.values() if not EDS.is_constant(n.label)]
        assert predicates == Counter(predicate_of_label(label or "") for label in labels)
        edges = sum(len(node.edges) + (node.carg is not None) for node in one.nodes)
        assert edges == len(graph.edges)
        assert one[one.top or one.nodes[0].id].predicate == predicate_of_label(
            graph.nodes[graph.root].label or ""
        )
    for indent in (True, False):
        again = EDS.read(codec.encode(judged, indent=indent))
        assert isomorphic(again, graph)
        if judged.top:
            assert EDS.write(again) == codec.encode(judged, indent=indent)


def test_native_and_penman_texts_have_the_same_graph() -> None:
    assert isomorphic(EDS.read(BARKS), PENMAN.read(REX))
    text = EDS.convert((), REX, PENMAN)
    assert isomorphic(EDS.read(text), PENMAN.read(REX))
    assert isomorphic(PENMAN.read(PENMAN.convert((), BARKS, EDS)), PENMAN.read(REX))


def test_a_role_that_is_read_in_upper_case_is_not_written_in_lower_case() -> None:
    with pytest.raises(TranslateError, match="'member' is not a role, such as ARG1"):
        EDS.convert((), '(b / "box" :member (d / "dog.n.01"))', PENMAN)


def test_nodes_have_the_anchors_of_their_tokens() -> None:
    tokens = ("Rex", "barked", ".")
    graph = PENMAN.read(REX)
    words = {"_bark_v_1": 2, "named": 1, "proper_q": 1}
    nodes = {n: node._replace(token=words.get(node.label or "")) for n, node in graph.nodes.items()}
    text = EDS.written(tokens, SGraph(nodes, graph.edges, graph.root))
    assert "_bark_v_1<4:10>[" in text
    assert 'named<0:3>("Rex")' in text
    again = EDS.graph(tokens, text)
    assert {node.label: node.token for node in again.nodes.values() if node.token} == words
    assert anchors_of(graph) == {}
    wide = {n: node._replace(span=(3, 10)) for n, node in nodes.items()}
    text = EDS.written(tokens, SGraph(wide, graph.edges, graph.root))
    assert text.count("<4:11>") == 3
    assert {node.span for node in EDS.graph(tokens, text).nodes.values()} == {(3, 10), None}


def test_texts_are_written_but_not_read_without_pydelphin(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "delphin.codecs.eds", None)
    assert EDS.written(("Rex", "barks"), PENMAN.read(REX)).startswith("{e1: e1:_bark_v_1[ARG1 x2]")
    assert not EDS.is_readable('{"a": 1}')
    assert not EDS.is_readable(REX)
    with pytest.raises(ConfigError, match=r"amparser\[eds\]"):
        EDS.read(BARKS)


def test_punctuation_follows_its_word() -> None:
    sentence = "No, he sat (2 hours) there."
    tokens = ["No", ",", "he", "sat", "(2", "hours)", "there", "."]
    assert [sentence[first:end] for first, end in places_of(tokens)] == tokens


@given(st.text(alphabet="ab_/|%(2F:)é<[ ", min_size=1, max_size=8))
def test_predicates_round_trip(text) -> None:
    label = label_of_predicate(text)
    assert label_of_predicate(predicate_of_label(label)) == label
