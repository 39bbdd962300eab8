"""COGS logical forms to graphs with aligned nodes, and back to the exact string."""

import pytest
from hypothesis import given, strategies as st
from toml_tables import tables

from amparser.algebra.expand import expand
from amparser.algebra.tree import am_tree
from amparser.corpora.reading import read_examples
from amparser.errors import TranslateError
from amparser.graph.penman_codec import sgraph_from_penman
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.induction.analysis import analyse
from amparser.logic.cogs import Atom, LogicalForm, Name, Question, Variable, logical_form_from_str
from amparser.notations.cogs import COGS
from amparser.notations.cogs_from_graph import logical_form_from_graph
from amparser.notations.graph_from_cogs import graph_from_logical_form

FILES = [
    (f"{folder}/{split}.tsv.gz", 10 if split == "train" else 1)
    for folder in ("slog/cogs_lf", "cogs")
    for split in ("train", "dev", "test", "gen_sample")
]


@pytest.mark.parametrize(("file", "step"), FILES)
def test_published_forms_round_trip_exactly(data_dir, file, step) -> None:
    """Check every tenth row of train, but all of its primitives and noun phrases."""
    kinds = set()
    for number, example in enumerate(read_examples(data_dir / file)):
        alone = len(example.tokens) == 1 or example.tags[0].startswith("standalone")
        if number % step and not alone:
            continue
        kinds.update(example.tags)
        graph = graph_from_logical_form(example.tokens, logical_form_from_str(example.meaning))
        assert str(logical_form_from_graph(graph)) == example.meaning
    assert step == 1 or "primitive" in kinds


def test_open_sources_become_conventional_lambda_variables() -> None:
    graph = sgraph_from_penman("(i1<root> / give :agent (i2<L1>) :theme (i3<R2>) :to (i4<x>))")
    assert str(logical_form_from_graph(graph)) == (
        "LAMBDA a . LAMBDA b . LAMBDA c . LAMBDA e . give . agent ( e , b ) AND "
        "give . theme ( e , a ) AND give . to ( e , c )"
    )


def test_node_order_and_identifiers_do_not_matter() -> None:
    text = (
        "* house ( x _ 6 ) ; see . agent ( x _ 1 , Emma ) AND see . theme ( x _ 1 , x _ 3 ) AND "
        "cat ( x _ 3 ) AND cat . nmod . in ( x _ 3 , x _ 6 ) AND "
        "house . nmod . in ( x _ 6 , x _ 9 ) AND town ( x _ 9 )"
    )
    sentence = ["Emma", "saw", "a", "cat", "in", "the", "house", "in", "a", "town", "."]
    graph = graph_from_logical_form(sentence, logical_form_from_str(text))
    names = {node: 50 - node for node in graph.nodes}
    edges = [Edge(names[e.parent], e.label, names[e.child]) for e in graph.edges]
    renamed = SGraph(
        {names[node]: value for node, value in reversed(graph.nodes.items())},
        (*edges[-1:], *edges[:-1]),
        names[graph.root],
    )
    assert str(logical_form_from_graph(renamed)) == text


SWEDISH = tables(__file__)["swedish"]


@pytest.mark.parametrize("name", SWEDISH)
def test_lexical_labels_mark_definite_nouns_of_other_languages(name) -> None:
    sentence, text = SWEDISH[name]
    graph = COGS.graph(sentence.split(), text)
    assert COGS.write(graph) == text
    tree = analyse([(sentence.split(), graph)]).trees[0]
    marked = [e.lemma for e in am_tree(tree).entries if e.lexical_label == "*$LEMMA$"]
    assert len(marked) == text.count("*")
    assert COGS.write(expand(tree)) == text


def test_the_is_found_before_an_adjective() -> None:
    tokens, text = (
        ["The", "red", "box", "fell", "."],
        "* box ( x _ 2 ) ; fall . theme ( x _ 3 , x _ 2 )",
    )
    graph = COGS.graph(tokens, text)
    assert {n.label: n.token for n in graph.nodes.values()} == {"the": 1, "box": 3, "fall": 4}
    assert COGS.write(graph) == text


def test_an_unconnected_graph_is_refused() -> None:
    with pytest.raises(TranslateError, match="'cat' at token 2 is not connected"):
        logical_form_from_graph(SGraph({1: Node("eat", 1), 2: Node("cat", 2)}, (), 1))


@st.composite
def graphs(draw: st.DrawFn) -> SGraph:
    size = draw(st.integers(1, 5))
    label = st.sampled_from(["cat", "eat", "the", "in", '"Emma"', "?", None, "", '"', "AND"])
    token = st.one_of(st.none(), st.integers(0, 6), st.integers(1, 6))
    nodes = {node: Node(draw(label), draw(token)) for node in range(size)}
    some_node = st.integers(0, size - 1)
    edge_label = st.sampled_from(["agent", "nmod", "iota", "nmod.op1", "nmod.op2", ".op1", ""])
    edges = draw(st.lists(st.builds(Edge, some_node, edge_label, some_node), max_size=6))
    sources = draw(st.dictionaries(st.sampled_from("ab"), some_node, max_size=2))
    return SGraph(nodes, tuple(edges), draw(some_node), sources)


@given(graphs())
def test_any_graph_is_written_or_refused(graph) -> None:
    try:
        form = logical_form_from_graph(graph)
    except TranslateError:
        return
    assert str(logical_form_from_str(str(form))) == str(form)


@st.composite
def sentences(draw: st.DrawFn) -> tuple[list[str], LogicalForm]:
    tokens = draw(st.lists(st.sampled_from(["a", "in", "Emma", "cat"]), min_size=3, max_size=7))
    words = draw(st.lists(st.sampled_from(["cat", "eat"]), min_size=7, max_size=7))
    position = st.integers(0, len(tokens) - 1)
    variable = st.builds(Variable, position)
    term = st.one_of(variable, variable, st.sampled_from([Name("Emma"), Question()]))

    def atom(place: int, *rest: object) -> Atom:
        terms = [Variable(place), *(t for t in rest if not isinstance(t, tuple))]
        relation = next((t for t in rest if isinstance(t, tuple)), ())
        return Atom((words[place], *relation), tuple(terms))  # type: ignore[arg-type]

    relation = st.sampled_from([("agent",), ("nmod",), ("nmod", "in")])
    binary = st.builds(atom, position, relation, term)
    unary = st.builds(atom, position)
    atoms = draw(st.lists(st.one_of(binary, unary), max_size=5, unique=True))
    return tokens, LogicalForm(tuple(atoms), tuple(draw(st.lists(unary, max_size=2, unique=True))))


@given(sentences())
def test_any_form_round_trips_up_to_order_or_is_refused(sentence) -> None:
    tokens, form = sentence
    try:
        graph = graph_from_logical_form(tokens, form)
    except TranslateError:
        return
    back = logical_form_from_graph(graph)
    assert sorted(map(str, back.atoms)) == sorted(map(str, form.atoms))
    assert sorted(map(str, back.definites)) == sorted(map(str, form.definites))
