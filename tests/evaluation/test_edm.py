"""Elementary dependency match, against PyDelphin."""

import pytest
from hypothesis import given, settings, strategies as st

from amparser.benchmarks.eds.edm import EDM
from amparser.corpora.example import Example
from amparser.notations.eds import EDS
from amparser.notations.penman import PENMAN
from amparser.results import Result

TOKENS = ("Rex", "barked", "loudly")
PREDICATES = ["_bark_v_1", "named", "proper_q", "_loud_a_1"]


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Draw an EDS with one to four nodes, each with an anchor, edges and an optional string."""
    count = draw(st.integers(1, 4))
    nodes = []
    for i in range(count):
        start = draw(st.sampled_from([0, 4, 11]))
        string = draw(st.sampled_from(["", '("Rex")', '("Max")']))
        roles = draw(st.lists(st.sampled_from(["ARG1", "ARG2", "BV"]), unique=True, max_size=2))
        edges = ", ".join(f"{role} e{draw(st.integers(0, count - 1))}" for role in roles)
        name = draw(st.sampled_from(PREDICATES))
        nodes.append(f"e{i}:{name}<{start}:{start + 3}>{string}[{edges}]")
    return f"{{e{draw(st.integers(0, count - 1))}: {' '.join(nodes)}}}"


@given(texts(), texts())
@settings(max_examples=100, deadline=None)
def test_edm_equals_pydelphin(gold, found) -> None:
    codec = pytest.importorskip("delphin.codecs.eds", reason="PyDelphin is not installed")
    edm = pytest.importorskip("delphin.edm", reason="PyDelphin is not installed")
    pair = [codec.decode(gold)], [codec.decode(found)]
    counts = EDM.compare(EDS, Example(TOKENS, gold), Result(TOKENS, found))
    ours = [counts[name].share or 0.0 for name in ("edm_precision", "edm_recall", "edm_f")]
    assert ours == pytest.approx(list(edm.compute(*pair)))
    only = {"argument_weight": 0, "constant_weight": 0, "top_weight": 0}
    names = edm.compute(*pair, **only)
    assert (counts["edm_name_f"].share or 0.0) == pytest.approx(names.fscore)
    arguments = edm.compute(*pair, **{**only, "name_weight": 0, "argument_weight": 1})
    assert (counts["edm_argument_f"].share or 0.0) == pytest.approx(arguments.fscore)


def test_spans_and_token_alignments_give_equal_anchors() -> None:
    text = '(b / _bark_v_1 :ARG1 (n / named :carg "Rex"))'
    graph = PENMAN.read(text)
    spans = {1: (3, 9), 2: (0, 3)}
    placed = {n: node._replace(span=spans.get(n)) for n, node in graph.nodes.items()}
    gold = Example(TOKENS, text, graph=type(graph)(placed, graph.edges, graph.root))
    aligned = {1: 2, 2: 1, 3: 1}
    nodes = {n: node._replace(token=aligned[n]) for n, node in graph.nodes.items()}
    answer = Result(TOKENS, text, graph=type(graph)(nodes, graph.edges, graph.root))
    assert EDM.compare(PENMAN, gold, answer)["edm_f"].share == 1.0
    assert EDM.compare(PENMAN, gold, Result(TOKENS, None))["edm_f"].share == 0.0
    assert EDM.compare(PENMAN, Example(TOKENS, text), answer) == {}
