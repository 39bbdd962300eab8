"""What a lexicon rules out in the scores of a sentence."""

import math

import numpy as np
import pytest
from grammar_trees import sampled_trees

from amparser.decode.scores import Scores
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.restrictions import Restrictions

Sentence = tuple[str, ...]


@pytest.fixture(scope="module")
def sampled() -> tuple[Lexicon, list[Sentence]]:
    trees = sampled_trees("slog", 6)
    sentences = [tree.tokens for tree in trees]
    return Lexicon.from_trees(trees, polymorphic=True), sentences


def random_scores(lexicon: Lexicon, n: int, seed: int) -> Scores:
    rng = np.random.default_rng(seed)
    supertag_logp = -rng.random((n, len(lexicon.supertags)), np.float32)
    edge_logp = -rng.random((n, n + 1, len(lexicon.operations)), np.float32)
    return Scores(supertag_logp, edge_logp)


def apply_by_token(rules: Restrictions, tokens: Sentence, scores: Scores) -> Scores:
    supertag_logp, edge_logp = scores.supertag_logp.copy(), scores.edge_logp.copy()
    n, operation_count = len(tokens), edge_logp.shape[2]
    in_place = np.zeros((n, 2, operation_count), np.bool_)
    mobile = np.zeros(n, np.bool_)
    of_words = np.stack([rules.word(form) for form in tokens])
    behind = rules._followers.allowed([tokens], of_words >= math.log(0.01))
    for i in range(n):
        supertag_logp[i, ~behind[i]] = -np.inf
        supertag_logp[i] += of_words[i]
        possible = np.flatnonzero(supertag_logp[i] > -np.inf)
        for o in range(operation_count):
            if not rules.fills[possible, o].any():
                edge_logp[i, :, o] = -np.inf
            in_place[i, :, o] = rules.side_allowed[possible, :, o].any(axis=0)
        edge_logp[i, 1:][rules.inflected(tokens)[i]] = -np.inf
        mobile[i] = rules.mobile[supertag_logp[i].argmax()]
    return Scores(supertag_logp, edge_logp, in_place, mobile)


@pytest.mark.parametrize("frequent", [1, 5, 10**6])
def test_sentences_are_restricted_token_by_token(sampled, frequent) -> None:
    lexicon, sentences = sampled
    rules = Restrictions(frequent, lexicon=lexicon)
    ruled_out = 0
    for seed, tokens in enumerate([*sentences[::4], ("blicket",), ("the", "blicket", "slept")]):
        scores = random_scores(lexicon, len(tokens), seed)
        expected = apply_by_token(rules, tokens, scores)
        ruled_out += int(np.isneginf(expected.supertag_logp).sum())
        [found] = rules.apply([tokens], [scores])
        for name in ("supertag_logp", "edge_logp", "in_place", "mobile"):
            assert np.array_equal(getattr(found, name), getattr(expected, name)), name
    assert (ruled_out > 0) == (frequent < 10**6)


def test_the_empty_sentence_has_nothing_to_rule_out(sampled) -> None:
    lexicon, _ = sampled
    [found] = Restrictions(20, lexicon=lexicon).apply([()], [random_scores(lexicon, 0, 0)])
    assert len(found) == 0


def test_a_frequent_marker_hangs_only_as_it_was_seen(sampled) -> None:
    lexicon, _ = sampled
    places = lexicon.observed.places
    markers = [k for k in places if k and lexicon.templates[k] is None]
    assert markers
    for frequent in (1, 10**6):
        fills = Restrictions(frequent, lexicon=lexicon).fills
        for k in markers:
            hangs = set(np.flatnonzero(fills[k]).tolist())
            assert (hangs <= set(places[k])) == (frequent == 1)


def test_the_place_of_a_marker_is_not_left_open_for_a_relativiser(sampled) -> None:
    lexicon, _ = sampled
    free = lexicon.table
    bound = Restrictions(1, lexicon=lexicon).table
    by = lexicon.operations.index("APP_by")
    assert bound.unbound[by]
    assert not free.unbound.any()
    assert ((bound.combine >= 0) <= (free.combine >= 0)).all()
    lost = np.argwhere((bound.combine < 0) & (free.combine >= 0))
    assert len(lost)
    for _, dependent, _ in lost:
        assert bound.types[dependent].sources & {"by", "to", "that"}


def test_what_is_displaced_may_take_the_place_of_a_marker_but_not_beside_its_head(sampled) -> None:
    lexicon, _ = sampled
    rules = Restrictions(1, lexicon=lexicon)
    that = lexicon.operations.index("APP_that")
    asks = lexicon.templates.index("?")
    noun = lexicon.templates.index("$LEMMA$")
    assert rules.mobile[asks]
    assert rules.fills[asks, that]
    assert not rules.fills[noun, that]
    assert rules.side_allowed[asks, :, that].tolist() == [True, False]
