"""Rows made of constituents of others."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from toy_graphs import BOXED, SMALL, corpus

from amparser.compositions.graphs.gold import gold_of
from amparser.graph.boxes import join
from amparser.graph.sgraph import isomorphic
from amparser.induction.exchange import Constituent, Splice
from amparser.induction.fragments import expand
from amparser.induction.graph_recombination import Recombination, constituents, replaced
from amparser.learn.settings import with_overrides
from amparser.lexicon.analysis import EMPTY, FIRST_BOX, JOINED, ROOT, Analysis, Row, Tag
from amparser.lexicon.units import Unit

MANY = with_overrides(SMALL, ["data.recombined=2.0", "data.texts=0"])


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return list(gold_of(corpus(), SMALL.data).train)


def test_what_took_a_place_can_be_taken_back(rows: list[Row]) -> None:
    random = Random(1)
    several = 0
    for _ in range(300):
        old, new = random.sample(rows, 2)
        sites = constituents(old.tokens, old.analysis)
        parts = constituents(new.tokens, new.analysis)
        if not sites or not parts:
            continue
        site, part = random.choice(sites), random.choice(parts)
        found = replaced(old.analysis, new.analysis, Splice(site, part))
        shift = site.first - part.first
        there = Constituent(part.head + shift, site.first, part.end + shift)
        forms = (
            *old.tokens[: site.first],
            *new.tokens[part.first : part.end],
            *old.tokens[site.end :],
        )
        assert there in constituents(forms, found)
        back = replaced(found, old.analysis, Splice(there, site))
        assert back == old.analysis
        assert isomorphic(join(expand(back), BOXED), join(expand(old.analysis), BOXED))
        several += any(found.introduced)
        graph = expand(found)
        assert len(join(graph, BOXED).nodes) == len(graph.labels) + len(graph.boxes)
    assert several > 50


def test_new_rows_have_only_what_train_has(rows: list[Row]) -> None:
    drawn = Recombination(rows).drawn(200, Random(3))
    assert len(drawn) == 200

    def items(row: Row) -> list[str | Tag]:
        tokens = zip(row.tokens, row.analysis.tags, strict=True)
        return ["", *(f.lower() if t in (EMPTY, JOINED) else t for f, t in tokens), ""]

    seen = {pair for row in rows for pair in pairwise(items(row))}
    old = {row.tokens for row in rows}
    for row in drawn:
        analysis = row.analysis
        assert set(pairwise(items(row))) <= seen
        assert len(row.units) == len(analysis.tags) == len(analysis.heads) == len(analysis.labels)
        assert [unit.token for unit in row.units] == list(range(len(row.units)))
        join(expand(analysis), BOXED)
    assert len({row.tokens for row in drawn} - old) > 30


def test_sentences_grow() -> None:
    noun, verb = Tag(("noun",), (False,)), Tag(("verb",), (False,))

    def row(text: str) -> Row:
        words = text.split()
        tags = [verb, *(EMPTY if word == "in" else noun for word in words[1:])]
        heads = [ROOT if i == 0 or w == "in" else max(0, i - 2) for i, w in enumerate(words)]
        labels = ["0", "of>00", *("" if w == "in" else "place>00" for w in words[2:])]
        n = len(words)
        nowhere = (FIRST_BOX,) * n
        units = tuple(Unit(word, False, i) for i, word in enumerate(words))
        nothing = ((),) * n
        return Row(
            units,
            Analysis(
                tuple(tags), nothing, nothing, nowhere, nowhere, tuple(heads), tuple(labels), ()
            ),
        )

    rows = [row("see dogs in parks"), row("see cats in towns in vales")]
    found = {" ".join(drawn.tokens) for drawn in Recombination(rows).drawn(50, Random(0))}
    assert "see dogs in towns in vales" in found
    assert "see cats in towns in towns in vales" in found
    assert all(text.startswith("see ") and text.count("in") >= 1 for text in found)


def test_nothing_is_drawn_where_nothing_can_be_exchanged() -> None:
    tag = Tag(("x",), (False,))
    alone = Analysis((tag,), ((),), ((),), (FIRST_BOX,), (FIRST_BOX,), (ROOT,), ("0",), ())
    assert Recombination([Row((Unit("x", False, 0),), alone)]).drawn(5, Random(0)) == []


@pytest.mark.parametrize("reached", ["beside", "box"])
def test_what_others_lead_into_is_no_constituent(reached: str) -> None:
    a, b, c = (Tag((label,), (False,)) for label in "abc")
    plain = Analysis(
        (a, b, c),
        ((),) * 3,
        ((),) * 3,
        (FIRST_BOX,) * 3,
        (FIRST_BOX,) * 3,
        (ROOT, 0, 1),
        ("0", "x>00", "y>00"),
        (),
    )
    heads = [part.head for part in constituents(("a", "b", "c"), plain)]
    assert heads == [1, 2]
    if reached == "beside":
        changed = replace(plain, extra=((0, 2, "z>00"),))
    else:
        changed = replace(
            plain, introduced=((), (), ((-1, "NOT"),)), scope=((2, 0), FIRST_BOX, FIRST_BOX)
        )
    assert [part.head for part in constituents(("a", "b", "c"), changed)] == []


def test_recombined_sentences_are_learned_from() -> None:
    gold = gold_of(corpus(), MANY.data)
    assert len(gold.train) == 360
    assert gold.report.train_count == 120
    assert gold.report.remarks[-1] == "240 sentences made of constituents of train"
