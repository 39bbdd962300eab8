"""Labels that words spell: outright, with an ending, or not at all."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amparser.corpora.splitting import Splitting
from amparser.errors import ModelError
from amparser.induction.contraction import Contraction
from amparser.induction.inventory import Inventory
from amparser.lexicon.lexical_labels import LexicalLabels
from amparser.lexicon.spelling import (
    CopyRule,
    Loss,
    cased,
    content_of,
    copy_rule,
    number_rules,
    script_of,
    scripted,
)
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
RULE = CopyRule(" ", "lower", (Loss("", "ta"),))


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
    assert not copy_rule(pairs[:2]).losses, "two names may end alike by chance"


def test_no_ending_where_words_spell_all_names() -> None:
    pairs = [([f"{name}s", name], f"'{name}'") for name in ("north", "south", "west", "east")]
    assert not copy_rule(pairs).losses


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


def test_a_piece_that_spells_what_others_do_not_spells_new_words_too() -> None:
    state, short = "stateid(arg0 --LEX--)", "--LEX--"
    labels = LexicalLabels(CopyRule(" ", "lower"))
    for name, content in {"Texas": "tx", "Ohio": "oh", "Maine": "me"}.items():
        labels.add(short, [name], f"'{content}'")
    labels.add(state, ["Texas"], "'texas'")
    labels.add(state, ["Elbonia"], "'elbonia'")
    assert labels.label(state, ["Maine"]) == "'maine'"
    assert labels.label(short, ["Elbonia"]) == "'elbonia'"
    assert labels.label("riverid(arg0 --LEX--)", ["Ohio"]) == "'oh'"


def test_a_name_is_known_by_another_that_training_has() -> None:
    country = "countryid(arg0 --LEX--)"
    labels = LexicalLabels(CopyRule(" ", "lower"))
    labels.add(country, ["America"], "'usa'")
    labels.add(PIECE, ["Washington"], "'washington'")
    assert labels.label(PIECE, ["George", "Washington"]) == "'george washington'", "it copies"
    for words in ("United States", "united states", "U.S."):
        assert labels.label(country, words.split()) == "'usa'"
        assert labels.knows(country, words.split())
        assert labels.label(PIECE, words.split()) == f"'{words.lower()}'"
        assert not labels.knows(PIECE, words.split())


@pytest.mark.parametrize("case", ["same", "lower", "upper", "title"])
def test_names_of_a_piece_that_copies_are_copied_in_any_case(case: str) -> None:
    labels = LexicalLabels(CopyRule(" ", case))
    for name in ("Washington", "Jefferson", "Maine", "Iowa", "Idaho"):
        labels.add(PIECE, [name], f"'{cased(name, case)}'")
    president = cased("George Washington", case)
    assert labels.label(PIECE, ["George", "Washington"]) == f"'{president}'"
    for name, content in {"Texas": "TX", "Ohio": "OH", "Kansas": "KS"}.items():
        labels.add(PIECE, [name], f"'{content}'")
    more = LexicalLabels(labels.rule, table=labels.table)
    assert more.label(PIECE, ["Utah"]) == f"'{cased('Utah', case)}'", "most are copied"


def test_names_are_abbreviated_as_training_shows() -> None:
    short, shown = "--LEX--", {"Texas": "tx", "Ohio": "oh", "South Dakota": "sd"}

    def labels_of_states(count: int) -> LexicalLabels:
        labels = LexicalLabels(CopyRule(" ", "lower"))
        for name, content in list(shown.items())[:count]:
            labels.add(short, name.split(), f"'{content}'")
        for name in ("Maine", "Iowa", "Idaho", "Kansas"):
            labels.add(PIECE, [name], f"'{name.lower()}'")
        return labels

    assert labels_of_states(2).label(short, ["Utah"]) == "'utah'", "two may be chance"
    labels = labels_of_states(3)
    assert labels.label(short, ["Utah"]) == "'ut'"
    assert labels.label(short, ["Maine"]) == "'me'", "though another piece copies it"
    assert labels.label(short, ["North", "Dakota"]) == "'nd'"
    assert labels.label(short, ["Elbonia"]) == "'elbonia'"
    assert labels.label(PIECE, ["Utah"]) == "'utah'", "this piece copies names"


TIMES = {"630am": "630", "9am": "9", "745am": "745", "11am": "11", "1015am": "1015", "7pm": "1900"}
TIME = "ti(arg0 --LEX--)"


def times(more: dict[str, str]) -> LexicalLabels:
    words = {**TIMES, **more}
    labels = LexicalLabels(copy_rule([([word], literal) for word, literal in words.items()]))
    for word, literal in words.items():
        labels.add(TIME, [word], literal)
    return labels


def test_numbers_become_others_where_train_shows_it() -> None:
    labels = times({})
    assert labels.label(TIME, ["715am"]) == "715"
    assert labels.label(TIME, ["7pm"]) == "1900"
    # No rule says which numbers words of this shape mean.
    assert labels.label(TIME, ["3pm"]) == "'3pm'"
    labels = times({"8pm": "2000", "10pm": "2200", "1pm": "1300"})
    labels.add("name(arg0 --LEX--)", ["flat"], '"flat"')
    assert labels.label(TIME, ["3pm"]) == "1500"
    assert labels.rule.spans(["at", "3pm", "or", "7"], "1500") == [(1, 2)]
    assert labels.label("name(arg0 --LEX--)", ["3pm"]) == '"3pm"', "a name is no time"
    assert not copy_rule([(["630am"], "630"), (["9am"], "9")]).numbers, "two may do so by chance"


@pytest.mark.parametrize(
    ("said", "label", "new", "expected"),
    [
        ("{h} {m}pm", "{p}:{m:02}", "6 50pm", "18:50"),
        ("{d}/{m}/{y}", "{y}-{m:02}-{d:02}", "7/3/2031", "2031-03-07"),
        ("${d}", "{c}", "$40", "4000"),
    ],
)
def test_rules_of_numbers(said: str, label: str, new: str, expected: str) -> None:
    random = Random(1)
    rows = []
    for _ in range(40):
        hour, day = random.randint(1, 11), random.randint(1, 28)
        parts = {"h": hour, "p": hour + 12, "m": random.randint(1, 12), "d": day, "c": 100 * day,
                 "y": random.randint(1990, 2030)}  # fmt: skip
        rows.append((["at", *said.format(**parts).split(), "or", "4"], label.format(**parts)))
    rule = copy_rule(rows)
    [(start, end)] = rule.spans(["x", *new.split(), "y"], expected)
    assert (start, end) == (1, 1 + len(new.split()))


def test_numbers_have_the_digits_of_all_labels_and_are_copied_from_few() -> None:
    rows = [(["at", "09:05"], "09:05"), (["at", "10am"], "10:00"), (["at", "11am"], "11:00")]
    assert copy_rule(rows).renumbered(["6am"]) == ["06:00"]
    assert not copy_rule(rows[:2]).numbers
    afternoon = [(["at", "1pm"], "13:00"), (["at", "2pm"], "14:00")]
    assert not copy_rule(afternoon).numbers, "two may have the same difference by chance"


def test_what_several_names_have_in_front_is_left_out() -> None:
    people = {"@annika": "annika", "@bobby": "bobby", "@chris": "chris", "Dora": "dora"}
    labels = labels_of(people, copy_rule([([w], f"'{c}'") for w, c in people.items()]))
    assert labels.rule == CopyRule(" ", "lower", (Loss("@"),))
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


def test_other_numbers_of_a_sentence_hide_no_rule() -> None:
    rows = [
        (["at", f"{hour}pm", "for", f"{37 * hour}"], label)
        for hour in range(1, 11)
        for label in (f"{hour + 12}00", f"{37 * hour}")
    ]
    rules = number_rules(rows, [label for _, label in rows])
    made = [rule.label_of("7pm") for rule in rules if rule.shape == "0pm"]
    assert "1900" in made


def test_a_value_is_the_characters_of_its_span() -> None:
    labels = LexicalLabels(CopyRule())
    for text in ("no way, man", "see you  soon", "it is late"):
        labels.add(PIECE, Splitting()(text), f"'{text}'")
    words = Splitting(endless=True)("Wait -  what, now?")
    assert labels.label(PIECE, words) == "'Wait -  what, now?'"


def test_names_have_quotes_where_train_has_them() -> None:
    labels = LexicalLabels(CopyRule())
    for literal in ("java", "lisp", "'visual basic'"):
        labels.add(PIECE, content_of(literal).split(), literal)
    assert labels.label(PIECE, ["Cobol"]) == "cobol"
    assert labels.label(PIECE, ["turbo", "pascal"]) == "'turbo pascal'"


def test_known_names_are_written_as_typed_if_train_has_several_cases() -> None:
    labels = LexicalLabels(CopyRule())
    for name in ("Vimeo", "vimeo", "Pandora", "pandora", "Deezer", "deezer", "Slacker"):
        labels.add(PIECE, [name], f"'{name}'")
    assert labels.label(PIECE, ["slacker"]) == "'slacker'"
    assert labels.label(PIECE, ["DEEZER"]) == "'DEEZER'"
    once = labels_of({"Vimeo": "Vimeo", "Pandora": "Pandora"}, CopyRule())
    assert once.label(PIECE, ["vimeo"]) == "'Vimeo'"
    for day in ("Monday", "Friday", "Sunday", "today", "tonight", "tomorrow"):
        labels.add("when(--LEX--)", [day], f"'{day}'")
    assert labels.label("when(--LEX--)", ["monday"]) == "'monday'", "no name occurs in both cases"
    for day in ("weekdays", "weekends"):
        labels.add("when(--LEX--)", [day], f"'{day.title()}'")
    assert labels.label("when(--LEX--)", ["monday"]) == "'Monday'", "some are capitalised"
    labels.add("degree(--LEX--)", ["bscs"], "'BSCS'")
    assert labels.label("degree(--LEX--)", ["bscs"]) == "'BSCS'"


def test_a_compound_has_the_longest_name_that_it_begins_with() -> None:
    labels = LexicalLabels(CopyRule())
    for name in ("pool", "poolside", "kitchen", "cellar"):
        labels.add(PIECE, [name], f"'{name}'")
    assert labels.label(PIECE, ["poolsidelamp"]) == "'poolsidelamp'"
    for name in ("pool", "kitchen", "cellar"):
        labels = replace(labels)
        labels.add(PIECE, [f"{name}lamp"], f"'{name}'")
    assert labels.label(PIECE, ["poolsidelamp"]) == "'poolside'"
    assert labels.label(PIECE, ["pools"]) == "'pools'"


def test_a_place_of_numbers_has_no_text_of_another_place() -> None:
    labels = LexicalLabels(CopyRule())
    for number in ("2", "3", "4"):
        labels.add("size(--LEX--)", [number], number)
    labels.add("time(--LEX--)", ["8"], "'20:00'")
    assert labels.label("size(--LEX--)", ["8"]) == "8"


def test_a_place_of_numbers_takes_nothing_else() -> None:
    labels = LexicalLabels(CopyRule())
    for words, literal in (("5", "5"), ("10", "10"), ("ten", "10"), ("half", "30")):
        labels.add(TIME, [words], literal)
    labels.add(PIECE, ["six"], "6")
    lacking = [word for word in ("in", "7", "ten", "six") if labels.lacks_number(TIME, [word])]
    assert lacking == ["in"], "another piece knows six"
