"""What a trained parser knows beside its lexicon: how to split raw text, and how sure it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from random import Random

import numpy as np

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.splitting import Splitting
from amparser.errors import AMParserError
from amparser.graph.sgraph import isomorphic
from amparser.learn.confidence import Confidence, foreign_to
from amparser.learn.streaming import chunks
from amparser.learn.system import CHUNK_SIZE
from amparser.notations.registry import NOTATIONS
from amparser.parser import Parser
from amparser.results import Result

MOST = 300
"""So many sentences of the corpus are asked."""
MOST_FOREIGN = 150
"""So many foreign answers are looked at, if half of the sentences asked have one."""
_HELD_OUT = 0.2
"""Share of train that is held out."""
_LEAST = 30
"""Minimum rows that are worth holding out."""
_BY_HEART = 20_000
"""A larger train is not learned by heart."""
_AT_ONCE = 50


def held_out(corpus: Corpus) -> frozenset[tuple[str, ...]]:
    """Return the sentences of a user's own train that show how sure to be of what is new.

    They are few if dev has rows. A large train is hardly learned by heart, and of a small one each
    row is needed; both are asked about themselves.
    """
    count = min(round(_HELD_OUT * len(corpus.train)), MOST - len(corpus.dev))
    if corpus.benchmark or count < _LEAST or len(corpus.train) > _BY_HEART:
        return frozenset()
    rows = Counter(tuple(one.tokens) for one in corpus.train)
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
    """Return the parser with the splitting of train and a confidence.

    Args:
        parser: what has been trained.
        corpus: what it was trained on.
        held: the sentences of train that it has not learned yet (see `held_out`).
        known: the confidence of a parser of almost the same corpus, if that is taken.
    """
    splitting = corpus.splitting
    if splitting is None:
        # So many rows of train say how sentences are split.
        rows = min(50_000, len(corpus.train))
        splitting = Splitting.of([corpus.train[i].tokens for i in range(rows)])
    confidence = known or _confidence(parser, corpus, held)
    head = replace(parser.head, splitting=splitting, confidence=confidence)
    return Parser(head, parser.model)


def _confidence(parser: Parser, corpus: Corpus, held: Set[tuple[str, ...]]) -> Confidence | None:
    """Fitted on dev and what is held out, or train if both are small.

    None if too few answers are right.
    """
    chosen = Random(0)
    rows = chosen.sample(range(len(corpus.dev)), min(MOST, len(corpus.dev)))
    asked = [corpus.dev[i] for i in rows]
    if held:
        new = [*asked, *(one for one in corpus.train if tuple(one.tokens) in held)]
        if (confidence := _fitted(parser, new, chosen)) is not None:
            return confidence
    more = chosen.sample(range(len(corpus.train)), min(MOST - len(rows), len(corpus.train)))
    return _fitted(parser, [*asked, *(corpus.train[i] for i in more)], chosen)


def _fitted(parser: Parser, rows: Sequence[Example], random: Random) -> Confidence | None:
    """Fitted on a parser's answers to rows, and to as many foreign sentences as may be."""
    examples = [one for one in rows if parser.problem(one.tokens) is None]
    own = list(_judged(parser, [one.tokens for one in examples], examples))
    foreign: list[Mapping[str, float]] = []
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
    return Confidence.fitted([*(found for found, _ in own), *foreign], right, weights)


def _judged(
    parser: Parser, sentences: Sequence[Sequence[str]], examples: Sequence[Example]
) -> Iterator[tuple[Mapping[str, float], bool]]:
    """The figures of each answer, and whether it has the meaning of its example."""
    numbers = range(len(sentences))
    for part in chunks(numbers, CHUNK_SIZE, lambda i: len(sentences[i])):
        scores = parser.score([sentences[i] for i in part])
        parses = parser.decode(scores)
        for i, one, parse in zip(part, scores, parses, strict=True):
            if parse.found:
                result = parser.assemble(sentences[i], parse)
                right = is_right(parser, examples[i], result)
                yield parser.doubts.figures(result, one), right


def is_right(parser: Parser, example: Example, result: Result) -> bool:
    """Whether a parser's answer has the meaning of an example, or else its graph."""
    try:
        if example.meaning is not None and parser.notation:
            notation = NOTATIONS[parser.notation]
            return notation.equality(example.tokens, example.meaning, result.meaning).graph
        return result.graph is not None and isomorphic(result.graph, parser.graph_of(example))
    except AMParserError:
        return False
