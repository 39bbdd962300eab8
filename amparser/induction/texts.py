"""Texts of several sentences: joining their derivations, and more texts for training.

The parser analyses each sentence of a text separately and joins the derivations. The token that
ends a sentence introduces the DRS box of the next sentence.

A corpus with few texts has little evidence for such boxes. Words that occur mostly at the end of
sentences (*final words*, such as ".") are therefore collected from the training data. If a final
word is inside a text, the aligner treats it as a different word and may align it with the box of
the next sentence. Training sentences are also joined into further texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from random import Random
from typing import NamedTuple

from amparser.algebra.derivation import ARC, FIRST_BOX, Arc, Derivation, Place, Scope
from amparser.algebra.types import IGNORE, ROOT
from amparser.corpora.tokens import ENDS
from amparser.induction.alignment.ordered import Pair

_LONGEST = 30


class Joint(NamedTuple):
    """Edge that joins the boxes of two sentences of a text.

    Attributes:
        label: label of the edge to the box of the second sentence.
        last: whether the edge starts at the last box of the text so far; otherwise, it starts at
            the first box.
    """

    label: str
    last: bool


def final_words(sentences: Iterable[Sequence[str]]) -> frozenset[str]:
    """Return the words (lower case) that occur mostly at the end of sentences."""
    everywhere: Counter[str] = Counter()
    at_end: Counter[str] = Counter()
    for sentence in sentences:
        words = [word.lower() for word in sentence]
        everywhere.update(words)
        at_end.update(words[-1:])
    # A final word must end 20 sentences, and more than half of its occurrences must be final.
    return frozenset(
        word for word, count in at_end.items() if count >= 20 and 2 * count > everywhere[word]
    )


def ends_inside(words: Sequence[str], final: frozenset[str]) -> list[int]:
    """Return the positions (from 0) of final words that precede another word of the text."""
    speaks = [any(map(str.isalnum, word)) for word in words]
    after = list(accumulate(reversed(speaks), initial=False, func=lambda a, b: a or b))[::-1]
    return [i for i, word in enumerate(words) if word.lower() in final and after[i + 1]]


def with_ends_inside(pair: Pair, final: frozenset[str]) -> Pair:
    """Return the pair with different features for final words inside the text.

    For example, the feature `.` becomes `inside .`.
    """
    features = [list(row) for row in pair.features]
    for i in ends_inside([row[0] for row in pair.spellings], final):
        features[i] = [f"inside {feature}" for feature in features[i]]
    return replace(pair, features=features)


def joint_of(derivations: Iterable[Derivation], final: frozenset[str]) -> Joint | None:
    """Return the usual joint of the texts in a corpus; None if there are fewer than ten joints."""
    labels: Counter[str] = Counter()
    lower: Counter[bool] = Counter()
    for derivation in derivations:
        scope = derivation.boxes
        for i in openers(derivation, final):
            labels[scope.introduced[i][0][1]] += 1
            before = _boxes(scope, i)
            if before:
                lower[scope.above[i] == before[-1]] += 1
    if labels.total() < 10:
        return None
    [(label, _)] = labels.most_common(1)
    return Joint(label, lower[True] > lower[False])


def _boxes(scope: Scope, end: int) -> list[Place]:
    return [
        (token, number) for token in range(end) for number in range(len(scope.introduced[token]))
    ]


def is_joinable(derivation: Derivation, final: frozenset[str]) -> bool:
    """Return whether another sentence may follow: this one must end with an ignored final word."""
    return (
        derivation.tokens[-1].lower() in final
        and _ends_bare(derivation)
        and not ends_inside(derivation.tokens, final)
    )


def _ends_bare(derivation: Derivation) -> bool:
    return derivation.operations[-1] == IGNORE and not derivation.boxes.introduced[-1]


def joined(first: Derivation, second: Derivation, joint: Joint) -> Derivation:
    """Join two derivations; the last token of the first opens the box of the second."""
    shift = len(first.tokens)
    opener = shift - 1
    upper, lower = first.boxes, second.boxes
    boxes = _boxes(upper, opener)
    above = boxes[-1] if joint.last and boxes else FIRST_BOX

    def place(old: Place) -> Place:
        return (opener, 0) if old == FIRST_BOX else (old[0] + shift, old[1])

    root = second.operations.index(ROOT)
    heads = [head + shift if head >= 0 else -1 for head in second.heads]
    operations, constants = list(second.operations), list(second.fragments)
    heads[root], operations[root] = first.operations.index(ROOT), ARC
    if fragment := constants[root]:
        constants[root] = fragment.rooted(0)
    return Derivation(
        first.tokens + second.tokens,
        (*first.fragments, *constants),
        first.lexical_labels + second.lexical_labels,
        (*first.heads, *heads),
        (*first.operations, *operations),
        links=first.links + second.links,
        reentrant=(
            *first.reentrant,
            *(Arc(p + shift, c + shift, links) for p, c, links in second.reentrant),
        ),
        scope=Scope(
            (*upper.introduced[:-1], ((-1, joint.label),), *lower.introduced),
            (*upper.within, *map(place, lower.within)),
            (*upper.above[:-1], above, *map(place, lower.above)),
        ),
    )


def openers(derivation: Derivation, final: frozenset[str] = frozenset(ENDS)) -> list[int]:
    """Return the tokens (final words) that introduce the box of the next sentence."""
    return [
        i
        for i in ends_inside(derivation.tokens, final)
        if derivation.operations[i] == IGNORE and len(derivation.boxes.introduced[i]) == 1
    ]


def of_sentences(
    text: Derivation, ends: Sequence[int], sentences: Sequence[Derivation]
) -> Derivation | None:
    """Join the derivations of a text's sentences; return None if a sentence is not joinable.

    Args:
        text: derivation of the complete text; its edges between boxes are used.
        ends: tokens that end the sentences of the text, except the last sentence (see `openers`).
        sentences: derivations of the sentences.
    """
    whole, scope = sentences[0], text.boxes
    for end, sentence in zip(ends, sentences[1:], strict=True):
        if not _ends_bare(whole):
            return None
        boxes = _boxes(scope, end)
        last = bool(boxes) and scope.above[end] == boxes[-1]
        whole = joined(whole, sentence, Joint(scope.introduced[end][0][1], last))
    return whole


def drawn(sentences: Sequence[Derivation], final: frozenset[str], count: int) -> list[list[int]]:
    """Draw `count` texts of two to four short sentences, as lists of sentence indices."""
    short = [
        i
        for i, sentence in enumerate(sentences)
        if 2 * len(sentence.tokens) <= _LONGEST and is_joinable(sentence, final)
    ]
    random = Random(0)
    texts = []
    for _ in range(count if short else 0):
        text = random.choices(short, k=random.choice((2, 2, 3, 4)))
        while len(text) > 2 and sum(len(sentences[i].tokens) for i in text) > _LONGEST:
            text.pop()
        texts.append(text)
    return texts
