"""Classes of words: the description never grows, and names do not matter."""

from math import isclose, log2

import numpy as np
from hypothesis import given, strategies as st

from amparser.lexicon.word_classes import WordClasses

Uses = dict[str, dict[int, int]]

SUPERTAGS = 5
uses = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=3),
    st.dictionaries(st.integers(0, SUPERTAGS - 1), st.integers(1, 30), min_size=1, max_size=4),
    min_size=1,
    max_size=12,
)


def bits(found: Uses, classes: dict[str, int]) -> float:
    tokens = sum(sum(counts.values()) for counts in found.values())
    total = 0.0
    for c in set(classes.values()):
        words = [word for word in found if classes[word] == c]
        counts = [sum(found[w].get(k, 0) for w in words) for k in range(SUPERTAGS)]
        total += 0.5 * log2(max(tokens, 2)) * sum(count > 0 for count in counts)
        total -= len(words) * log2(len(words) / len(found))
        total -= sum(count * log2(count / sum(counts)) for count in counts if count)
    return total


@given(uses)
def test_no_two_classes_are_left_whose_joining_is_shorter(found) -> None:
    classes = dict(WordClasses.of(found, SUPERTAGS).words)
    assert classes.keys() == found.keys()
    sets = {tuple(sorted(counts)): number for number, counts in enumerate(found.values())}
    start = {word: sets[tuple(sorted(counts))] for word, counts in found.items()}
    end = bits(found, classes)
    assert end <= bits(found, start) + 1e-6
    for a in set(classes.values()):
        for b in set(classes.values()):
            joined = {word: a if c == b else c for word, c in classes.items()}
            assert end <= bits(found, joined) + 1e-6


@given(uses, st.permutations(range(SUPERTAGS)))
def test_probabilities_sum_to_one_whatever_was_seen(found, order) -> None:
    classes = WordClasses.of(found, SUPERTAGS)
    assert isclose(classes.share.sum(), 1)
    assert np.allclose(classes.supertags.sum(axis=1), 1)
    for seen in ({}, *found.values()):
        assert isclose(classes.predicted(seen).sum(), 1)
    assert isclose(classes.predicted({}).sum(), 1)


def test_classes_are_those_of_the_words() -> None:
    """Names, verbs with one or two arguments, and a word like no other."""
    found: Uses = {f"name{i}": {0: 3 + i} for i in range(5)}
    found |= {f"verb{i}": {1: 4, 2: 2 + i} for i in range(4)} | {"rare": {2: 1}}
    found |= {"the": {3: 200}}
    classes = WordClasses.of(found, SUPERTAGS)
    groups: dict[int, set[str]] = {}
    for word, c in classes.words.items():
        groups.setdefault(c, set()).add(word.rstrip("0123456789"))
    assert sorted(map(sorted, groups.values())) == [["name"], ["rare", "verb"], ["the"]]
    assert classes.predicted({2: 1})[1] > 0.3 > 0.01 > classes.predicted({0: 2})[1]


def test_nothing_is_known_without_words() -> None:
    assert np.allclose(WordClasses.of({}, 3).predicted({}), 1 / 3)
