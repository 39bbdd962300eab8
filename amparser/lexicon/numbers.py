"""How the numbers in words become those in a label: as sums of them, where train shows it.

    630am -> 630    6:30 pm -> 18:30    5/3/2024 -> 2024-03-05    6pm -> 1800

The words without their numbers are a *shape*, `0:0 pm`, and so is the label, `0:0`. For each
number of the label a rule has whole factors of those of the words, and what is added:
18 = 1 * 6 + 0 * 30 + 12. Nothing knows what a time is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import TypeAlias

import numpy as np

from amparser.characters import Token, text_of

_DIGITS = re.compile(r"\d+")
_MOST_WORDS = 3


@dataclass(frozen=True, slots=True)
class NumberRule:
    """How words of a shape become a label.

    Attributes:
        shape, label: with 0 for each number.
        factors: for each number of the label the factors of those of the words, then what is added.
        widths: for each number of the label how many digits it has at least.
    """

    shape: str
    label: str
    factors: tuple[tuple[int, ...], ...]
    widths: tuple[int, ...]

    def label_of(self, text: str) -> str | None:
        """The label of words; None if they have another shape.

        >>> NumberRule("0:0 pm", "0:0", ((1, 0, 12), (0, 1, 0)), (2, 2)).label_of("6:05 pm")
        '18:05'
        """
        if shape_of(text) != self.shape:
            return None
        read = [*numbers_in(text), 1]
        made = []
        for factors, width in zip(self.factors, self.widths, strict=True):
            value = sum(a * b for a, b in zip(factors, read, strict=True))
            if value < 0:
                return None
            made.append(f"{value:0{width}}")
        parts = iter(made)
        return _DIGITS.sub(lambda _: next(parts), self.label)


def shape_of(text: str) -> str:
    """A text in lower case, each number in it as one digit.

    >>> shape_of("6:30 PM")
    '0:0 pm'
    """
    return _DIGITS.sub("0", text.lower())


def numbers_in(text: str) -> list[int]:
    """The numbers in a text; longer ones than nine digits count as they begin."""
    # So many words, numbers in them, and digits of a number are looked at.
    return [int(number[:9]) for number in _DIGITS.findall(text)]


def short_spans(tokens: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans that are as long as rules of numbers may be.

    >>> list(short_spans(["at", "6", "pm"]))
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    """
    glued = [isinstance(token, Token) and not token.gap for token in tokens]
    for start in range(len(tokens)):
        words = 0
        for end in range(start + 1, len(tokens) + 1):
            words += end == start + 1 or not glued[end - 1]
            if words > _MOST_WORDS:
                break
            yield start, end


def number_rules(
    rows: Iterable[tuple[Sequence[str], str]], labels: Iterable[str]
) -> tuple[NumberRule, ...]:
    """The rules that labels show that are not spelled by words of their sentences.

    Of the spans of a sentence that may stand for a label, the shortest that has a rule does.

    Args:
        rows: sentences and labels that are not spelled by their words.
        labels: all labels of the corpus, which say how many digits their numbers have.
    """
    widths = _widths(labels)
    labels_of: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for words, label in rows:
        if _DIGITS.search(label):
            labels_of[tuple(words)].add(label)
    groups: dict[tuple[int, str, str], set[_Use]] = defaultdict(set)
    for sentence, labels in labels_of.items():
        by_shape: dict[str, set[str]] = defaultdict(set)
        for label in labels:
            by_shape[shape_of(label)].add(label)
        for start, end in short_spans(sentence):
            text = text_of(sentence[start:end]).lower()
            # So many words, numbers in them, and digits of a number are looked at.
            if 0 < len(_DIGITS.findall(text)) <= 4:
                length = len(text.split())
                for shape, alike in by_shape.items():
                    groups[length, shape_of(text), shape].add((text, frozenset(alike)))
    rules: dict[tuple[str, str], NumberRule] = {}
    for (_, shape, label), uses in sorted(groups.items()):
        inner = any(f" {known} " in f" {shape} " for known, made in rules if made == label)
        if not inner and (rule := _rule_of(shape, label, uses, widths[label])):
            rules[shape, label] = rule
    return tuple(rules.values())


_Use: TypeAlias = tuple[str, frozenset[str]]
"""A text, and the labels of one shape that a sentence with it has."""


def _rule_of(
    shape: str, label: str, uses: Collection[_Use], widths: tuple[int, ...]
) -> NumberRule | None:
    """The rule that holds for most uses of texts."""
    pairs = sorted((text, made) for text, labels in uses for made in labels)
    given = np.array([[*numbers_in(text), 1] for text, _ in pairs])
    wanted = np.array([numbers_in(made) for _, made in pairs])
    size = given.shape[1]
    if len({text for text, _ in uses}) < size:
        return None
    some = range(0, len(pairs), max(1, len(pairs) // 12))
    # Choices of examples that are tried.
    for chosen in islice(combinations(some, size), 60):
        rows = list(chosen)
        if np.linalg.matrix_rank(given[rows]) < size:
            continue
        factors = np.rint(np.linalg.solve(given[rows], wanted[rows])).astype(int)
        rule = NumberRule(shape, label, tuple(map(tuple, factors.T.tolist())), widths)
        held = [text for text, labels in uses if rule.label_of(text) in labels]
        # And for so many texts more than it takes to find it, unless it only copies numbers.
        least = size if _copies(rule) else size + 1
        # A rule holds for this share of the different uses of texts of its shape.
        if len(set(held)) >= least and len(held) >= 0.8 * len(uses):
            return rule
    return None


def _copies(rule: NumberRule) -> bool:
    """Whether each of a label's several numbers is one of the words', or 0."""
    return len(rule.factors) > 1 and all(
        min(row) == 0 and sum(row) <= 1 and not row[-1] for row in rule.factors
    )


def _widths(labels: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """How many digits each number of labels of a shape has at least: one if none begins with 0."""
    found: dict[str, list[list[str]]] = defaultdict(list)
    for label in set(labels):
        found[shape_of(label)].append(_DIGITS.findall(label))
    return {
        shape: tuple(
            min(map(len, column)) if any(n[0] == "0" and n[1:] for n in column) else 1
            for column in zip(*rows, strict=True)
        )
        for shape, rows in found.items()
    }
