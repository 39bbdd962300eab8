"""What a trained parser knows beside its lexicon: how to split raw text, and how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from random import Random

import numpy as np

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.splitting import Splitting
from amparser.errors import AMParserError
from amparser.graph.sgraph import isomorphic
from amparser.learn.confidence import (
    Confidence,
    Float,
    foreign_to,
    oov_rate,
    strange_figures,
)
from amparser.learn.streaming import chunks
from amparser.learn.system import CHUNK_SIZE
from amparser.notations.registry import NOTATIONS
from amparser.parser import Parser
from amparser.results import Result

MOST = 300
"""So many sentences of the corpus are asked."""
MOST_FOREIGN = 150
"""So many foreign answers are looked at, if half of the sentences asked have one."""
HELD_OUT = 0.2
_AT_ONCE = 50


Rehearsal = Callable[[Collection[Sequence[str]]], Parser]
"""A parser that learned in less time, and has not learned the sentences given."""


def is_rehearsed(corpus: Corpus) -> bool:
    """Whether a part of train is asked that a second, shorter training has not learned."""
    # A train of so many rows is learned a second time, without a part, to see what is new to it. Of
    # fewer rows a part teaches too little, and more are hardly learned by heart.
    return len(corpus.dev) < MOST and 200 <= len(corpus.train) <= 2_000


def calibrated(
    parser: Parser, corpus: Corpus, rehearsed: Rehearsal, known: Confidence | None = None
) -> Parser:
    """Return the parser with the splitting of train and a confidence.

    Args:
        parser: what has been trained.
        corpus: what it was trained on.
        rehearsed: makes a parser that knows a part of train; asked where `is_rehearsed`.
        known: the confidence of a parser of almost the same corpus, taken instead of a rehearsal.
    """
    splitting = corpus.splitting
    if splitting is None:
        # So many rows of train say how sentences are split.
        rows = min(50_000, len(corpus.train))
        splitting = Splitting.of([corpus.train[i].tokens for i in range(rows)])
    if known is None or not is_rehearsed(corpus):
        known = _confidence(parser, corpus, rehearsed)
    head = replace(parser.head, splitting=splitting, confidence=known)
    return Parser(head, parser.model)


def _confidence(parser: Parser, corpus: Corpus, rehearsed: Rehearsal) -> Confidence | None:
    """Fitted on dev, and on train if dev is small; None if too few answers are right.

    A small train has been learned by heart. So a parser that has not learned a part of it is asked,
    unless that knows too little.
    """
    chosen = Random(0)
    rows = chosen.sample(range(len(corpus.dev)), min(MOST, len(corpus.dev)))
    more = chosen.sample(range(len(corpus.train)), min(MOST - len(rows), len(corpus.train)))
    dev, train = [corpus.dev[i] for i in rows], [corpus.train[i] for i in more]
    if is_rehearsed(corpus):
        held = train[: round(HELD_OUT * len(corpus.train))]
        asked = rehearsed({tuple(one.tokens) for one in held})
        if (confidence := _fitted(asked, [*dev, *held], chosen)) is not None:
            return confidence
    return _fitted(parser, [*dev, *train], chosen)


def _fitted(parser: Parser, rows: Sequence[Example], random: Random) -> Confidence | None:
    """Fitted on a parser's answers to rows, and to as many foreign sentences as may be."""
    examples = [one for one in rows if parser.problem(one.tokens) is None]
    own = list(_judged(parser, [one.tokens for one in examples], examples))
    foreign: list[Float] = []
    for seed in range(2 * MOST_FOREIGN // _AT_ONCE):
        some = random.sample(examples, min(_AT_ONCE, len(examples)))
        asked = foreign_to([one.tokens for one in some], seed)
        foreign += [found for found, right in _judged(parser, asked, some) if not right]
        if len(foreign) >= min(MOST_FOREIGN, len(examples)):
            break
    right = [*(is_right for _, is_right in own), *([False] * len(foreign))]
    # With fewer right answers, nothing is known.
    if sum(right) < 10 or not foreign:
        return None
    weights = np.ones(len(right))
    # There are so many foreign sentences for each one that is none.
    weights[len(own) :] = 0.5 * len(own) / len(foreign)
    return Confidence.fitted(np.array([*(found for found, _ in own), *foreign]), right, weights)


def _judged(
    parser: Parser, sentences: Sequence[Sequence[str]], examples: Sequence[Example]
) -> Iterator[tuple[Float, bool]]:
    """The figures of each answer, and whether it has the meaning of its example."""
    numbers = range(len(sentences))
    for part in chunks(numbers, CHUNK_SIZE, lambda i: len(sentences[i])):
        scores = parser.score([sentences[i] for i in part])
        parses = parser.decode(scores)
        for i, one, parse in zip(part, scores, parses, strict=True):
            if parse.found:
                result = parser.assemble(sentences[i], parse)
                right = is_right(parser, examples[i], result)
                unknown = oov_rate(result.unknown, len(result.tokens))
                certainty = parser.model.certainty(one, parse)
                yield strange_figures(certainty, unknown, parse.logp), right


def is_right(parser: Parser, example: Example, result: Result) -> bool:
    """Whether a parser's answer has the meaning of an example, or else its graph."""
    try:
        if example.meaning is not None and parser.notation:
            notation = NOTATIONS[parser.notation]
            return notation.equality(example.tokens, example.meaning, result.meaning).graph
        return result.graph is not None and isomorphic(result.graph, parser.graph_of(example))
    except AMParserError:
        return False
