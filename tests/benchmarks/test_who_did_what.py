"""Floors of the packaged model of running text on sentences with expected roles."""

import pytest
from who_did_what import measured

from amparser.parser import Parser

RIGHT = {"who_did_what": 60, "negation": 57, "structures": 34}
"""Right items of each file; one may be lost, since rounding differs between machines."""


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser.load("eds")


@pytest.mark.parametrize("name", RIGHT)
def test_roles_stay_right(parser, name) -> None:
    items = measured(parser, name)
    assert sum(not item for item in items) >= RIGHT[name] - 1, [fault for i in items for fault in i]


def test_chat_spelling_gives_the_graph_of_the_usual_spelling(parser) -> None:
    chat, usual = parser.parse(["u dont like my cat.", "you don't like my cat."])
    assert chat.meaning == usual.meaning
    assert not chat.unknown
    assert chat.tokens[:2] == ("u", "dont")
    spans = {node.span for node in chat.graph.nodes.values()}
    assert {(0, 1), (1, 5), (5, 9)} <= spans  # characters of the sentence, without spaces
    words = [role.argument.text for role in chat.roles() if role.predicate == "like"]
    assert {"u", "cat"} <= {*words}


def test_capital_letter_is_not_a_pronoun(parser) -> None:
    assert "pron" not in (parser("The letter U is red.").meaning or "pron")
    assert '"U"' in (parser("The letter U is a vowel.").meaning or "")
