"""What a search does that exhausts its budget."""

import pytest

from amparser.decode import astar, astar_gap, fixed_tree
from amparser.decode.decoders import DECODERS
from amparser.decode.parse import BUDGET
from amparser.parser import Parser

WORST = ("snored",) * 43
"""Some 47 million steps without a budget."""


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser.load(device="cpu")


@pytest.mark.parametrize("name", ["astar", "astar-gap"])
def test_word_salad_ends_within_its_budget_and_says_so(name: str, parser: Parser) -> None:
    [scores] = parser.score([WORST])
    [parse] = parser.decode([scores], name)
    assert parse.found
    assert parse.fallback in ("3 supertags a token", "1 supertag a token", "fixed-tree")
    result = parser.assemble(WORST, parse)
    assert result.fallback == result.example().fallback == parse.fallback


@pytest.mark.parametrize("decode", [astar.decode, astar_gap.decode])
def test_a_search_counts_steps(decode: object, parser: Parser) -> None:
    [scores] = parser.score([("Emma", "gave", "a", "cake", "to", "the", "dog", ".")])
    table = parser.restrictions.table
    search = astar.decode if decode is astar.decode else astar_gap.decode
    assert search(scores, table).found
    assert search(scores, table, max_steps=30).failure == BUDGET
    assert search(scores, table, max_steps=2000) == search(scores, table)


def test_the_last_resort_is_the_fixed_tree(parser: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    from amparser.decode.fallback import with_fallback

    [scores] = parser.score([("Emma", "saw", "a", "dog", ".")])
    table = parser.restrictions.table
    search = with_fallback(lambda *_, **__: astar.decode(scores, table, max_items=0))
    found = search(scores, table, supertag_limit=6, open_root=False)
    assert found.fallback == "fixed-tree"
    assert found.logp == fixed_tree.decode(scores, table).logp


@pytest.mark.parametrize("name", DECODERS)
def test_a_hard_sentence_changes_no_other(name: str, parser: Parser) -> None:
    easy = [("Emma", "ran", "."), ("A", "dog", "saw", "Liam", ".")]
    alone = [parser.answers([one], [name])[name][0] for one in easy]
    batch = parser.answers([easy[0], WORST, easy[1]], [name])[name]
    assert [one.meaning for one in alone] == [batch[0].meaning, batch[2].meaning]
    assert all(one.fallback is None for one in (*alone, batch[0], batch[2]))
