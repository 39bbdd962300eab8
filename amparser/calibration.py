"""Two steps after training: fit the confidence of answers, and learn to split raw text.

The confidence is a regression that estimates whether an answer is correct. It is fitted on answers
to sentences of the corpus and to *foreign* sentences: shuffled and made-up words
(`amparser.learn.confidence.foreign_to`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import numpy as np

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.splitting import Splitting
from amparser.errors import AMParserError
from amparser.graph.sgraph import isomorphic
from amparser.learn.confidence import Confidence, foreign_to, penalty_of
from amparser.learn.parts import weakest_parts
from amparser.learn.reranker import factor_of
from amparser.lexicon.local_shapes import KINDS
from amparser.notations.registry import NOTATIONS
from amparser.parser import Parser
from amparser.results import Result

MOST = 300
"""Maximum number of corpus sentences on which the confidence is fitted."""
MOST_FOREIGN = 150
"""Maximum number of foreign sentences on which the confidence is fitted."""
_HELD_OUT = 0.2
"""Share of train that is held out."""
_LEAST = 30
"""Minimum number of held-out examples; a smaller train split holds out none."""
_BY_HEART = 20_000
"""Largest train split from which examples are held out; a parser cannot memorize a larger one."""
_AT_ONCE = 50


class Judged(NamedTuple):
    """An example, the answer to its sentence, and whether the answer is right."""

    example: Example
    result: Result
    is_right: bool


def held_out(corpus: Corpus) -> frozenset[tuple[str, ...]]:
    """Return the sentences of train that are held out to fit the confidence.

    A benchmark holds out no sentences, and fewer are held out if there is dev data. Very small and
    very large train splits stay whole: a small one needs all its examples, and a parser does not
    memorize a large one. If none are held out, the confidence is fitted on examples that the parser
    learned.
    """
    count = min(round(_HELD_OUT * len(corpus.train)), MOST - len(corpus.dev))
    if corpus.benchmark or count < _LEAST or len(corpus.train) > _BY_HEART:
        return frozenset()
    rows = Counter(tuple(example.tokens) for example in corpus.train)
    chosen: list[tuple[str, ...]] = []
    for sentence in Random(0).sample(sorted(rows), len(rows)):
        if count > 0:
            chosen.append(sentence)
            count -= rows[sentence]
    return frozenset(chosen)


def calibrated(
    parser: Parser,
    corpus: Corpus,
    held: Set[tuple[str, ...]] = frozenset(),
    known: Confidence | None = None,
) -> Parser:
    """Return a copy of a parser with a confidence and with a tokenizer learned from train.

    Args:
        parser: the parser.
        corpus: its training data.
        held: sentences of train that the parser has not learned yet (see `held_out`).
        known: confidence of a parser for a similar corpus, to use instead of fitting a new one.
    """
    splitting = corpus.splitting
    if splitting is None:
        # Number of training examples from which the tokenizer is learned.
        rows = min(50_000, len(corpus.train))
        splitting = Splitting.of([corpus.train[i].tokens for i in range(rows)])
    metrics = parser.head.metrics
    new: list[Judged] = []
    if held:
        examples = [one for one in corpus.train if tuple(one.tokens) in held]
        parser, new = _reranked(parser, examples)
        faults = len(corpus.faults.get("train", ()))
        counts = {"malformed": faults, "rows": len(corpus.train) + faults}
        metrics = {**metrics, "held_out": {**_figures(parser, new), **counts}}
    confidence = known or _confidence(parser, corpus, new)
    head = replace(parser.head, splitting=splitting, confidence=confidence, metrics=metrics)
    return Parser(head, parser.model)


def _reranked(parser: Parser, examples: Sequence[Example]) -> tuple[Parser, list[Judged]]:
    """Fit the weight of the reranker on examples; return the parser and its answers to them.

    The confidence is fitted on these answers. Each is therefore chosen with a weight that is fitted
    on other examples (cross-fitting). Remove the reranker if no weight helps.
    """
    if parser.head.reranker is None:
        return parser, _judged(parser, examples)
    many = parser.with_options(k_best=3, allow_unknown=True)
    rows: list[list[Judged]] = []
    for example, result in zip(examples, many.parse(e.tokens for e in examples), strict=True):
        readings = [r for r in (result, *result.alternatives) if r.figures] or [result]
        rows.append([Judged(example, r, is_right(parser, example, r)) for r in readings])
    answers: list[Judged] = []
    folds = 5
    for fold in range(folds):
        others = [row for number, row in enumerate(rows) if number % folds != fold]
        other = _with_factor(parser, _factor_of(others))
        answers += [_best(other, row) for row in rows[fold::folds]]
    factor = _factor_of(rows)
    if not factor:
        return Parser(replace(parser.head, reranker=None), parser.model), answers
    return _with_factor(parser, factor), answers


def _best(parser: Parser, row: Sequence[Judged]) -> Judged:
    return max(row, key=lambda one: parser.doubts.worth(one.result))


def _factor_of(rows: Sequence[Sequence[Judged]]) -> float:
    return factor_of(
        [(r.result.logp or 0.0, r.result.figures.get("parts", 0.0), r.is_right) for r in row]
        for row in rows
    )


def _with_factor(parser: Parser, factor: float) -> Parser:
    if parser.head.reranker is None:
        return parser
    reranker = replace(parser.head.reranker, factor=factor)
    return Parser(replace(parser.head, reranker=reranker), parser.model)


def _figures(parser: Parser, answers: Sequence[Judged]) -> dict[str, Any]:
    notation = NOTATIONS[parser.notation] if parser.notation else None
    pairs = ((one.example, one.result) for one in answers)
    return {
        "count": len(answers),
        "right": sum(one.is_right for one in answers),
        "weakest": [part._asdict() for part in weakest_parts(pairs, notation)] if notation else [],
    }


def _confidence(parser: Parser, corpus: Corpus, new: Sequence[Judged]) -> Confidence | None:
    """Fit the confidence on dev and held-out examples; if they do not suffice, on dev and train."""
    chosen = Random(0)
    rows = chosen.sample(range(len(corpus.dev)), min(MOST, len(corpus.dev)))
    answers = _judged(parser, [corpus.dev[i] for i in rows])
    if new:
        confidence = _fitted(parser, [*answers, *new], chosen, is_new=True)
        if confidence is not None:
            return confidence
    more = chosen.sample(range(len(corpus.train)), min(MOST - len(rows), len(corpus.train)))
    answers += _judged(parser, [corpus.train[i] for i in more])
    return _fitted(parser, answers, chosen)


def _fitted(
    parser: Parser, answers: Sequence[Judged], random: Random, *, is_new: bool = False
) -> Confidence | None:
    """Fit a confidence on answers to corpus examples and to foreign sentences.

    If the parser has not learned the examples (`is_new`), also fit penalties for parts of meanings
    that train lacks. Only new examples show how often such parts are correct.
    """
    answers = [one for one in answers if one.result.figures]
    examples = [one.example for one in answers]
    foreign: list[Judged] = []
    single = _with_factor(parser, 0.0)  # do not rerank foreign sentences
    for seed in range(2 * MOST_FOREIGN // _AT_ONCE):
        some = random.sample(examples, min(_AT_ONCE, len(examples)))
        sentences = foreign_to([example.tokens for example in some], seed)
        judged = _judged(single, some, sentences)
        foreign += [one for one in judged if one.result.figures and not one.is_right]
        if len(foreign) >= min(MOST_FOREIGN, len(examples)):
            break
    right = [*(one.is_right for one in answers), *([False] * len(foreign))]
    # Too few correct or foreign answers to fit a confidence.
    if sum(right) < 10 or not foreign:
        return None
    weights = np.ones(len(right))
    # All answers to foreign sentences together have half the weight of the other answers.
    weights[len(answers) :] = 0.5 * len(answers) / len(foreign)
    rows = [one.result.figures for one in (*answers, *foreign)]
    known = rows[: len(answers)], right[: len(answers)]
    penalties = {kind: penalty_of(*known, kind) for kind in KINDS if is_new}
    return Confidence.fitted(rows, right, weights, penalties)


def _judged(
    parser: Parser,
    examples: Sequence[Example],
    sentences: Sequence[Sequence[str]] | None = None,
) -> list[Judged]:
    results = parser.parse(sentences or [example.tokens for example in examples])
    pairs = zip(examples, results, strict=True)
    return [Judged(*pair, is_right(parser, *pair)) for pair in pairs]


def is_right(parser: Parser, example: Example, result: Result) -> bool:
    """Return whether an answer equals the example's meaning or, without a meaning, its graph."""
    try:
        if example.meaning is not None and parser.notation:
            notation = NOTATIONS[parser.notation]
            return notation.equality(example.tokens, example.meaning, result.meaning).graph
        return result.graph is not None and isomorphic(result.graph, parser.graph_of(example))
    except AMParserError:
        return False
