"""Results: printing, drawing, exports and explanations."""

import json
from xml.etree import ElementTree

import pytest
from command_line import ok, run

from amparser.algebra.conll import am_trees_from_str
from amparser.corpora.jsonl import JSON
from amparser.errors import InputError
from amparser.graph.penman_codec import sgraph_from_penman
from amparser.graph.sgraph import isomorphic
from amparser.results import Result

QUESTION = "Who did Emma give a cake to ?"
LONG = "Emma said that " * 18 + "the girl liked a cake ."


@pytest.fixture(scope="module")
def result(parser) -> Result:
    [result] = parser.parse([QUESTION])
    return result


@pytest.fixture(scope="module")
def failed(parser) -> Result:
    [result] = parser.parse([QUESTION], decoder="astar")
    assert result.failure is not None
    return result


def test_repr_is_short_and_str_has_sentence_and_meaning(result) -> None:
    assert repr(result).startswith(f"<Result {QUESTION!r}: 'give . agent")
    assert len(repr(result)) < 150
    assert str(result) == f"{QUESTION}\n{result.meaning}"


def test_failure_shows_its_reason(failed) -> None:
    assert repr(failed) == f"<Result {QUESTION!r}: no parse: 'no well-typed tree'>"
    assert str(failed) == f"{QUESTION}\nno parse: no well-typed tree"


def test_exports_survive_a_round_trip(result) -> None:
    assert isomorphic(sgraph_from_penman(result.to_penman()), result.graph)
    assert [am_trees_from_str(result.to_amconll())[0].derivation().heads] == [result.tree.heads]  # type: ignore[union-attr]
    assert JSON.example(result.to_json()).meaning == result.meaning
    graph = result.to_networkx()
    labels = sorted(data["label"] for _, data in graph.nodes(data=True))
    assert labels == ['"Emma"', "?", "cake", "give"]


def test_export_without_graph_is_an_error_with_the_reason(failed) -> None:
    with pytest.raises(InputError, match="the result has no graph: no well-typed tree"):
        failed.to_penman()
    with pytest.raises(InputError, match="the result has no graph"):
        failed.to_networkx()
    assert "no well-typed tree" in failed.to_svg()


def test_unexplained_result_is_an_error() -> None:
    with pytest.raises(InputError, match="cannot explain"):
        Result(("a",), "b").explain()


def test_equality_ignores_the_explainer(parser) -> None:
    one, other = parser.parse([QUESTION, QUESTION])
    assert one == other


# --- explanations


def test_explanation_has_the_choice_at_each_token(parser, result) -> None:
    found = result.explain()
    assert [choice.form for choice in found.choices] == list(result.tokens)
    give = found.choices[3]
    assert give.supertag == "give(agent [L1], theme [R1], recipient [to])"
    assert give.edge == "ROOT"
    assert give.margin > 0
    assert found.choices[1].supertag == "ignored"
    [passive] = parser.parse(["Who was the cake given to?"])
    given = passive.explain().choices[4]
    assert given.supertag == "give(theme [L1], recipient [to])"


def test_explained_scores_equal_search_scores(parser, result) -> None:
    [scores] = parser.score([result.tokens])
    for i, choice in enumerate(result.explain().choices):
        assert choice.logp == scores.supertag_logp[i, result.parse.supertags[i]]


def test_explanation_is_text_and_json(failed) -> None:
    found = failed.explain()
    lines = str(found).splitlines()
    assert lines[0].split() == ["token", "supertag", "logp", "edge", "runner-up", "margin"]
    assert "no parse: no well-typed tree" in lines
    assert json.loads(found.to_json())["failure"] == "no well-typed tree"


# --- the command line


def test_parse_prints_one_picture_of_all_sentences() -> None:
    one = ok("parse", "--format", "svg", "--device", "cpu", QUESTION)
    ElementTree.fromstring(one)
    several = ok("parse", "--format", "svg", "--device", "cpu", QUESTION, "Emma slept.", LONG)
    root = ElementTree.fromstring(several)
    words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "slept" in words
    assert words.count("said") == 18


def test_parse_draws_failures_and_lists_them() -> None:
    result = run("parse", "--format", "svg", "--device", "cpu", "cake the")
    assert result.exit_code == 1
    assert "no well-typed tree" in result.stdout
    ElementTree.fromstring(result.stdout)
    assert "sentence 1: no parse" in result.stderr


def test_each_value_has_the_probability_of_its_words() -> None:
    meaning = '{"intent": "timer", "name": "green tea", "at": [{"h": 7}]}'
    tokens = ("timer", "green", "tea", "at", "7")
    sure = (0.5, 0.9, 0.8, 1.0, 0.25)
    found = Result(tokens, meaning, "json", certainties=sure).values()
    assert [(one.path, one.value, one.tokens) for one in found] == [
        (("intent",), "timer", [1]),
        (("name",), "green tea", [2, 3]),
        (("at", 0, "h"), 7, [5]),
    ]
    assert [one.probability for one in found] == pytest.approx([0.5, 0.72, 0.25])
    unsaid = Result(tokens, '{"day": "today"}', "json", certainties=sure).values()
    assert [one.probability for one in unsaid] == [0.25]
    assert Result(("7",), "7", "json").values()[0].probability is None
    with pytest.raises(InputError, match="expected a meaning in json, got cogs"):
        Result(tokens, "sleep ( Emma )", "cogs").values()
