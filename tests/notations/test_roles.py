"""Semantic roles of graphs and their spans in the sentence."""

from dataclasses import replace
from pathlib import Path

import hypothesis
import pytest
from hypothesis import given, strategies as st
from toml_tables import tables

from amparser.benchmarks.eds.roles import ROLES_F1
from amparser.corpora.example import Example
from amparser.corpora.splitting import Splitting
from amparser.corpora.tokens import places_in, tokenize
from amparser.draw.roles import roles_table
from amparser.errors import InputError
from amparser.graph.sgraph import SGraph
from amparser.notations.eds import EDS
from amparser.notations.penman import PENMAN
from amparser.notations.roles import ROLES, scheme_name
from amparser.results import Result

TABLES = tables(__file__)

DOGS = (
    "{e3: _1:_the_q<0:3>[BV x2] x2:_man_n_1<8:11>[] e4:_old_a_1<4:7>[ARG1 x2] "
    "e5:neg<12:19>[ARG1 e3] e3:_chase_v_1<20:25>[ARG1 x2, ARG2 x6] _7:udef_q<30:34>[BV x6] "
    'e8:card<26:29>("2")[ARG1 x6] x6:_dog_n_1<30:34>[] e9:compound<35:39>[ARG1 x6, ARG2 x7] '
    "x7:_park_n_1<35:39>[]}"
)
TEXT = "The old man doesn't chase two dogs park."


def example(sentence: str, meaning: str, scheme: str = "eds", **fields: object) -> Example:
    tokens = tokenize(sentence)
    notation = EDS if scheme == "eds" else PENMAN
    graph = notation.graph(tokens, meaning)
    return Example(tokens, meaning, graph, text=sentence, scheme=scheme, **fields)


def said(row: Example) -> set[tuple[str, str, str]]:
    return {(role.predicate, role.role, role.phrase.text) for role in row.roles()}


def test_relations_without_a_word_join_two_words_and_quantifiers_give_no_role() -> None:
    row = example(TEXT, DOGS)
    assert said(row) == {
        ("old", "ARG1", "The old man"),
        ("chase", "ARG1", "The old man"),
        ("chase", "ARG2", "two dogs park"),
        ("chase", "neg", "doesn't"),
        ("dog", "card", "two"),
        ("dog", "compound", "park"),
    }
    assert {role.sense for role in row.roles()} == {"a_1", "v_1", "n_1"}
    assert all(role.gloss for role in row.roles())


def test_a_gloss_that_does_not_fit_is_left_out() -> None:
    meaning = (
        "(t / _tell_v_1~e.1 :ARG1 (h / pron~e.0) :ARG2 (m / pron~e.2) :ARG3 (r / _rain_v_1~e.4))"
    )
    row = replace(example("He told her it rained", "(x / x)", "pmb"), scheme="eds")
    row = replace(row, graph=PENMAN.graph(row.tokens, meaning))
    assert [bool(role.gloss) for role in row.roles()] == [True, True, False]
    words = [ROLES["eds"].gloss(name, "ARG2") for name in ("_in_p_loc", "_by_p_state", "_for_p")]
    assert words == ["where or when", "", ""]


@pytest.mark.parametrize(("scheme", "graph", "negated"), TABLES["denied"])
def test_denied_predicates_are_marked(scheme, graph, negated) -> None:
    row = replace(example("a b c d e", "(x / x)", "pmb"), scheme=scheme)
    row = replace(row, graph=PENMAN.graph(row.tokens, graph))
    assert row.roles()
    assert {role.predicate for role in row.roles() if role.negated} == set(negated.split())
    assert (" yes" in roles_table(row)) == bool(negated)


@pytest.mark.parametrize("start", [0, 7])
def test_spans_are_characters_of_the_text(start) -> None:
    row = example(TEXT, DOGS, start=start)
    text = "." * start + TEXT
    for role in row.roles():
        for span in (role.place, role.argument, role.phrase):
            assert text[span.start : span.end] == span.text
            assert row.places[span.first - 1][0] == span.start
        assert role.phrase.start <= role.argument.start < role.argument.end <= role.phrase.end
        assert role.place.first == role.place.last != role.argument.first


def test_boxes_and_tense_give_no_roles() -> None:
    meaning = (
        '(b / "box" :member (s / "male.n.02" :Name "Tom") :member (e / "see.v.01" :Experiencer s'
        ' :Time (t / "time.n.08" :TPR "now") :Stimulus (m / "mouse.n.01"))'
        " :member t :member m)"
    )
    tokens = {"male": 1, "see": 2, "time": 3, "mouse": 4}
    graph = PENMAN.graph((), meaning)
    nodes = {
        n: node._replace(token=tokens.get((node.label or "").strip('/"').split(".")[0]))
        for n, node in graph.nodes.items()
    }
    row = Example(
        ("Tom", "saw", "a", "mouse"), graph=SGraph(nodes, graph.edges, graph.root), scheme="pmb"
    )
    assert said(row) == {("see", "Experiencer", "Tom"), ("see", "Stimulus", "mouse")}


def test_without_a_scheme_each_edge_is_a_role() -> None:
    row = example("boys want sleep", "(w / want-01~e.1 :ARG0 (b / boy~e.0) :ARG1 s~e.2)", "")
    assert [(r.predicate, r.role, r.argument.text) for r in row.roles()] == [
        ("want-01", "ARG0", "boys"),
        ("want-01", "ARG1", "sleep"),
    ]


def test_each_edge_of_a_logical_form_gives_one_role(parser) -> None:
    sentences = ["Emma gave the cake on the table to a cat that slept.", "What did Noah say?"]
    for result in parser.parse(sentences):
        edges = sorted(edge.label for edge in result.graph.edges if edge.label != "iota")
        assert sorted(role.role for role in result.roles()) == edges
        assert all(role.gloss for role in result.roles())


def test_a_result_without_a_graph_says_why() -> None:
    with pytest.raises(InputError, match="the result has no graph: no words"):
        Result(("a",), failure="no words").roles()


def test_the_scheme_depends_on_the_benchmark_or_else_the_notation() -> None:
    assert scheme_name("pmb", "penman") == "pmb"
    assert scheme_name("", "eds") == "eds"
    assert scheme_name("", "varfree") == scheme_name("slog", "cogs") == "cogs"
    assert scheme_name("", "penman") == scheme_name("", "") == ""


def test_role_scores_use_tokens_of_raw_text() -> None:
    right = example(TEXT, DOGS)
    other = DOGS.replace("[ARG1 x2, ARG2 x6]", "[ARG1 x6, ARG2 x2]")
    wrong = Result(right.tokens, other, "eds", graph=EDS.graph(right.tokens, other))
    assert ROLES_F1.compare(EDS, right, wrong)["roles_f"].share == pytest.approx(4 / 6)
    # Gold nodes are aligned to words, and a token may consist of several.
    words = ("The", "old", "man", "does", "n't", "chase", "two", "dogs", "park", ".")
    word_of = (1, 3, 2, 5, 6, 8, 7, 8, 9, 9)
    free = {n: node._replace(token=None) for n, node in right.graph.nodes.items()}
    strings = ("-",) * (len(free) - len(word_of))
    layers = (("tok", words), ("alignments", (*map(str, word_of), *strings)))
    gold = Example(right.tokens, graph=replace(right.graph, nodes=free), layers=layers)
    given = Result(right.tokens, DOGS, "eds", graph=right.graph)
    assert ROLES_F1.compare(EDS, gold, given)["roles_f"].share == 1


TOKENIZERS = (tokenize, Splitting(), Splitting(endings=frozenset({"n't", "'s"})))


@given(st.text(max_size=30), st.sampled_from(TOKENIZERS))
@hypothesis.example("\r\u00b4", tokenize)
@hypothesis.example("\r_", tokenize)
def test_places_are_the_character_spans_of_tokens(text, tokenizer) -> None:
    tokens = tokenizer(text)  # type: ignore[operator]
    places = places_in(text, tokens)
    there = [text[start:end] for start, end in places]
    assert there == [getattr(token, "written", token) for token in tokens]
    plain = places_in(text, list(map(str, tokenize(text))))
    assert [text[start:end].lower() for start, end in plain] == [t.lower() for t in tokenize(text)]
    assert places == sorted(places)


PAGE = Path(__file__).resolve().parents[2] / "docs" / "roles.md"


def rows_of_page(scheme: str) -> list[list[str]]:
    heading = {"eds": "Elementary Dependency", "pmb": "the Parallel"}[scheme]
    section = PAGE.read_text(encoding="utf-8").split(f"## Roles of {heading}")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("|")]
    return [
        row for row in rows if not {"---", "role"} & set(row[0].split("|")) and row[1] != "role"
    ]


@pytest.mark.parametrize("scheme", ["eds", "pmb"])
def test_the_docs_page_lists_the_glosses_of_the_scheme(scheme) -> None:
    rows = rows_of_page(scheme)
    assert len(rows) > 15
    for *names, gloss, sentence, answer in rows:
        role = names[-1]
        label = names[0].strip("`") if len(names) == 2 else role
        is_relation = scheme == "eds" and len(names) == 1
        assert ROLES[scheme].gloss(label, "" if is_relation else role) == gloss
        head, argument = answer.split(": ")
        assert {head, argument} <= {*tokenize(sentence.replace("(", "").replace(")", ""))}
