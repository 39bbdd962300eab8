"""What comes after the best derivation, against the best one within any limits."""

from dataclasses import replace
from itertools import islice
from math import log

import numpy as np
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray
from toy_terms import examples

from amparser.corpora.corpus import Corpus
from amparser.decode.next_best import ANY, Limits
from amparser.decode.parse import Best
from amparser.decode.scores import Scores
from amparser.lexicon.encoded import CONTINUE_TAG, FIRST_FRAGMENT, Encoded
from amparser.presets.settings import TreeDecodeSettings, TreeSettings
from amparser.presets.trees.search import Search
from amparser.presets.trees.space import choices_of
from amparser.presets.trees.training import training_set

GOLD = training_set(Corpus(examples(60), (), "term"), TreeSettings())
LEARNED = GOLD.learned
SEARCH = Search(LEARNED.inventory, LEARNED.cooccurrence, TreeDecodeSettings(margin=4.0))
WORDS = ("keys", "in", "Pantry")
DEFAULTS = len(LEARNED.inventory.defaults.names)


def logp(random: np.random.Generator, *shape: int) -> NDArray[np.float64]:
    scores = 3.0 * random.normal(size=shape)
    return np.asarray(scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True)))


def scores_of(seed: int, n: int = len(WORDS)) -> Scores:
    random = np.random.default_rng(seed)
    tags = logp(random, n, FIRST_FRAGMENT + len(LEARNED.inventory.fragments))
    closed, heads = logp(random, n, max(1, DEFAULTS), 2), logp(random, n, n + 1)
    return Scores(tags, heads[..., None], default_logp=closed)


def derivations(scores: Scores, most: int) -> list[Best[Encoded]]:
    best = SEARCH.within(ANY, WORDS, scores)
    return [best, *islice(SEARCH.after(WORDS, scores), most - 1)] if best.found else []


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), data=st.data())
def test_what_comes_next_is_the_best_of_all_others(seed, data) -> None:
    scores = scores_of(seed)
    found = derivations(scores, 30)
    choices = [choices_of(one.analysis) for one in found if one.analysis is not None]
    assert len({tuple(one) for one in choices}) == len(found)
    logps = [one.logp for one in found]
    assert logps == sorted(logps, reverse=True)
    if not found:
        return
    # Whatever is forbidden, the best of the rest is the first in the list that is allowed.
    never: dict[object, frozenset[object]] = {}
    for choice, value in data.draw(st.lists(st.sampled_from(choices[0] + choices[-1]), max_size=3)):
        never[choice] = never.get(choice, frozenset()) | {value}
    limits = Limits({}, never)
    rest = [
        one.logp
        for one, made in zip(found, choices, strict=True)
        if all(limits.allow(*choice) for choice in made)
    ]
    best = SEARCH.within(limits, WORDS, scores)
    if rest:
        np.testing.assert_allclose(best.logp, rest[0], atol=1e-6)
    elif best.found:
        assert best.logp <= found[-1].logp + 1e-6


def test_a_derivation_can_be_asked_for_by_all_its_choices() -> None:
    scores = scores_of(3)
    for one in derivations(scores, 8):
        again = SEARCH.within(Limits(dict(choices_of(one.analysis))), WORDS, scores)
        assert again.analysis == one.analysis
        np.testing.assert_allclose(again.logp, one.logp)


def test_known_names_are_whole_or_not_as_train_says() -> None:
    sentence = ("keys", "in", "Salt", "Lake", "City")
    whole, parted = (
        Search(
            LEARNED.inventory,
            replace(LEARNED.cooccurrence, whole=99 * kept, parted=99 * (1 - kept)),
            SEARCH.settings,
        )
        for kept in (1, 0)
    )
    named = [
        tag for tag, one in enumerate(LEARNED.inventory.fragments, FIRST_FRAGMENT) if one.slots
    ]
    each = SEARCH.settings.news_weight * (log(0.5 / 100) - log(99.5 / 100))
    seen = set()
    for seed in range(20):
        scores = scores_of(seed, len(sentence))
        scores.supertag_logp[2:, named] += 4.0
        best = parted.within(ANY, sentence, scores)
        again = whole.within(Limits(dict(choices_of(best.analysis))), sentence, scores)
        assert again.analysis == best.analysis
        spans = [
            (t, t + len(best.analysis.words(t)))
            for t, label in enumerate(best.analysis.labels)
            if label is not None
        ]
        parts = sum(end > 2 and not (start <= 2 and end == 5) for start, end in spans)
        joined = [t for t in (3, 4) if best.analysis.tags[t] == CONTINUE_TAG]
        tags = scores.supertag_logp[joined, CONTINUE_TAG]
        kept, cut = (np.maximum(tags, one.cooccurrence.keeping).sum() for one in (whole, parted))
        np.testing.assert_allclose(again.logp - best.logp, parts * each + kept - cut, atol=1e-6)
        seen.add(parts)
    assert {0, 1} <= seen


def test_without_a_derivation_nothing_comes_after() -> None:
    scores = scores_of(0)
    scores.supertag_logp[:, FIRST_FRAGMENT:] = -99.0
    words = ("x", "y", "z")  # they spell no constant
    assert not SEARCH.best(words, scores).found
    assert not list(SEARCH.after(words, scores))
    assert ANY.allow("any choice", "any value")
