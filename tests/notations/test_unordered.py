"""Functions with unordered arguments: found in a corpus, and compared as sets."""

from random import Random

import pytest
from hypothesis import given, strategies as st
from toml_tables import tables

from amparser.notations.ordered_trees import graph_of_tree
from amparser.notations.registry import NOTATIONS
from amparser.notations.unordered import NESTED, in_order_of_words, sets_of

TABLES = tables(__file__)

CONDITIONS = {"red": "color = red", "big": "size > 3", "old": "age > 90", "new": "is_new"}
WORDS = list(CONDITIONS)


def nested(words: list[str]) -> str:
    """Return a meaning with nested conditions, the last one outermost."""
    meaning = "things"
    for word in words:
        meaning = f"(call filter {meaning} {CONDITIONS[word]})"
    return meaning


def joined(words: list[str]) -> str:
    return f"get(both({', '.join(f'is({word}, 1)' for word in words)}))"


def rows_of(meaning_of, seed: int = 0) -> list[tuple[tuple[str, ...], str]]:
    """Return sentences with one to three conditions; their order in the meaning is random."""
    random = Random(seed)
    rows = []
    for _ in range(30):
        said = random.sample(WORDS, random.randint(1, 3))
        meant = random.sample(said, len(said))
        rows.append((("show", *said), meaning_of(meant)))
    rows.append((("show", "all"), "(call count things)" if meaning_of is nested else "get(all)"))
    return rows


def test_functions_that_occur_with_both_orders_are_unordered() -> None:
    assert NOTATIONS["term"].unordered_of(rows_of(joined)) == {"both": 0}
    assert NOTATIONS["sexpr"].unordered_of(rows_of(nested)) == {"call filter": NESTED}


def test_a_corpus_notation_reports_its_findings() -> None:
    known = NOTATIONS["term"].for_corpus(rows_of(joined))
    assert known.remarks == (
        "any number of arguments: both",
        "the order of arguments has no meaning: both",
    )
    assert NOTATIONS["term"].remarks == ()


def test_functions_that_follow_word_order_are_ordered() -> None:
    random = Random(1)
    said = [random.sample(WORDS, random.randint(1, 3)) for _ in range(30)]
    rows = [(("go", *words), joined(words)) for words in said]
    assert NOTATIONS["term"].unordered_of(rows) == {}
    assert NOTATIONS["term"].unordered_of(rows, ["both", "other"]) == {"both": 0}


@given(st.permutations(WORDS), st.permutations(WORDS))
@pytest.mark.parametrize(("name", "meaning_of"), [("term", joined), ("sexpr", nested)])
def test_meanings_are_equal_in_any_order(name, meaning_of, one, other) -> None:
    notation = NOTATIONS[name].comparing(rows_of(meaning_of))
    assert notation.same_sets(meaning_of(one), meaning_of(other))
    assert notation.equality((), meaning_of(one), meaning_of(other)).graph == (one == other)
    assert not notation.same_sets(meaning_of(one), meaning_of(other[1:]))


@pytest.mark.parametrize(("gold", "answer"), TABLES["different"])
def test_different_meanings_are_not_equal(gold, answer) -> None:
    assert NOTATIONS["term"].comparing((), ["both"]).same_sets(gold, gold) is None
    notation = NOTATIONS["term"].comparing([((), gold)], ["both"])
    assert notation.same_sets(gold, gold)
    assert notation.same_sets(gold, answer) is False


def test_a_function_nested_in_itself_is_one_set() -> None:
    notation = NOTATIONS["term"].comparing([((), "and(a, and(b, c))")], ["and"])
    assert notation.same_sets("and(a, and(b, c))", "and(and(c, a), b)")


@given(st.permutations(WORDS), st.permutations(WORDS))
def test_training_graphs_follow_the_order_of_words(said, meant) -> None:
    rows = [(tokens, SEXPR.tree(tokens, SEXPR.read(text))) for tokens, text in rows_of(nested, 2)]
    sets = sets_of(rows)
    tokens = ("show", *said)
    tree = SEXPR.tree(tokens, SEXPR.read(nested(meant)))
    in_order_of_words(tree, tokens, sets)
    assert SEXPR.write(graph_of_tree(tree)) == nested(list(said))


def test_comparison_as_sets_ignores_variable_names() -> None:
    gold = "(lambda $0 e (and (job $0) (city $0)))"
    notation = SEXPR.comparing([((), gold)], ["and"])
    assert notation.same_sets(gold, "(lambda $7 e (and (city $7) (job $7)))")


def test_a_missing_answer_is_wrong() -> None:
    notation = SEXPR.comparing(rows_of(nested))
    assert notation.same_sets(nested(WORDS), None) is False


SEXPR = NOTATIONS["sexpr"]
