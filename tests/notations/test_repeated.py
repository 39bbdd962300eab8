"""Functions with any number of arguments (`amparser.notations.repeated`)."""

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st
from toml_tables import tables

from amparser.graph.sgraph import SGraph
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS

TABLES = tables(__file__)
JOBS, CALLS, ALTERNATIVES = TABLES["jobs"], TABLES["calls"], TABLES["alternatives"]


def notation_of(name: str, rows: Sequence[tuple[str, str]]) -> Notation:
    return NOTATIONS[name].for_corpus([(said.split(), text) for said, text in rows])


def labels(graph: SGraph) -> list[str]:
    return sorted(f"{edge.label} {graph.nodes[edge.child].label}" for edge in graph.edges)


@pytest.mark.parametrize(
    ("name", "rows"), [("term", JOBS), ("sexpr", CALLS), ("term", ALTERNATIVES)]
)
def test_chains_round_trip(name, rows) -> None:
    found = notation_of(name, rows)
    known = [(said.split(), text) for said, text in rows]
    writer = NOTATIONS[name].styled(NOTATIONS[name].style_of(text for _, text in known))
    writer = writer.styled(writer.style, NOTATIONS[name].order_of(known))
    for words, text in known:
        graph = found.graph(words, text)
        plain = SGraph(graph.nodes, graph.edges, graph.root)
        assert any(edge.label == "arg*" for edge in graph.edges) or "(" not in text[5:]
        assert writer.written(words, plain) == text


def test_an_item_has_the_same_subgraph_at_any_position() -> None:
    graph = notation_of("term", JOBS).graph(["java", "jobs", "in", "rome"], JOBS[1][1])
    assert "|".join(labels(graph)) == "& ()|& loc|arg* lang|arg0 austin|arg0 both ?|arg0 java"


def test_more_items_than_in_train_are_written_in_its_order() -> None:
    rows = [(said.split(), text) for said, text in CALLS]
    order = NOTATIONS["sexpr"].order_of(rows)
    assert order == {"GET": ["(COUNT)", "FROM", "ON"]}
    text = '(GET mail (ON today) (FROM "ann") (COUNT) (FROM "bob"))'
    graph = notation_of("sexpr", CALLS).graph([], text)
    plain = SGraph(graph.nodes, graph.edges, graph.root)
    assert NOTATIONS["sexpr"].styled("", order).written([], plain) == (
        '(GET mail (COUNT) (FROM "ann") (FROM "bob") (ON today))'
    )


@pytest.mark.parametrize(
    "texts",
    [
        ["f(a,b)", "f(b,a)"],  # fixed number of arguments
        ["timer(10)", "timer(10,'tea')"],  # optional argument of another kind
        ["call(g,a)", "call(h,a,a)", "call(g,b)", "call(h,b,a)"],  # the first fixes the number
        ["f(a)", "f(a,b,a)", "f(b,a,a)"],  # never two arguments
    ],
)
def test_functions_with_fixed_arguments_have_no_chain(texts) -> None:
    notation = notation_of("term", [("x", text) for text in texts])
    for text in texts:
        graph = notation.graph(["x"], text)
        assert all(edge.label != "arg*" for edge in graph.edges)


ITEMS = st.lists(st.sampled_from(["loc(austin)", "lang(java)", "pays(7)", "open"]), min_size=1)


@given(st.lists(ITEMS, min_size=2, max_size=9))
def test_meanings_round_trip(several) -> None:
    texts = [
        f"job({items[0]})" if len(items) == 1 else f"job(both({','.join(items)}))"
        for items in several
    ]
    notation = notation_of("term", [("x", text) for text in texts])
    for text in texts:
        graph = notation.graph(["x"], text)
        plain = SGraph(graph.nodes, graph.edges, graph.root)
        assert sorted(notation.write(plain).replace(" ", "")) == sorted(text)
