"""The aligner: each search equals brute force, EM never loses, what is given is kept."""

from itertools import pairwise, permutations, product
from math import log
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from amparser.induction.alignment.injective import assign_all
from amparser.induction.alignment.ordered import CONSTANT, NODE, Pair, Target, align_in_order
from amparser.induction.alignment.search import (
    Candidates,
    Penalties,
    best_anchors,
    is_reachable,
    limits,
    numbering,
    row_of,
)
from amparser.induction.alignment.tables import WordModel, ibm_model_1


def reachable(anchors: tuple[int, ...], parents: tuple[int, ...]) -> bool:
    return bool(is_reachable(np.array(anchors), np.array(parents)))


def assign(
    row: Candidates, table: dict[tuple[str, str], float], penalties: Penalties, beam: int
) -> tuple[tuple[int, ...], float] | None:
    grid = numbering([(row.labels, row.words)]).grid
    one = row_of(0, grid, limits([row]), np.zeros(len(row.labels), dtype=np.int64))
    gains = np.array([[table[label, word] for word in row.words] for label in row.labels])
    is_possible, total = best_anchors(gains - penalties.loose * one.loose, one, penalties, beam)
    return (tuple(one.anchors.tolist()), float(total)) if is_possible else None


@st.composite
def rows(draw: st.DrawFn) -> Candidates:
    units, tokens = draw(st.integers(1, 4)), draw(st.integers(3, 5))
    some = st.lists(st.integers(0, tokens - 1), min_size=1, max_size=tokens, unique=True)
    free = draw(st.booleans())
    return Candidates(
        tuple(draw(st.sampled_from("abcd")) for _ in range(tokens)),
        tuple(draw(st.sampled_from("XYZ")) for _ in range(units)),
        (-1, *(draw(st.integers(0, unit - 1)) for unit in range(1, units))),
        tuple(tuple(range(tokens)) if free else tuple(sorted(draw(some))) for _ in range(units)),
        frozenset(draw(st.lists(st.integers(0, tokens - 1), max_size=2))),
    )


@given(rows(), st.integers(0, 2**16))
@settings(max_examples=100, deadline=None)
def test_assignment_equals_brute_force(row, seed) -> None:
    random = Random(seed)
    table = {(label, word): log(random.random()) for label in "XYZ" for word in "abcd"}
    penalties = Penalties(0.7, 0.2, 0.4, 0.9)
    units, parents = len(row.labels), row.parents

    def score(chosen: tuple[int, ...]) -> float:
        arcs = [tuple(sorted((chosen[u], chosen[parents[u]]))) for u in range(1, units)]
        total = sum(table[row.labels[u], row.words[t]] for u, t in enumerate(chosen))
        total -= 0.2 * sum(b - a - 1 for a, b in arcs)
        crossing = sum(a < c < b < d for a, b in arcs for c, d in arcs)
        inside = sum(
            min(chosen[u], chosen[parents[u]]) < chosen[over] < max(chosen[u], chosen[parents[u]])
            for u in range(1, units)
            if (over := parents[parents[u]]) >= 0 and parents[u] > 0
        )
        return total - 0.7 * crossing - 0.4 * inside - 0.9 * len(row.loose & set(chosen))

    best = assign(row, table, penalties, beam=10_000)
    every = sorted(
        (
            chosen
            for chosen in permutations(range(len(row.words)), units)
            if all(token in row.tokens[unit] for unit, token in enumerate(chosen))
        ),
        key=score,
        reverse=True,
    )
    assert (best is None) == (not every)
    if best is None:
        return
    fewest = len(row.loose & set(every[0]))
    options = [p for p in every if reachable(p, parents) and len(row.loose & set(p)) <= fewest]
    assert best[1] == pytest.approx(max(map(score, options or every[:1])))
    assert score(best[0]) == pytest.approx(best[1])


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_reachable_trees_are_those_of_the_definition(data) -> None:
    count = data.draw(st.integers(1, 6))
    parents = (-1, *(data.draw(st.integers(0, unit - 1)) for unit in range(1, count)))
    anchors = tuple(data.draw(st.permutations(range(count))))
    below = {u: [v for v in range(count) if parents[v] == u] for u in range(count)}

    def under(unit: int) -> list[int]:
        return [unit, *(v for child in below[unit] for v in under(child))]

    def span(unit: int) -> tuple[int, int]:
        tokens = [anchors[v] for v in under(unit)]
        return min(tokens), max(tokens)

    def is_plain(unit: int) -> bool:
        spans = sorted([(anchors[unit], anchors[unit]), *map(span, below[unit])])
        return all(a[1] < b[0] for a, b in pairwise(spans))

    def is_inside(unit: int) -> bool:
        agenda = list(below[unit])
        for other in agenda:
            low, high = span(other)
            if low < anchors[unit] < high:
                if not is_plain(other):
                    return False
                agenda += below[other]
        return len(below[unit]) == 1

    expected = all(is_plain(unit) or is_inside(unit) for unit in range(count))
    assert reachable(anchors, parents) == expected


def word_model(corpus: list[Candidates], rounds: int) -> WordModel:
    return ibm_model_1(numbering([(r.labels, r.words) for r in corpus]), limits(corpus), rounds)


@given(st.lists(rows(), min_size=1, max_size=6))
@settings(max_examples=50, deadline=None)
def test_em_never_lowers_the_likelihood(corpus) -> None:
    likelihoods = word_model(corpus, 10).likelihoods
    assert len(likelihoods) == 10
    for before, after in pairwise(likelihoods):
        assert after >= before - 1e-9


def test_ibm_model_1_finds_the_words_of_labels() -> None:
    pairs = [("a b", "A B"), ("b c", "B C"), ("c a", "C A"), ("a", "A")]
    corpus = [
        Candidates(
            tuple(words.split()),
            tuple(labels.split()),
            (-1,) * len(labels.split()),
            (tuple(range(len(words.split()))),) * len(labels.split()),
        )
        for words, labels in pairs
    ]
    numbered = numbering([(row.labels, row.words) for row in corpus])
    table = word_model(corpus, 30).table
    pairs = zip(numbered.pair_label, numbered.pair_feature, strict=True)
    words: dict[str, dict[str, float]] = {label: {} for label in numbered.labels}
    for (label, word), probability in zip(pairs, table, strict=True):
        words[numbered.labels[label]][numbered.features[word]] = probability
    for label in "ABC":
        assert max(words[label], key=words[label].__getitem__) == label.lower()


@given(st.lists(rows(), min_size=1, max_size=6))
@settings(max_examples=50, deadline=None)
def test_units_have_tokens_of_their_own_that_they_may_have(corpus) -> None:
    assigned = assign_all(corpus).refined()
    anchors = assigned.anchors
    for row, found in zip(corpus, anchors, strict=True):
        if found is None:
            assert not any(
                len(set(chosen)) == len(chosen) for chosen in product(*row.tokens)
            ) or len(row.labels) > len(row.words)
            continue
        assert len(set(found)) == len(found) == len(row.labels)
        assert all(token in row.tokens[unit] for unit, token in enumerate(found))
    placed = [row for row, found in zip(corpus, anchors, strict=True) if found is not None]
    assert assigned.counts.sum() == sum(len(row.labels) for row in placed)


def test_a_given_alignment_is_kept() -> None:
    row = Candidates(("a", "b", "c"), ("X", "Y", "Z"), (-1, 0, 1), ((2,), (0,), (1,)))
    assert assign_all([row] * 3).refined().anchors == [(2, 0, 1)] * 3


def pair(words: str, labels: str, given_tokens: tuple[int, ...] = ()) -> Pair:
    tokens = words.split()
    targets = [Target(NODE, label, label.lower(), label) for label in labels.split()]
    return Pair([[f"={w}"] for w in tokens], [[w] for w in tokens], (), targets, given_tokens)


def test_targets_find_their_words_or_what_is_given() -> None:
    corpus = [pair("one dog saw", "DOG X"), pair("one cat saw", "CAT X"), pair("two cat", "CAT")]
    assert align_in_order(corpus) == [(1, 2), (1, 2), (1,)]
    kept = [*corpus, pair("one dog saw", "DOG X", (0, -1)), pair("empty", "")]
    assert align_in_order(kept)[3:] == [(0, 2), ()]


def test_kinds_and_features_of_one_text_are_apart() -> None:
    target = Target(CONSTANT, "now", "", "now")
    row = Pair([["=a", "sem=NOW"], ["=b", "sem=X"]], [["a"], ["b"]], (), [target])
    other = Pair([["=c", "sem=Y"], ["=d", "sem=NOW"]], [["c"], ["d"]], (), [target])
    assert align_in_order([row, other] * 5) == [(0,), (1,)] * 5
