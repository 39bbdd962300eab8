"""Reranker: regressions of parts, the loss of a meaning, and the choice among readings."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from tiny_folders import KINDS

from amparser.errors import ModelError
from amparser.learn.reranker import Reranker, factor_of, ngrams_of
from amparser.lexicon.local_shapes import parts_of
from amparser.notations.registry import NOTATIONS
from amparser.parser import Parser
from amparser.schema import from_json, to_json

# The first word and the last one together decide on the third part.
ROWS = [
    (
        f"{verb} the {noun} {when}".split(),
        {verb, when} | ({"both"} if verb + when == "ab" else set()),
    )
    for verb in "ac"
    for when in "bd"
    for noun in ("cat", "dog", "bird")
    for _ in range(2)
]


def test_loss_is_the_distance_to_the_best_set_of_parts() -> None:
    reranker = Reranker.learned(ROWS)
    shape = len(reranker.ngrams) + 1, len(reranker.parts)
    weights = reranker.weights.astype(float).reshape(shape)
    for tokens in (["a", "the", "cat", "d"], ["c", "new", "b"]):
        used = [n in ngrams_of(tokens) for n in reranker.ngrams] + [True]
        odds = weights[used].sum(axis=0)

        def logp(parts: set[str], odds: np.ndarray = odds) -> float:
            signs = [1 if part in parts else -1 for part in reranker.parts]
            return -float(np.logaddexp(0, -odds * signs).sum())

        sets = [
            {*some}
            for count in range(len(reranker.parts) + 1)
            for some in combinations(reranker.parts, count)
        ]
        best = max(map(logp, sets))
        for parts in sets:
            assert reranker.loss(tokens, parts) == pytest.approx(best - logp(parts))


def test_parts_of_a_new_sentence_follow_from_its_words() -> None:
    reranker = Reranker.learned(ROWS)
    assert reranker.loss(["a", "the", "fox", "d"], {"a", "d"}) == 0
    assert reranker.loss(["a", "the", "fox", "d"], {"c", "d"}) > 1


def test_rare_parts_and_ngrams_and_private_texts_are_left_out() -> None:
    rows = [*ROWS, (["once", "me@home.org", "a"], {"once", "a"}), (["me@home.org", "a"], {"a"})]
    reranker = Reranker.learned(rows)
    assert "once" not in {*reranker.ngrams, *reranker.parts}
    assert not any("@" in ngram for ngram in reranker.ngrams)


def test_a_train_of_one_meaning_has_no_parts_to_learn() -> None:
    reranker = Reranker.learned([(["go"], {"go"})] * 9)
    assert list(reranker.parts) == []
    assert reranker.loss(["go"], {"go"}) == 0


def test_reranker_round_trips_and_damage_is_refused() -> None:
    reranker = Reranker.learned(ROWS, 0.5)
    value = to_json(reranker, Reranker)
    read = from_json(value, Reranker, "file", error=ModelError)
    assert read.loss(["a", "b"], {"both"}) == reranker.loss(["a", "b"], {"both"})
    infinite = "AHw" + value["weights"][3:]
    for damaged, reason in (
        (value | {"weights": "?"}, "weights: expected numbers of 16 bits"),
        (value | {"weights": infinite}, "weights: expected finite numbers"),
        (value | {"parts": [*value["parts"], "more"]}, "weights: expected"),
    ):
        with pytest.raises(ModelError, match=f"file: .*{reason}"):
            from_json(damaged, Reranker, "file", error=ModelError)


def test_factor_is_positive_only_if_it_helps_held_out_sentences() -> None:
    right, wrong = (-2.0, 0.0, True), (-1.0, 5.0, False)
    mixed = [(-1.0, 1.0, True), (-2.0, 0.5, False)]
    factor = factor_of([[wrong, right]] * 20 + [mixed] * 5)
    assert -1.0 - 5.0 * factor < -2.0
    assert factor_of([[(-2.0, 5.0, False), (-1.0, 5.0, True)]] * 20) == 0
    assert factor_of([[(-1.0, 9.0, True), (-1.5, 0.0, False)]] * 20) == 0
    assert factor_of([[wrong, right]] * 9) == 0, "too few sentences"


def test_a_reading_with_a_lower_loss_is_preferred(tmp_path: Path) -> None:
    folder, sentences = KINDS["tree"](tmp_path)
    parser = Parser.load(folder, "cpu")
    assert parser.head.shapes is not None
    changed = 0
    for best in parser.with_options(k_best=2).parse(sentences):
        [last] = best.alternatives
        graph = NOTATIONS["term"].graph(best.tokens, str(last.meaning))
        parts = sorted(parts_of(graph, parser.head.shapes))
        reranker = Reranker([], parts, np.full(len(parts), 30.0, np.float16), 10.0)
        reranked = Parser(replace(parser.head, reranker=reranker), parser.model)
        [single] = reranked.parse([best.tokens])
        [first] = reranked.with_options(k_best=2).parse([best.tokens])
        assert single.meaning == first.meaning == last.meaning
        none = replace(reranker, factor=0.0)
        [same] = Parser(replace(parser.head, reranker=none), parser.model).parse([best.tokens])
        assert same.meaning == best.meaning
        changed += last.meaning != best.meaning
    assert changed
