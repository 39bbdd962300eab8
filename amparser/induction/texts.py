"""Texts of several sentences: what joins their graphs, and more of them to learn from.

In parsing, each sentence of a text is analysed alone, and the analyses are joined.

A corpus of single sentences has few texts, too few to learn from that the box of a second
sentence is opened between the two. Words that mostly end sentences are found in train; where
one stands inside, the aligner sees another word, so that it can be what opens the box. From
what train's texts have there, further texts are made of sentences of train.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from random import Random
from typing import NamedTuple

from amparser.corpora.tokens import ENDS
from amparser.induction.alignment.ordered import Pair
from amparser.lexicon.analysis import EMPTY, FIRST_BOX, JOINED, ROOT, UNLINKED, Analysis, Place

_LONGEST = 30


class Joint(NamedTuple):
    """How the sentences of a text are joined.

    Attributes:
        label: of the edge to the box of the second sentence.
        last: whether it leads there from the last box of the first sentence, or else from its
            first.
    """

    label: str
    last: bool


def final_words(sentences: Iterable[Sequence[str]]) -> frozenset[str]:
    """The words, in lower case, that mostly stand at the end of sentences."""
    everywhere: Counter[str] = Counter()
    at_end: Counter[str] = Counter()
    for sentence in sentences:
        words = [word.lower() for word in sentence]
        everywhere.update(words)
        at_end.update(words[-1:])
    # A word ends sentences if so many end with it, and most of its occurrences are at the end.
    return frozenset(
        word for word, count in at_end.items() if count >= 20 and 2 * count > everywhere[word]
    )


def ends_inside(words: Sequence[str], final: frozenset[str]) -> list[int]:
    """Where final words stand that are followed by others."""
    speaks = [any(map(str.isalnum, word)) for word in words]
    after = list(accumulate(reversed(speaks), initial=False, func=lambda a, b: a or b))[::-1]
    return [i for i, word in enumerate(words) if word.lower() in final and after[i + 1]]


def with_ends_inside(pair: Pair, final: frozenset[str]) -> Pair:
    """The pair with other features for final words inside of it than for those at its end."""
    features = [list(row) for row in pair.features]
    for i in ends_inside([row[0] for row in pair.spellings], final):
        features[i] = [f"inside {feature}" for feature in features[i]]
    return replace(pair, features=features)


def joint_of(rows: Iterable[tuple[Sequence[str], Analysis]], final: frozenset[str]) -> Joint | None:
    """How texts are joined, most of them; None where there are few.

    Args:
        rows: the words and the analysis of each sentence or text.
        final: the words that mostly end sentences.
    """
    labels: Counter[str] = Counter()
    lower: Counter[bool] = Counter()
    for words, analysis in rows:
        for i in ends_inside(words, final):
            if len(analysis.introduced[i]) == 1 and analysis.tags[i] == EMPTY:
                labels[analysis.introduced[i][0][1]] += 1
                before = _boxes(analysis, i)
                if before:
                    lower[analysis.above[i] == before[-1]] += 1
    # Texts are made if train has so many that are joined by one box.
    if labels.total() < 10:
        return None
    [(label, _)] = labels.most_common(1)
    return Joint(label, lower[True] > lower[False])


def _boxes(analysis: Analysis, end: int) -> list[Place]:
    """The boxes that tokens before `end` introduce."""
    return [
        (token, number) for token in range(end) for number in range(len(analysis.introduced[token]))
    ]


def is_joinable(words: Sequence[str], analysis: Analysis, final: frozenset[str]) -> bool:
    """Whether a sentence ends with a final word that says nothing, so that another may follow."""
    return (
        words[-1].lower() in final
        and analysis.tags[-1] == EMPTY
        and not analysis.introduced[-1]
        and not ends_inside(words, final)
    )


def joined(first: Analysis, second: Analysis, joint: Joint) -> Analysis:
    """The analysis of a text: the last token of the first sentence opens the second's box.

    Args:
        first: of a joinable sentence.
        second: of the sentence behind it.
        joint: where the second's box is, and the label of its edge.
    """
    shift = len(first.tags)
    opener = shift - 1
    boxes = _boxes(first, opener)
    above = boxes[-1] if joint.last and boxes else FIRST_BOX

    def place(old: Place) -> Place:
        return (opener, 0) if old == FIRST_BOX else (old[0] + shift, old[1])

    top = _tops(first)[0]
    tops = set(_tops(second))
    heads = [
        top if token in tops else head if head == ROOT else head + shift
        for token, head in enumerate(second.heads)
    ]
    labels = [UNLINKED if token in tops else label for token, label in enumerate(second.labels)]
    return Analysis(
        first.tags + second.tags,
        first.fillers + second.fillers,
        (*first.introduced[:-1], ((-1, joint.label),), *second.introduced),
        (*first.scope, *map(place, second.scope)),
        (*first.above[:-1], above, *map(place, second.above)),
        (*first.heads, *heads),
        (*first.labels, *labels),
        (*first.extra, *((p + shift, c + shift, label) for p, c, label in second.extra)),
    )


def openers(words: Sequence[str], analysis: Analysis) -> list[int]:
    """The signs that end a sentence inside of a text and open the box of the next one."""
    return [
        i
        for i in ends_inside(words, frozenset(ENDS))
        if analysis.tags[i] == EMPTY and len(analysis.introduced[i]) == 1
    ]


def of_sentences(
    text: Analysis, ends: Sequence[int], sentences: Sequence[Analysis]
) -> Analysis | None:
    """The analysis of a text that is made of those of its sentences; None if one is not joinable.

    Args:
        text: its analysis as a whole, which says by what its boxes are joined.
        ends: where its sentences end, but for the last (`openers`).
        sentences: what each of them is, analysed alone.
    """
    found = sentences[0]
    for end, sentence in zip(ends, sentences[1:], strict=True):
        if found.tags[-1] != EMPTY or found.introduced[-1] or not _tops(found):
            return None
        boxes = _boxes(text, end)
        last = bool(boxes) and text.above[end] == boxes[-1]
        found = joined(found, sentence, Joint(text.introduced[end][0][1], last))
    return found


def _tops(analysis: Analysis) -> list[int]:
    """The tokens with nodes that have no head."""
    return [
        token
        for token, (tag, head) in enumerate(zip(analysis.tags, analysis.heads, strict=True))
        if head == ROOT and tag not in (EMPTY, JOINED)
    ]


def drawn(
    sentences: Sequence[tuple[Sequence[str], Analysis]], final: frozenset[str], count: int
) -> list[list[int]]:
    """So many texts of two to four sentences that may follow one another, by their numbers."""
    short = [
        i
        for i, (words, analysis) in enumerate(sentences)
        if 2 * len(words) <= _LONGEST and is_joinable(words, analysis, final)
    ]
    random = Random(0)
    found = []
    for _ in range(count if short else 0):
        text = random.choices(short, k=random.choice((2, 2, 3, 4)))
        while len(text) > 2 and sum(len(sentences[i][0]) for i in text) > _LONGEST:
            text.pop()
        found.append(text)
    return found
