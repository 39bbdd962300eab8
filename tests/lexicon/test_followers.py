"""What may stand behind ignored words, and where a sentence contradicts it."""

import numpy as np
import pytest

from amparser.lexicon.observed import Observed
from amparser.lexicon.restrictions import Followers

IGNORED, NOUN, PARTICIPLE, VERB = range(4)
ALL = {IGNORED, NOUN, PARTICIPLE, VERB}


@pytest.fixture
def followers() -> Followers:
    observed = Observed(
        uses={
            "a": {IGNORED: 40},
            "was": {IGNORED: 20},
            "um": {IGNORED: 3},
            "cat": {NOUN: 40},
            "eaten": {PARTICIPLE: 20},
            "ran": {VERB: 20},
        },
        after={
            "": {IGNORED: 60, VERB: 20, NOUN: 5},
            "a": {NOUN: 39, IGNORED: 1},
            "was": {PARTICIPLE: 20},
            "um": {NOUN: 1, PARTICIPLE: 1, VERB: 1},
        },
    )
    return Followers(observed, len(ALL), 10)


OWN = {"a": {IGNORED}, "was": {IGNORED}, "um": {IGNORED}, "cat": {NOUN}, "ran": {VERB}}


def allowed(followers: Followers, sentence: str) -> list[set[int]]:
    tokens = sentence.split()
    likely = np.zeros((len(tokens), len(ALL)), np.bool_)
    for row, token in zip(likely, tokens, strict=True):
        row[list(OWN.get(token.lower(), {VERB, PARTICIPLE}))] = True
    return [set(np.flatnonzero(row).tolist()) for row in followers.allowed([tokens], likely)]


def test_neighbours_follow_as_in_training(followers) -> None:
    found = allowed(followers, "A cat was eaten")
    assert found == [ALL - {PARTICIPLE}, {NOUN, IGNORED}, ALL - {PARTICIPLE}, {PARTICIPLE}]


def test_a_word_that_never_followed_frees_what_is_needed_further_on(followers) -> None:
    assert allowed(followers, "who was a cat eaten")[2:] == [ALL, {NOUN, IGNORED}, ALL]
    assert PARTICIPLE not in allowed(followers, "who ran a cat eaten")[4]
    assert PARTICIPLE not in allowed(followers, "who eaten was a cat")[1]


def test_words_of_which_nothing_is_known_are_looked_through(followers) -> None:
    found = allowed(followers, "cat was um eaten um um")
    assert found[2] == {IGNORED, PARTICIPLE}
    assert found[3] == {PARTICIPLE}
    assert IGNORED in found[4] & found[5]
    assert allowed(followers, "Um um a cat")[2:] == [ALL - {PARTICIPLE}, {NOUN, IGNORED}]


def test_followers_of_a_word_with_many_seen_once_are_not_known(followers) -> None:
    observed = Observed(
        uses={"so": {IGNORED: 12}}, after={"so": {NOUN: 9, VERB: 1, PARTICIPLE: 1, IGNORED: 1}}
    )
    assert Followers(observed, len(ALL), 10).after("so").all()
    assert not followers.after("a").all()


def test_sentences_of_a_batch_do_not_touch(followers) -> None:
    sentences = ["who was a cat eaten", "ran eaten", "cat was eaten"]
    likely = [
        np.array([[k in OWN.get(t, {VERB, PARTICIPLE}) for k in sorted(ALL)] for t in s.split()])
        for s in sentences
    ]
    together = followers.allowed([s.split() for s in sentences], np.concatenate(likely))
    apart = [
        followers.allowed([sentence.split()], of_one)
        for sentence, of_one in zip(sentences, likely, strict=True)
    ]
    assert np.array_equal(together, np.concatenate(apart))
