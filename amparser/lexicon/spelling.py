"""Copy rule: how words spell the lexical labels of constants.

A lexical label is a *literal* (a quoted string or a number) or a symbol; its *content* is the label
without quotes. A literal is copied if words of the sentence spell it by a `CopyRule`. The rule
fixes the *joint* (the text between the words of a content, such as a space or `_`), the case, and
the affixes that may be removed: the words of a name may have affixes that its label lacks, as in
Turkish or Finnish, or as in `@ann`. Numbers in words may be converted (`6pm`, see `NumberRule`).
All constants have one rule: the one that spells most literals of training.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from math import inf
from typing import NamedTuple, TypeAlias

import numpy as np

from amparser.characters import Token, text_of
from amparser.logic.term import content_of as content_of

JOINTS = (" ", "", "_", "-")
_CASES: dict[str, Callable[[str], str]] = {
    "same": str,
    "lower": str.lower,
    "upper": str.upper,
    "title": str.title,
}
_STEM = 3
"""Minimum number of initial letters that a word and its label have in common."""
_LONGEST_ENDING = 5


_NO_JOINTS = str.maketrans("", "", "".join(JOINTS))


def cased(text: str, case: str) -> str:
    """Return a text in a case: `same`, `lower`, `upper` or `title`."""
    return _CASES[case](text)


def unjoined(text: str) -> str:
    """Return a text without the joints between its words.

    >>> unjoined("New_York"), unjoined("new york")
    ('NewYork', 'newyork')
    """
    return text.translate(_NO_JOINTS)


def is_spelled_alike(text: str, content: str) -> bool:
    """Return whether texts differ only in case and in joints, like `New_York` and `new york`."""
    letters = unjoined(content).lower()
    return bool(letters) and letters == unjoined(text).lower()


class Loss(NamedTuple):
    """Affix that a word has and its label lacks: a prefix, or an ending replaced by `added`.

    >>> Loss("@").left("@ann"), Loss("", "lar", "l").left("evlar"), Loss("@").left("ann")
    ('ann', 'evl', None)
    """

    prefix: str
    ending: str = ""
    added: str = ""

    @property
    def size(self) -> int:
        """Number of letters that are removed from a name."""
        return len(self.prefix) + len(self.ending)

    def left(self, text: str) -> str | None:
        """Return a text without the affix; None if it has no such affix, or nothing is left."""
        if not text.startswith(self.prefix):
            return None
        return scripted(text.removeprefix(self.prefix), (self.ending, self.added))


@dataclass(frozen=True, slots=True)
class CopyRule:
    """Rule by which the words of a span spell a label.

    Attributes:
        joint, case: joint and case of the words in labels.
        losses: affixes that words have and their labels lack.
        numbers: conversions of numbers in words.

    >>> CopyRule(" ", "lower").spell(["New", "Place"])
    'new place'
    >>> CopyRule(" ", "lower", (Loss("", "ta"),)).spans(["New", "Placeta"], "new place")
    [(0, 2)]
    >>> pm = NumberRule("0 pm", "0:0", ((1, 12), (0, 0)), (2, 2))
    >>> CopyRule(numbers=(pm,)).spans(["at", "6", "pm"], "18:00")
    [(1, 3)]
    """

    joint: str = " "
    case: str = "same"
    losses: tuple[Loss, ...] = ()
    numbers: tuple[NumberRule, ...] = ()

    @property
    def alters(self) -> bool:
        """True if the rule removes affixes or converts numbers."""
        return bool(self.losses or self.numbers)

    def spell(self, words: Sequence[str]) -> str:
        """Return the label (without quotes) that words spell if no affix is removed."""
        text = text_of(words)
        if self.joint != " ":
            text = self.joint.join(text.split())
        return cased(text, self.case)

    def spells(self, words: Sequence[str], content: str) -> bool:
        """Return whether words spell a label without quotes, ignoring case and joints.

        The words may have affixes, and numbers may be converted.
        """
        text = self.spell(words)
        return (
            is_spelled_alike(text, content)
            or self._inflects(text, content)
            or (bool(self.numbers) and content in self.renumbered(words))
        )

    def spans(self, words: Sequence[str], content: str) -> list[tuple[int, int]]:
        """Return the spans (from 0, end exclusive) that spell `content`, a label without quotes.

        The result is the first of these sets that is not empty: spans with the case and joint of
        the rule, spans with any case and joint, spans with converted numbers, spans from which an
        affix is removed.
        """
        near = list(self._near(words, content))
        found = [(start, end) for start, end, text in near if text == content]
        found = found or [(s, e) for s, e, text in near if is_spelled_alike(text, content)]
        if not found and self.numbers and any(character.isdigit() for character in content):
            found = [
                (start, end)
                for start, end in short_spans(words)
                if content in self.renumbered(words[start:end])
            ]
        return found or [(s, e) for s, e, text in near if self._inflects(text, content)]

    def renumbered(self, words: Sequence[str]) -> list[str]:
        """Return the labels to which rules for numbers convert words: `18:00` for `6 pm`."""
        text = text_of(words)
        made = (rule.label_of(text) for rule in self.numbers)
        return [content for content in made if content is not None]

    def loss(self, words: Sequence[str], content: str) -> Loss | None:
        """Return an affix without which a span of words spells `content`; None if there is none.

        Prefixes are preferred to endings, long stems to short ones, short affixes to long ones.
        """
        found = []
        for _, _, text in self._near(words, content):
            if text.endswith(content) and len(content) >= _STEM:
                prefix = text.removesuffix(content)
                if len(prefix) <= _LONGEST_ENDING:
                    found.append((inf, -len(prefix), Loss(prefix)))
            cut, added = script_of(text, content)
            stem = len(text) - len(cut)
            # The common stem must have at least 60 % of the letters of the content.
            if stem >= max(_STEM, 0.6 * len(content)) and (
                max(len(cut), len(added)) <= _LONGEST_ENDING
            ):
                found.append((stem, -len(cut), Loss("", cut, added)))
        return max(found)[2] if found else None

    def _inflects(self, text: str, content: str) -> bool:
        left = (loss.left(text) for loss in self.losses)
        return any(text is not None and is_spelled_alike(text, content) for text in left)

    def _near(self, words: Sequence[str], content: str) -> Iterator[tuple[int, int, str]]:
        """Yield the start, end and text of spans that may spell a label (`content`).

        Spans at each start are extended until the text has as many letters as the content.
        """
        count = len(unjoined(content))
        for start in range(len(words) if count else 0):
            for end in range(start + 1, len(words) + 1):
                text = self.spell(words[start:end])
                yield start, end, text
                letters = len(unjoined(text))
                if not letters or letters >= count:
                    break


def copy_rule(labels: Iterable[tuple[Sequence[str], str]]) -> CopyRule:
    """Return the rule by which sentences spell most of their literals (quoted labels and numbers).

    The rule removes affixes that at least three names have and their labels do not.
    """
    pairs = [(words, content_of(literal)) for words, literal in labels]
    plain = CopyRule()
    others = ((words, text) for words, text in pairs if not plain.spans(words, text))
    numbers = number_rules(others, [text for _, text in pairs])
    rules = (CopyRule(joint, case, numbers=numbers) for case in _CASES for joint in JOINTS)
    scored = [_with_losses(rule, pairs) for rule in rules]
    return max(scored, key=lambda item: item[0])[1]


def _with_losses(
    rule: CopyRule, pairs: Sequence[tuple[Sequence[str], str]]
) -> tuple[tuple[int, int, int], CopyRule]:
    """Return the counts by which rules are compared, and the rule with its affixes.

    The counts are numbers of literals: spelled by their sentences, spelled without removing an
    affix, and spelled in the case and with the joint of the rule.
    """
    outright, exact = 0, 0
    lost: dict[Loss, set[str]] = defaultdict(set)
    inflected: Counter[Loss] = Counter()
    for words, content in pairs:
        if spans := rule.spans(words, content):
            outright += 1
            exact += any(rule.spell(words[start:end]) == content for start, end in spans)
        elif (loss := rule.loss(words, content)) is not None:
            lost[loss].add(content)
            inflected[loss] += 1
    # At least three different names must have the affix.
    losses = tuple(sorted(loss for loss, names in lost.items() if len(names) >= 3))
    spelled = outright + sum(inflected[loss] for loss in losses)
    return (spelled, outright, exact), replace(rule, losses=losses)


def case_of(pairs: Iterable[tuple[str, str]]) -> str:
    """Return the case (such as `lower`) in which most forms begin like their labels.

    If cases are equally frequent, `same` is preferred, then `lower`.

    >>> case_of([("Emma", "emma"), ("Ava", "ava"), ("tom", "tom")]), case_of([("ran", "run")])
    ('lower', 'same')
    """
    counts = Counter(
        case for form, label in pairs for case in _CASES if cased(form, case)[:1] == label[:1]
    )
    return max(_CASES, key=counts.__getitem__)


Script = tuple[str, str]
"""Edit script: suffix to remove, and suffix to add."""


def common_letters(left: str, right: str) -> int:
    """Return the length of the longest common prefix of two words."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(left), len(right)))


def script_of(form: str, text: str) -> Script:
    """Return the shortest edit script that turns a form into a text.

    >>> script_of("frying", "fry"), script_of("fish", "fish")
    (('ing', ''), ('', ''))
    """
    common = common_letters(form, text)
    return form[common:], text[common:]


def scripted(form: str, script: Script) -> str | None:
    """Apply an edit script to a form; return None if it does not fit or the result is empty."""
    cut, added = script
    if not form.endswith(cut):
        return None
    return (form[: len(form) - len(cut)] + added) or None


_DIGITS = re.compile(r"\d+")
_MOST_WORDS = 3


@dataclass(frozen=True, slots=True)
class NumberRule:
    """Conversion of words with numbers to a content with numbers, induced from training.

        630am -> 630    6:30 pm -> 18:30    5/3/2024 -> 2024-03-05    6pm -> 1800

    The *shape* of a text is the text with 0 for each number: `0:0 pm`, `0:0`. A rule applies to
    words of one shape and makes contents of one shape. Each number of the content is an integer
    linear combination of the numbers in the words plus a constant: 18 = 1 * 6 + 0 * 30 + 12. The
    rules know nothing about times or dates.

    Attributes:
        shape, label: shapes of the words and of the content.
        factors: for each number of the content, a coefficient for each number in the words, and
            then the constant.
        widths: minimum number of digits of each number of the content.
    """

    shape: str
    label: str
    factors: tuple[tuple[int, ...], ...]
    widths: tuple[int, ...]

    def label_of(self, text: str) -> str | None:
        """Return the content made from words; None if their shape differs, or a number is negative.

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
    """Return the shape of a text: the text in lower case, with 0 for each number.

    >>> shape_of("6:30 PM")
    '0:0 pm'
    """
    return _DIGITS.sub("0", text.lower())


def numbers_in(text: str) -> list[int]:
    """Return the numbers in a text; only the first nine digits of each number are used."""
    return [int(number[:9]) for number in _DIGITS.findall(text)]


def short_spans(tokens: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans (from 0, end exclusive) of at most three words, for `NumberRule`.

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
    """Induce rules for the labels that the words of their sentences do not spell.

    If several spans of a sentence could be converted, shorter ones are preferred.

    Args:
        rows: tokens of sentences, each with one label that they do not spell.
        labels: all labels of the corpus, which show the minimum numbers of digits.
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
            # More than four numbers would make too many systems of equations.
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
"""Text of a span, and all labels of one shape in its sentence."""


def _rule_of(
    shape: str, label: str, uses: Collection[_Use], widths: tuple[int, ...]
) -> NumberRule | None:
    """Return a rule that holds for at least 80 % of the texts, or None."""
    pairs = sorted((text, made) for text, labels in uses for made in labels)
    given = np.array([[*numbers_in(text), 1] for text, _ in pairs])
    wanted = np.array([numbers_in(made) for _, made in pairs])
    size = given.shape[1]
    if len({text for text, _ in uses}) < size:
        return None
    some = range(0, len(pairs), max(1, len(pairs) // 12))
    # At most 60 systems of equations are solved.
    for chosen in islice(combinations(some, size), 60):
        rows = list(chosen)
        if np.linalg.matrix_rank(given[rows]) < size:
            continue
        factors = np.rint(np.linalg.solve(given[rows], wanted[rows])).astype(int)
        if not factors[:-1].any():  # the label does not depend on the words
            continue
        rule = NumberRule(shape, label, tuple(map(tuple, factors.T.tolist())), widths)
        held = [text for text, labels in uses if rule.label_of(text) in labels]
        # The coefficients are determined by `size` texts. One more must confirm them, unless the
        # rule only copies numbers.
        # Several numbers, each 0 or copied from the words, are less likely to be a coincidence.
        copies = all(min(row) == 0 and sum(row) <= 1 and not row[-1] for row in rule.factors)
        least = size if copies and len(rule.factors) > 1 else size + 1
        if len(set(held)) >= least and len(held) >= 0.8 * len(uses):
            return rule
    return None


def _widths(labels: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return the minimum number of digits of each number, by shape; 1 without leading zeros."""
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
