"""S-expressions with bound variables: round trips, and equality up to variable names."""

import re
import runpy
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st
from toml_tables import tables

from amparser.errors import TranslateError
from amparser.graph.penman_codec import sgraph_from_penman, sgraph_to_penman
from amparser.graph.sgraph import Edge, Node, SGraph, isomorphic
from amparser.logic.sexpr import Sexpr, sexpr_from_str, sexpr_to_str
from amparser.notations.notation import Notation, without_layout
from amparser.notations.sexpr import SEXPR, renamed

ROOT = Path(__file__).resolve().parents[2]
ATOMS = st.sampled_from(
    (
        *("$0", "$1", "$2", "?x", "f", "and", "e", "5", '"a b"', "|c d|", "boston:ci", ":ci", ":"),
        *("()", "a:$", "b:*", ".", "&and", "not:", "/2", "_", "x", "from"),
    )
)
SEXPRS = st.recursive(
    ATOMS.map(lambda atom: Sexpr() if atom == "()" else Sexpr(atom)),
    lambda inside: (
        st.lists(inside, max_size=5).map(lambda items: Sexpr("", tuple(items)))
        | inside.filter(lambda one: not one.atom.startswith((",", "@")))
        .map(lambda one: Sexpr("'", (one,), True))
    ),
    max_leaves=14,
)  # fmt: skip
FLIGHTS = tables(__file__)["flights"] * 2


def flights() -> Notation:
    return SEXPR.for_corpus([(text.split(), meaning) for text, meaning in FLIGHTS])


@given(SEXPRS, st.lists(st.sampled_from(["boston", "f", "from", "5"]), max_size=4), st.booleans())
def test_texts_round_trip(sexpr, tokens, spaced) -> None:
    text = sexpr_to_str(sexpr, spaced=spaced)
    notation = SEXPR.styled("spaced" if spaced else "")
    for one in (notation, notation.for_corpus([(tokens, text)] * 3)):
        # Words of the sentence order the items of functions of variable arity.
        graph = without_layout(one.graph(() if one.chains else tokens, text))
        assert len(graph.edges) == len(graph.nodes) - 1
        assert notation.write(graph) == text
        assert notation.written(tokens, graph) == text


@pytest.mark.parametrize("text", tables(__file__)["texts"])
def test_unusual_texts_round_trip(text: str) -> None:
    for one in (SEXPR, SEXPR.for_corpus([((), text)] * 3)):
        assert SEXPR.write(without_layout(one.graph((), text))) == text


@given(SEXPRS)
def test_equality_ignores_names_of_bound_variables(sexpr) -> None:
    other = renamed(sexpr)
    assert renamed(other) == other
    assert SEXPR.equality((), sexpr_to_str(sexpr), sexpr_to_str(other)).graph
    one, two = (SEXPR.graph((), sexpr_to_str(s)) for s in (renamed(sexpr), other))
    assert isomorphic(one, two)


def test_graphs_contain_no_names_of_variables() -> None:
    text = "(lambda $0 e (exists $1 (and (flight $1) (= (fare $1) $0))))"
    graph = SEXPR.graph((), text)
    labels = [node.label for node in graph.nodes.values()]
    assert labels == ["(lambda ! e (exists ! _))", "and", "(flight $)", "(= _ ^)", "(fare $)"]
    for same in ("(lambda $7 e (exists $3 (and (flight $3) (= (fare $3) $7))))", f" {text} "):
        assert SEXPR.equality((), text, same).reformatted
    other = "(lambda $0 e (exists $1 (and (flight $0) (= (fare $1) $0))))"
    assert not SEXPR.equality((), text, other).reformatted
    # Names other than $0, $1, ... in order of binding are kept.
    for named in ("(exists $4 (f $4))", "(all ?x (some ?y (f ?x ?y)))"):
        assert SEXPR.write(without_layout(SEXPR.graph((), named))) == named


def test_conjuncts_form_a_chain_in_sentence_order() -> None:
    text, meaning = FLIGHTS[1]
    graph = flights().graph(text.split(), meaning)
    chain = [
        (graph.nodes[e.parent].label, graph.nodes[e.child].label)
        for e in graph.edges
        if e.label == "&and"
    ]
    assert [label for _, label in chain] == ["(to $ _) #2", "(from $ _) #1", "."]
    assert chain[0][0] == "(flight $) #0"
    # The text has train's order, even if the writing notation has seen no corpus.
    assert SEXPR.write(without_layout(graph)) == meaning
    assert SEXPR.written((), without_layout(graph)) == meaning


def test_conjuncts_that_never_cooccur_are_ordered_through_others() -> None:
    rows = [((), f"(lambda $0 e (and {' '.join(f'({f} $0)' for f in order)}))") for order in
            ("facd", "fbd", "fcd")]  # fmt: skip
    notation = SEXPR.for_corpus(rows)
    graph = notation.graph((), "(lambda $0 e (and (b $0) (d $0) (a $0)))")
    assert SEXPR.write(without_layout(graph)) == "(lambda $0 e (and (a $0) (b $0) (d $0)))"


def test_a_condition_on_two_binders_is_part_of_the_inner_one() -> None:
    rows = [
        (f"{day} fares", f"(lambda $0 e (exists $1 (and (f $1) (on $1 {day}) (= (fare $1) $0))))")
        for day in ("friday", "monday")
    ]
    notation = SEXPR.for_corpus([(text.split(), meaning) for text, meaning in rows])
    graph = without_layout(notation.graph(rows[0][0].split(), rows[0][1]))
    assert graph.nodes[graph.root].label == "(lambda ! e (exists ! (and (= _ ^) #2 _)))"
    assert {edge.label for edge in graph.edges if edge.parent == graph.root} == {"arg0", "arg1"}
    assert SEXPR.write(graph) == rows[0][1]
    sgraph_from_penman(sgraph_to_penman(graph))
    alone = SGraph(
        {0: Node("(exists ! (and (by $) #2 _))"), 1: Node("(f $)")}, (Edge(0, "arg0", 1),), 0
    )
    with pytest.raises(TranslateError, match="no chain"):
        SEXPR.write(alone)


def test_constants_are_literals_if_words_spell_values_of_their_type() -> None:
    text, meaning = FLIGHTS[3]
    labels = {node.label for node in flights().graph(text.split(), meaning).nodes.values()}
    assert {"_ :ci", '"boston"', "economy:cl"} <= labels


def test_a_type_with_only_one_place_is_part_of_the_list_above() -> None:
    rows = [
        ("lunch flights", "(lambda $0 e (and (f $0) (meal $0 lunch : me) (g $0)))"),
        ("dinner flights", "(lambda $0 e (and (f $0) (meal $0 dinner : me) (g $0)))"),
    ]
    notation = SEXPR.for_corpus([(text.split(), meaning) for text, meaning in rows])
    graph = without_layout(notation.graph(["lunch", "flights"], rows[0][1]))
    [edge] = [e for e in graph.edges if graph.nodes[e.child].label == '"lunch"']
    assert (graph.nodes[edge.parent].label or "").startswith("(meal $ _ : me)")
    assert SEXPR.write(graph) == rows[0][1]
    other = SEXPR.for_corpus([((), rows[0][1].replace("(g $0)", "(g $0 lunch : me)"))])
    assert "_ : me" not in {n.label for n in graph.nodes.values()}
    labels = {n.label for n in other.graph(["lunch"], rows[0][1]).nodes.values()}
    assert not any("_ : me)" in (label or "") for label in labels)


def test_the_corpus_of_the_docs_round_trips() -> None:
    question = runpy.run_path(str(ROOT / "docs" / "flights.py"))["question"]
    random = Random(7)
    rows = [(text.split(), meaning) for text, meaning, _ in (question(random) for _ in range(300))]
    notation = SEXPR.styled("spaced").for_corpus(rows)
    for tokens, meaning in rows:
        graph = without_layout(notation.graph(tokens, meaning))
        assert notation.write(graph) == meaning
        assert not any(re.search(r"\$\d", node.label or "") for node in graph.nodes.values())


def test_deep_texts_are_refused_or_written() -> None:
    deep = "(f " * 3000 + "$0" + ")" * 3000
    with pytest.raises(Exception, match="nested too deeply") as raised:
        SEXPR.graph((), f"(lambda $0 {deep})")
    assert type(raised.value).__module__ == "amparser.errors"
    long = "(lambda $0 (and " + " ".join(f"(f{i} $0)" for i in range(3000)) + "))"
    notation = SEXPR.for_corpus([((), long)] * 2)
    assert SEXPR.write(without_layout(notation.graph((), long))) == long
    assert sexpr_to_str(sexpr_from_str(long)) == long
