"""Labels that words spell: outright, with an ending, or not at all.

`labels.txt` lists labels of pieces and words in training, and labels of others. Its second lines
are rules of copying, as this file names them.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from amparser.corpora.splitting import Splitting
from amparser.errors import ModelError
from amparser.induction.contraction import Contraction
from amparser.induction.inventory import Inventory
from amparser.lexicon.lexical_labels import LexicalLabels
from amparser.lexicon.spelling import (
    CopyRule,
    Loss,
    cased,
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
RULES = {"same": CopyRule(), "lower": CopyRule(" ", "lower"), "-ta": RULE}
CASES = Path(__file__).with_name("labels.txt").read_text(encoding="utf-8").split("\n\n")


def rows_of(lines: list[str], *kinds: str) -> Iterator[tuple[str, str, list[str], str]]:
    for kind, piece, rows in (re.split(" |: ", line, maxsplit=2) for line in lines):
        for row in rows.split(" | ") if kind in kinds else ():
            words, _, literal = row.partition(" = ")
            yield kind, piece, words.split(), literal


@pytest.mark.parametrize("case", CASES)
def test_labels_of_words(case) -> None:
    _, rule, *lines = case.splitlines()
    train = [row[1:] for row in rows_of(lines, "train")]
    labels = LexicalLabels(RULES.get(rule) or copy_rule([row[1:] for row in train]))
    for row in train:
        labels.add(*row)
    for _, piece, words, literal in rows_of(lines, "label"):
        assert labels.label(piece, words) == literal
    for kind, piece, words, _ in rows_of(lines, "known", "new"):
        assert (labels.strangers(piece, words) is None) == (kind == "known")
    for kind, piece, words, _ in rows_of(lines, "lacks", "yields"):
        assert labels.lacks_number(piece, words) == (kind == "lacks")


@given(st.text("ab", min_size=1), st.text("ab", min_size=1))
def test_a_script_makes_the_text_that_it_is_of(form, text) -> None:
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


def test_spans_in_another_case_or_joint_only_where_no_other_spells_the_content() -> None:
    words = ["Jobs", "for", "us", "at", "td", "waterhouse", "in", "the", "US"]
    spans = {content: CopyRule().spans(words, content) for content in ("US", "TDWaterhouse", "-")}
    assert spans == {"US": [(8, 9)], "TDWaterhouse": [(4, 6)], "-": []}
    assert CopyRule().spans(words[:8], "US") == [(2, 3)]


@pytest.mark.parametrize("case", ["same", "lower", "upper", "title"])
def test_names_of_a_piece_that_copies_are_copied_in_any_case(case) -> None:
    labels = LexicalLabels(CopyRule(" ", case))
    for name in ("Washington", "Jefferson", "Maine", "Iowa", "Idaho"):
        labels.add(PIECE, [name], f"'{cased(name, case)}'")
    president = cased("George Washington", case)
    assert labels.label(PIECE, ["George", "Washington"]) == f"'{president}'"
    for name, content in {"Texas": "TX", "Ohio": "OH", "Kansas": "KS"}.items():
        labels.add(PIECE, [name], f"'{content}'")
    more = LexicalLabels(labels.rule, table=labels.table)
    assert more.label(PIECE, ["Utah"]) == f"'{cased('Utah', case)}'", "most are copied"


@pytest.mark.parametrize(
    ("said", "label", "new", "expected"),
    [
        ("{h} {m}pm", "{p}:{m:02}", "6 50pm", "18:50"),
        ("{d}/{m}/{y}", "{y}-{m:02}-{d:02}", "7/3/2031", "2031-03-07"),
        ("${d}", "{c}", "$40", "4000"),
    ],
)
def test_rules_of_numbers(said, label, new, expected) -> None:
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
    rows = [(["at", f"{hour}", ":", "00"], "0") for hour in range(5, 12)]
    assert not number_rules(rows, ["0", "30"]), "one number for all is no rule"


def test_other_numbers_of_a_sentence_hide_no_rule() -> None:
    rows = [
        (["at", f"{hour}pm", "for", f"{37 * hour}"], label)
        for hour in range(1, 11)
        for label in (f"{hour + 12}00", f"{37 * hour}")
    ]
    rules = number_rules(rows, [label for _, label in rows])
    made = [rule.label_of("7pm") for rule in rules if rule.shape == "0pm"]
    assert "1900" in made


def test_what_several_names_have_in_front_is_no_part_of_their_label() -> None:
    people = {"@annika": "annika", "@bobby": "bobby", "@chris": "chris", "Dora": "dora"}
    rule = copy_rule([(["at", word, "now"], f"'{label}'") for word, label in people.items()])
    assert rule == CopyRule(" ", "lower", (Loss("@"),))
    assert rule.spans(["to", "@Emily", "now"], "emily") == [(1, 2)]


def test_models_keep_endings() -> None:
    labels = LexicalLabels(RULE)
    for words, content in TOWNS.items():
        labels.add(PIECE, words.split(), f"'{content}'")
    assert labels.spelled == len(TOWNS)
    stored = to_json(Inventory((), Contraction(), labels), Inventory)
    assert from_json(stored, Inventory, "model.json", error=ModelError).labels == labels


def test_a_value_is_the_characters_of_its_span() -> None:
    labels = LexicalLabels(CopyRule())
    for text in ("no way, man", "see you  soon", "it is late"):
        labels.add(PIECE, Splitting()(text), f"'{text}'")
    words = Splitting(endless=True)("Wait -  what, now?")
    assert labels.label(PIECE, words) == "'Wait -  what, now?'"
