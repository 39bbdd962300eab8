"""Precision and recall of functions and keys."""

from amparser.corpora.example import Example
from amparser.learn.parts import SHOWN, Part, weakest_parts
from amparser.notations.registry import NOTATIONS
from amparser.results import Result

JSON, TERM = NOTATIONS["json"], NOTATIONS["term"]
SAID = ("dim", "the", "hall")


def pair(gold: str, answer: str | None) -> tuple[Example, Result]:
    return Example(SAID, gold), Result(SAID, answer)


def test_a_key_is_correct_if_its_value_is() -> None:
    gold = '{"intent": "dim", "slots": {"room": "hall", "level": 20}}'
    answer = '{"intent": "dim", "slots": {"room": "hall", "level": 30}}'
    found = {part.name: part for part in weakest_parts([pair(gold, answer)], JSON)}
    assert set(found) == {"level"}
    assert found["level"] == Part("level", 1, 1, 0, (" ".join(SAID),))


def test_a_function_is_correct_if_it_has_the_leaves_of_gold() -> None:
    rows = [pair("near(city('Oslo'), big(city('Rome')))", "near(city('Oslo'), city('Rome'))")]
    assert [part.name for part in weakest_parts(rows, TERM)] == ["big"]


def test_a_missing_answer_lacks_all_parts() -> None:
    [part] = weakest_parts([pair('{"intent": "dim"}', None)], JSON)
    assert (part.gold, part.answered, part.right) == (1, 0, 0)


def test_correct_answers_have_no_weak_parts() -> None:
    meaning = '{"intent": "dim"}'
    assert weakest_parts([pair(meaning, meaning), pair("no JSON", None)], JSON) == []


def test_parts_with_most_errors_come_first() -> None:
    rows = [
        pair(f"f{i}({j})", f"f{i}({j + 1})")  # f1 is wrong once, f2 twice, ...
        for i in range(1, SHOWN + 3)
        for j in range(i)
    ]
    names = [part.name for part in weakest_parts(rows, TERM)]
    assert names == [f"f{i}" for i in range(SHOWN + 2, 2, -1)]
