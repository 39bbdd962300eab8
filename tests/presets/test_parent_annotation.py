"""Copies of constants: each place takes its own, which pays for what is new there."""

from collections.abc import Sequence
from itertools import product
from math import isclose, log
from random import Random

import numpy as np
import pytest

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.decode.scores import Scores
from amparser.induction.cooccurrence import CooccurrenceCounts
from amparser.lexicon.encoded import FIRST_FRAGMENT, Encoded
from amparser.presets.settings import TreeDecodeSettings, TreeSettings
from amparser.presets.trees.parent_annotation import ParentAnnotator
from amparser.presets.trees.search import Search
from amparser.presets.trees.training import training_set

TAGS = range(FIRST_FRAGMENT, FIRST_FRAGMENT + 3)


def tree(random: Random, count: int) -> Encoded:
    open_places = [(0, 0), (0, 1)]
    heads, ports = [-1], [-1]
    for token in range(1, count):
        head, port = open_places.pop(random.randrange(len(open_places)))
        heads.append(head)
        ports.append(port)
        open_places += [(token, 0), (token, 1)]
    tags = tuple(random.choice(TAGS) for _ in range(count))
    return Encoded(
        tuple("abcdefgh"[:count]),
        tags,
        (0,) * count,
        tuple(heads),
        tuple(ports),
        (None,) * count,
        tuple(range(count)),
    )


def unheard(cooccurrence: CooccurrenceCounts, found: Encoded) -> float:
    total = 0.0
    for token, head in enumerate(found.heads):
        if head >= 0 and found.heads[head] >= 0:
            over = found.tags[found.heads[head]], found.ports[head]
            place = found.tags[head], found.ports[token]
            total += cooccurrence.unheard(over, place, found.tags[token])
    return total


@pytest.mark.parametrize("seed", range(60))
def test_the_copies_that_fit_pay_for_what_is_unheard(seed) -> None:
    random = Random(seed)
    known = [tree(random, random.randint(1, 6)) for _ in range(random.randint(1, 8))]
    cooccurrence = CooccurrenceCounts.of(known, TAGS.stop, [0] * TAGS.stop)
    found = tree(random, random.randint(1, 5))
    copies = ParentAnnotator(cooccurrence, 0.5).copies(sorted(set(found.tags)))
    best = float("-inf")
    for chosen in product(*(range(len(copies.costs[tag])) for tag in found.tags)):
        total = 0.0
        for token, head in enumerate(found.heads):
            if head >= 0:
                place = found.tags[head], found.ports[token]
                total += copies.cost(place, chosen[head], found.tags[token], chosen[token])
        best = max(best, total)
    assert isclose(best, 0.5 * unheard(cooccurrence, found), abs_tol=1e-9)
    for derivation in known:
        assert unheard(cooccurrence, derivation) == 0


def test_without_weight_there_is_one_copy() -> None:
    random = Random(1)
    cooccurrence = CooccurrenceCounts.of(
        [tree(random, 6) for _ in range(8)], TAGS.stop, [0] * TAGS.stop
    )
    assert ParentAnnotator(cooccurrence, 1.0).copies(TAGS).taken
    copies = ParentAnnotator(cooccurrence, 0.0).copies(TAGS)
    assert not copies.taken
    assert all(costs == [{}] for costs in copies.costs.values())


def rows() -> list[Example]:
    """A jar may lie in a room and beside a lid; a lid beside a room and in a jar."""
    names = ("hall", "attic", "loft", "pantry", "porch", "shed")
    shapes = [
        ("Jars in {}", "ask(jar(within(room('{}'))))"),
        ("Lids beside {}", "ask(lid(near(room('{}'))))"),
    ]
    named = [
        Example(
            tuple(sentence.format(name.capitalize()).split()),
            meaning.format(name),
            alignment=((1,), (2,), (4,)),
        )
        for sentence, meaning in shapes
        for name in names
    ]
    others = [
        Example(tuple(sentence.split()), meaning, alignment=((1,), (2,), (3, 4)))
        for sentence, meaning in [
            ("Jars beside lids", "ask(jar(near(lid(all))))"),
            ("Lids in jars", "ask(lid(within(jar(all))))"),
        ]
    ]
    return [*named, *others * 6]


def answers(weight: float, words: Sequence[str], spelled: float = 0) -> list[str]:
    class Alone(TreeDecodeSettings):
        violation = pair_weight = strange_weight = 0
        unheard_weight = weight
        name_share = spelled

    alone = Alone(prior_weight=0)
    gold = training_set(Corpus(rows(), (), "term"), TreeSettings())
    search = Search(gold.learned.inventory, gold.learned.sorts, gold.learned.cooccurrence, alone)
    labels = ["", "", *(one.labels[0] or "" for one in gold.learned.inventory.fragments)]
    likely = {
        "Jars": {"jar": 1.0},
        "Lids": {"lid": 1.0},
        "Hall": {"room": 1.0},
        "nearby": {"within": 1.0},
        "under": {"near": 0.5, "within": 0.4} if "Jars" in words else {"within": 0.5, "near": 0.4},
    }
    tags = np.full((len(words), len(labels)), 1e-9)
    for token, word in enumerate(words):
        for label, share in likely[word].items():
            tags[token, labels.index(label)] = share
    n = len(words)
    arcs = np.full((n, n + 1), -9.0)
    arcs[range(n), range(n)] = 0.0  # each token below the one before it
    defaults = {p.default for one in gold.learned.inventory.fragments for p in one.ports}
    closed = np.full((n, len(defaults), 2), log(0.5))
    scores = Scores(np.log(tags), arcs[..., None], default_logp=closed)
    found = search.best(words, scores).analysis
    return [labels[tag] for tag in found.tags]


def test_an_unheard_constant_loses_to_one_that_is_nearly_as_likely() -> None:
    assert answers(0.0, ("Jars", "under", "Hall")) == ["jar", "near", "room"]
    assert answers(0.5, ("Jars", "under", "Hall")) == ["jar", "within", "room"]
    assert answers(0.0, ("Lids", "under", "Hall")) == ["lid", "within", "room"]
    assert answers(0.5, ("Lids", "under", "Hall")) == ["lid", "near", "room"]


def test_a_word_may_mean_what_it_spells_where_the_tagger_rules_it_out() -> None:
    words = ("Lids", "nearby", "Hall")
    assert answers(0.5, words) == ["lid", "within", "room"]
    assert answers(0.0, words, spelled=0.3) == ["lid", "within", "room"], "it is less likely"
    assert answers(0.5, words, spelled=0.3) == ["lid", "near", "room"], "within is unheard"


def test_a_sentence_with_too_many_variants_has_one_copy(monkeypatch) -> None:
    monkeypatch.setattr("amparser.presets.trees.search._MOST_VARIANTS", 3)
    assert answers(0.5, ("Jars", "under", "Hall")) == answers(0.0, ("Jars", "under", "Hall"))
    monkeypatch.setattr("amparser.presets.trees.search._MOST_VARIANTS", 30)
    assert answers(0.5, ("Jars", "under", "Hall")) != answers(0.0, ("Jars", "under", "Hall"))
