"""Labels that words spell: outright, with an ending, or not at all."""

from hypothesis import given
from hypothesis import strategies as st

from amparser.errors import ModelError
from amparser.induction.constants import Contraction
from amparser.induction.inventory import Inventory
from amparser.lexicon.lexical_labels import LexicalLabels
from amparser.lexicon.scripts import script_of, scripted
from amparser.lexicon.spelling import CopyRule, copy_rule
from amparser.schema import from_json, to_json

PIECE = "townid(arg0 --LEX--)"
TOWNS = {
    "Parista": "paris",
    "Londonta": "london",
    "New Yorkta": "new york",
    "Madridta": "madrid",
    "Vienna": "vienna",
    "Calcutta": "calcutta",
}
RULE = CopyRule(" ", "lower", (("ta", ""),))


def labels_of(towns: dict[str, str], rule: CopyRule) -> LexicalLabels:
    labels = LexicalLabels(rule)
    for words, content in towns.items():
        labels.add(PIECE, words.split(), f"'{content}'")
    return labels


@given(st.text("ab", min_size=1), st.text("ab", min_size=1))
def test_a_script_makes_the_text_that_it_is_of(form: str, text: str) -> None:
    assert scripted(form, script_of(form, text)) == text


def test_what_several_names_lose_is_an_ending() -> None:
    pairs = [(["in", *words.split()], f"'{content}'") for words, content in TOWNS.items()]
    assert copy_rule(pairs) == RULE
    assert not copy_rule(pairs[:2]).endings, "two names may end alike by chance"


def test_no_ending_where_words_spell_all_names() -> None:
    pairs = [([f"{name}s", name], f"'{name}'") for name in ("north", "south", "west", "east")]
    assert not copy_rule(pairs).endings


def test_spans_with_endings_only_where_there_are_no_others() -> None:
    assert RULE.spans(["to", "New", "Yorkta"], "new york") == [(1, 3)]
    assert RULE.spans(["Parista", "or", "Paris"], "paris") == [(2, 3)]
    assert RULE.spans(["Parista"], "rome") == []


def test_an_ending_is_left_out_of_names_that_training_does_not_have() -> None:
    labels = labels_of(TOWNS, RULE)
    assert labels.spelled == len(TOWNS)
    assert labels.label(PIECE, ["Romata"]) == "'roma'"
    assert labels.label(PIECE, ["San", "Joseta"]) == "'san jose'"
    assert labels.label(PIECE, ["Viennata"]) == "'vienna'"
    assert labels.label(PIECE, ["Calcutta"]) == "'calcutta'", "this is how the name ends"
    assert labels.label(PIECE, ["Oslo"]) == "'oslo'"


def test_an_ending_that_few_names_have_is_left_out_before_known_names_alone() -> None:
    seldom = {name: name.lower() for name in ("Rita", "Anita", "Marta", "Greta", "Carlotta")}
    labels = labels_of({**TOWNS, **seldom}, RULE)
    assert labels.label(PIECE, ["Viennata"]) == "'vienna'"
    assert labels.label(PIECE, ["Agata"]) == "'agata'"


def test_names_are_known_with_their_endings() -> None:
    labels = labels_of(TOWNS, RULE)
    assert labels.knows(PIECE, ["Viennata"])
    assert not labels.knows(PIECE, ["Romata"])
    assert not labels_of(TOWNS, CopyRule(" ", "lower")).knows(PIECE, ["Viennata"])


def test_words_that_another_piece_has_keep_its_label() -> None:
    labels = labels_of({"Τέξας": "texas", "Οχάιο": "ohio"}, CopyRule(" ", "lower"))
    assert labels.label("riverid(arg0 --LEX--)", ["Οχάιο"]) == "'ohio'"
    assert not labels.knows("riverid(arg0 --LEX--)", ["Οχάιο"])


TIMES = {"630am": "630", "9am": "9", "10:45am": "1045", "7pm": "1900", "8pm": "2000"}
TIME = "ti(arg0 --LEX--)"


def times(more: dict[str, str]) -> LexicalLabels:
    words = {**TIMES, **more}
    labels = LexicalLabels(copy_rule([([word], literal) for word, literal in words.items()]))
    for word, literal in words.items():
        labels.add(TIME, [word], literal)
    return labels


def test_numbers_are_the_digits_of_words_where_train_shows_it() -> None:
    labels = times({})
    assert labels.rule == CopyRule(digits=True)
    assert labels.rule.spans(["at", "6:30am", "or", "7"], "630") == [(1, 2)]
    assert labels.rule.spans(["at", "6", "30", "am"], "630") == [(1, 3)]
    assert labels.label(TIME, ["715am"]) == "715"
    assert labels.label(TIME, ["11:20am"]) == "1120"
    assert labels.label(TIME, ["7pm"]) == "1900"
    # Words of this shape mean other numbers, and no rule says which.
    assert labels.label(TIME, ["3pm"]) == "'3pm'"
    labels = times({"flat": "12"})
    labels.add("name(arg0 --LEX--)", ["flat12"], '"flat12"')
    assert labels.label("name(arg0 --LEX--)", ["flat14"]) == '"flat14"'
    assert not copy_rule([(["630am"], "630"), (["9am"], "9")]).digits, "two may do so by chance"


def test_what_several_names_have_in_front_is_left_out() -> None:
    people = {"@annika": "annika", "@bobby": "bobby", "@chris": "chris", "Dora": "dora"}
    labels = labels_of(people, copy_rule([([w], f"'{c}'") for w, c in people.items()]))
    assert labels.rule == CopyRule(" ", "lower", beginnings=("@",))
    assert labels.label(PIECE, ["@Emily"]) == "'emily'"
    assert labels.label(PIECE, ["Emily"]) == "'emily'"
    assert labels.rule.spans(["to", "@Emily", "now"], "emily") == [(1, 2)]
    sentences = [(["at", word, "now"], f"'{label}'") for word, label in people.items()]
    assert copy_rule(sentences) == labels.rule
    assert labels.knows(PIECE, ["@Dora"])


def test_models_keep_endings() -> None:
    labels = labels_of(TOWNS, RULE)
    stored = to_json(Inventory((), Contraction(), labels), Inventory)
    assert from_json(stored, Inventory, "model.json", error=ModelError).labels == labels


def test_a_number_stays_a_number_and_a_text_a_text() -> None:
    labels = LexicalLabels(CopyRule())
    for words, piece, literal in [
        (["10"], "minutes", "10"),
        (["20"], "minutes", "20"),
        (["Bob"], "name", '"Bob"'),
        (["7"], "room", '"7"'),
        (["30"], "room", '"30"'),
        (["Eve"], "person", "'Eve'"),
    ]:
        labels.add(piece, words, literal)
    assert labels.label("minutes", ["45"]) == "45"
    assert labels.label("minutes", ["30"]) == "30", "as it is of another piece alone"
    assert labels.label("room", ["45"]) == '"45"'
    assert labels.label("name", ["45"]) == '"45"', "this piece has no numbers"
    assert labels.label("name", ["Eve"]) == '"Eve"'
    assert labels.label("new", ["Zoe"]) == '"Zoe"', "the commonest quotes of texts"
    assert labels.label("new", ["8"]) == "8"
