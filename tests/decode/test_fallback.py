"""Fallback of a search that exhausts its budget."""

import time

import pytest

from amparser.decode import astar, astar_gap, fixed_tree
from amparser.decode.decoders import DecodersOf
from amparser.decode.parse import BUDGET

WORST = ("blicked", "the", "wug") * 14
"""Sentence with very many trees of nearly the same score."""


@pytest.mark.parametrize("name", ["astar", "astar-gap"])
def test_word_salad_stops_within_budget_and_names_the_fallback(name, parser) -> None:
    [scores] = parser.score([WORST])
    [parse] = parser.decode([scores], name)
    assert parse.found
    assert parse.fallback in ("3 supertags a token", "1 supertag a token", "fixed-tree")
    result = parser.assemble(WORST, parse)
    assert result.fallback == result.example().fallback == parse.fallback


@pytest.mark.parametrize("decode", [astar.decode, astar_gap.decode])
def test_a_search_counts_steps(decode, parser) -> None:
    [scores] = parser.score([("Emma", "gave", "a", "cake", "to", "the", "dog", ".")])
    table = parser.model.restrictions.table
    search = astar.decode if decode is astar.decode else astar_gap.decode
    assert search(scores, table).found
    assert search(scores, table, max_steps=30).failure == BUDGET
    assert search(scores, table, max_steps=2000) == search(scores, table)


def test_the_last_resort_is_the_fixed_tree(parser, monkeypatch) -> None:
    from amparser.decode.best_tree import with_fallback

    [scores] = parser.score([("Emma", "saw", "a", "dog", ".")])
    table = parser.model.restrictions.table
    search = with_fallback(lambda *_, **__: astar.decode(scores, table, max_items=0))
    found = search(scores, table, supertag_limit=6, open_root=False)
    assert found.fallback == "fixed-tree"
    assert found.logp == fixed_tree.decode(scores, table).logp


@pytest.mark.parametrize("name", list(DecodersOf("node")))
def test_a_hard_sentence_does_not_change_others(name, parser) -> None:
    easy = [("Emma", "ran", "."), ("A", "dog", "saw", "Liam", ".")]
    alone = [parser.answers([one], [name])[name][0] for one in easy]
    batch = parser.answers([easy[0], WORST, easy[1]], [name])[name]
    assert [one.meaning for one in alone] == [batch[0].meaning, batch[2].meaning]
    assert all(one.fallback is None for one in (*alone, batch[0], batch[2]))


LONG = {
    "a verb": ("snored",) * 400,
    "unknown words": ("wug", ".") * 200,
    "clauses": ("Emma", "said", *("that", "Liam", "said") * 132, "Ava", "ran"),
    "questions": ("Who", "did", "Emma", "give", "a", "cake", "to", "?") * 50,
}


@pytest.mark.parametrize("sentence", LONG.values(), ids=LONG)
def test_400_words_take_at_most_two_seconds(sentence, parser) -> None:
    """It takes one second; the rest is a margin for busy machines."""
    for name in DecodersOf("node"):
        parser.answers([("Emma", "ran", ".")], [name])  # compile and load everything first
        started = time.thread_time()
        [result] = parser.answers([sentence], [name])[name]
        assert time.thread_time() - started < 2, name
        assert (result.meaning is None) == (result.failure is not None)
