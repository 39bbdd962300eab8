"""Rows made of constituents of others."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from chosen import derivation_by_hand, links
from toy_graphs import BOXED, SMALL, corpus

from amparser.algebra.derivation import FIRST_BOX, Arc, Derivation, Scope
from amparser.algebra.expand import expand, layered
from amparser.algebra.fragment import Fragment
from amparser.algebra.types import IGNORE
from amparser.graph.boxes import join
from amparser.graph.sgraph import isomorphic
from amparser.induction.augmentation.by_arcs import ArcAugmentation, replaced
from amparser.induction.augmentation.exchange import Constituent, Splice
from amparser.induction.fragments import Row
from amparser.learn.settings import with_overrides
from amparser.lexicon.graph_inventory import Tag, tags_of
from amparser.lexicon.units import Unit
from amparser.presets.graphs.training import training_set

POOL = ArcAugmentation([])

MANY = with_overrides(SMALL, ["data.recombined=2.0", "data.texts=0"])


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return list(training_set(corpus(), SMALL).train)


def test_what_took_a_place_can_be_taken_back(rows: list[Row]) -> None:
    random = Random(1)
    several = 0
    for _ in range(300):
        old, new = random.sample(rows, 2)
        sites, parts = POOL.sites(old), POOL.sites(new)
        if not sites or not parts:
            continue
        site, part = random.choice(sites), random.choice(parts)
        shift = site.first - part.first
        there = Constituent(part.head + shift, site.first, part.end + shift)
        forms = (
            *old.tokens[: site.first],
            *new.tokens[part.first : part.end],
            *old.tokens[site.end :],
        )
        found = replaced(old.derivation, new.derivation, Splice(site, part), forms)
        assert there in POOL.sites(replace(old, derivation=found))
        back = replaced(found, old.derivation, Splice(there, site), old.tokens)
        assert back == old.derivation
        assert isomorphic(expand(back, BOXED), expand(old.derivation, BOXED))
        several += any(found.boxes.introduced)
        graph = layered(found)
        assert len(join(graph, BOXED).nodes) == len(graph.labels) + len(graph.boxes)
    assert several > 50


def test_new_rows_have_only_what_train_has(rows: list[Row]) -> None:
    drawn = ArcAugmentation(rows).drawn(200, Random(3))
    assert len(drawn) == 200

    def items(row: Row) -> list[str | Tag]:
        tokens = zip(row.tokens, tags_of(row.derivation), strict=True)
        return ["", *(f.lower() if isinstance(t, str) else t for f, t in tokens), ""]

    seen = {pair for row in rows for pair in pairwise(items(row))}
    old = {row.tokens for row in rows}
    for row in drawn:
        assert set(pairwise(items(row))) <= seen
        assert len(row.units) == len(row.tokens)
        assert [unit.text for unit in row.units] == list(row.tokens)
        assert [unit.token for unit in row.units] == list(range(len(row.units)))
        expand(row.derivation, BOXED)
    assert len({row.tokens for row in drawn} - old) > 30


NOUN, VERB = Fragment(("noun",)), Fragment(("verb",))


def row_of(derivation: Derivation) -> Row:
    units = (Unit(word, False, i) for i, word in enumerate(derivation.tokens))
    return Row(tuple(units), derivation)


def test_sentences_grow() -> None:
    def row(text: str) -> Row:
        words = text.split()
        tags = [VERB, *(IGNORE if word == "in" else NOUN for word in words[1:])]
        heads = [-1 if i == 0 or w == "in" else max(0, i - 2) for i, w in enumerate(words)]
        edges = ["", "of>00", *("" if w == "in" else "place>00" for w in words[2:])]
        return row_of(derivation_by_hand(tags, edges, heads, text))

    rows = [row("see dogs in parks"), row("see cats in towns in vales")]
    found = {" ".join(drawn.tokens) for drawn in ArcAugmentation(rows).drawn(50, Random(0))}
    assert "see dogs in towns in vales" in found
    assert "see cats in towns in towns in vales" in found
    assert all(text.startswith("see ") and text.count("in") >= 1 for text in found)


def test_nothing_is_drawn_where_nothing_can_be_exchanged() -> None:
    alone = row_of(derivation_by_hand([NOUN], [""], [-1], "x"))
    assert ArcAugmentation([alone]).drawn(5, Random(0)) == []


@pytest.mark.parametrize("reached", ["beside", "box"])
def test_what_others_lead_into_is_no_constituent(reached: str) -> None:
    tags = [Fragment((label,)) for label in "abc"]
    plain = derivation_by_hand(tags, ["", "x>00", "y>00"], [-1, 0, 1], "a b c")
    heads = [part.head for part in POOL.sites(row_of(plain))]
    assert heads == [1, 2]
    if reached == "beside":
        changed = replace(plain, reentrant=(Arc(0, 2, links("z>00")),))
    else:
        boxes = ((), (), ((-1, "NOT"),))
        scope = Scope(boxes, ((2, 0), FIRST_BOX, FIRST_BOX), (FIRST_BOX,) * 3)
        changed = replace(plain, scope=scope)
    assert [part.head for part in POOL.sites(row_of(changed))] == []


def test_recombined_sentences_are_learned_from() -> None:
    gold = training_set(corpus(), MANY)
    assert len(gold.train) == 360
    assert gold.report.train_count == 120
    assert gold.report.remarks[-1] == "240 sentences recombined from constituents of train"
