"""Parts of an answer that the page links to words: JSON values and roles."""

import json

import pytest

from amparser.algebra.conll import am_trees_from_str
from amparser.draw.linked_json import linked_json
from amparser.draw.roles import role_cards
from amparser.parser import Parser

IGNORED = "_	_	_	_	_	_	_	0	IGNORE	true"
RING = r'(i1<root> / "{\"intent\": \"call\"}" :who (i2<A>) :at (i3<B>))'
CALL = f"""\
1	Ring	_	_	_	_	{RING}	_	(A(), B())	0	ROOT	true
2	Dr.	_	_	_	_	(i1<root> / who :is (i2 / --LEX--))	"Dr. Smith"	()	1	APP_A	true
3	Smith	{IGNORED}
4	2	{IGNORED}
5	times	{IGNORED}
6	at	{IGNORED}
7	2	_	_	_	_	(i1<root> / at :is (i2 / --LEX--))	$FORM$	()	1	APP_B	true
"""
MEANING = '{"intent": "call", "who": ["Dr. Smith"], "at": 2, "loud": {}, "zone": null}'


def pieces_of(meaning: str) -> list[tuple[str, list[int]]]:
    [tree] = am_trees_from_str(CALL)
    derivation = tree.derivation()
    return linked_json(meaning, derivation.tokens, derivation)


def test_json_values_have_the_words_that_they_come_from() -> None:
    pieces = pieces_of(MEANING)
    assert [(text, words) for text, words in pieces if words] == [
        ('"call"', [1]),  # by the constant of the word
        ('"Dr. Smith"', [2, 3]),
        ("2", [7]),  # not the 2 that the meaning ignores
    ]


def test_json_is_written_on_several_lines() -> None:
    text = "".join(text for text, _ in pieces_of(MEANING))
    assert text == json.dumps(json.loads(MEANING), indent=2)


def test_other_meanings_have_no_pieces() -> None:
    assert pieces_of("call(2)") == []


@pytest.mark.parametrize(
    ("model", "sentence", "predicates"),
    [
        ("eds", "The old man did not give a red book to the girl.", ["give", "old", "red"]),
        ("slog", "The cake on the table burned.", ["burn", "on"]),
    ],
)
def test_cards_of_verbs_come_first(model, sentence, predicates) -> None:
    [result] = Parser.load(model, device="cpu").parse([sentence])
    cards = role_cards(result.roles())
    assert [card["predicate"] for card in cards] == predicates
    assert cards[0]["negated"] == ("not" in sentence)
    assert sum(len(card["roles"]) for card in cards) == len(result.roles())
    for part in (role for card in cards for role in card["roles"]):
        first, last = part["place"]
        assert part["text"].split() == list(result.tokens[first - 1 : last])
