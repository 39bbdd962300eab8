"""Graphs apart from their boxes: splitting and joining lose nothing."""

from dataclasses import replace

from hypothesis import given, strategies as st
from toy_bank import examples

from amparser.graph.boxes import INTO_BOX, BoxScheme, box_scheme, join, split
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.notations.penman import PENMAN

BOXED = BoxScheme('/"box"', "member")


def graph(text: str) -> SGraph:
    return PENMAN.graph((), text)


def graphs() -> list[SGraph]:
    return [example.graph for example in examples(100) if example.graph is not None]


def test_the_boxes_of_a_corpus_are_found() -> None:
    assert box_scheme(graphs(), PENMAN.is_constant) == BOXED


def test_amr_has_no_boxes() -> None:
    texts = ("(w / want-01 :ARG0 (b / boy))", "(s / sleep-01 :ARG0 (g / girl :quant 3))")
    assert box_scheme([graph(text) for text in texts], PENMAN.is_constant) is None
    assert box_scheme([], PENMAN.is_constant) is None


def test_join_is_the_inverse_of_split() -> None:
    for one in graphs():
        layered = split(one, BOXED, PENMAN.is_constant)
        assert isomorphic(join(layered, BOXED), one)
        whole = split(one, None, PENMAN.is_constant)
        assert isomorphic(join(whole, None), one)


def test_a_node_stands_in_the_box_that_has_it_as_member() -> None:
    one = graph('(b / "box" :member (s / "x.n.01") :NOT (c / "box" :member (t / "y.v.01" :A s)))')
    layered = split(one, BOXED, PENMAN.is_constant)
    assert dict(zip(layered.labels, layered.box, strict=True)) == {'/"x.n.01"': 0, '/"y.v.01"': 1}
    assert [(box.parent, box.label) for box in layered.boxes] == [(-1, ""), (0, "NOT")]


SAID = """(b / "box" :member (s / "say.v.01" :Agent (a / "male.n.02") :Proposition (c / "box"
    :member (d / "dog.n.01") :member (r / "run.v.01" :Agent d)
    :NOT (e / "box" :member (f / "sleep.v.01" :Agent d)))) :member a)"""


def test_an_edge_into_a_box_leads_to_its_top_apart_from_boxes() -> None:
    layered = split(graph(SAID), BOXED, PENMAN.is_constant)
    marked = [edge for edge in layered.edges if edge[1].endswith(INTO_BOX)]
    ends = [(layered.labels[parent], layered.labels[child]) for parent, _, child in marked]
    assert ends == [('/"say.v.01"', '/"run.v.01"')]
    assert isomorphic(join(layered, BOXED), graph(SAID))


@given(st.data())
def test_any_edges_and_boxes_make_a_tree_of_boxes(data) -> None:
    layered = split(graph(SAID), BOXED, PENMAN.is_constant)
    nodes = st.integers(0, len(layered.labels) - 1)
    labels = st.sampled_from(("Agent", f"Proposition{INTO_BOX}"))
    drawn = data.draw(st.lists(st.tuples(nodes, labels, nodes), max_size=6))
    box = [data.draw(st.integers(0, len(layered.boxes) - 1)) for _ in layered.labels]
    edges = tuple({(p, c): (p, role, c) for p, role, c in drawn if p != c}.values())
    made = join(replace(layered, edges=edges, box=tuple(box)), BOXED)
    assert len(split(made, BOXED, PENMAN.is_constant).labels) == len(layered.labels)
