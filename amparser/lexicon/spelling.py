"""How words spell the labels of constants: one set of rules for all constants.

A label is a *literal*, a quoted string or a number, or a symbol. A literal is copied if the words
spell it: joined by something, in some case, with or without an ending (`CopyRule`). Which rule
holds is decided by the training data: the one that spells most literals. Names may
have endings or beginnings that their labels have not, as in Turkish or Finnish, or as `@ann` has:
what several names lose, others may lose too. Numbers such as that of `6pm` may be others in labels
(`NumberRule`). What no rule spells is looked up by the words, if training had them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from math import inf
from typing import NamedTuple, TypeAlias

import numpy as np

from amparser.characters import Token, text_of
from amparser.logic.term import content_of as content_of

_JOINTS = (" ", "", "_", "-")
_CASES = ("same", "lower", "upper", "title")
_STEM = 3
"""So many letters, and such a share of a label, its word must begin with."""
_LONGEST_ENDING = 5


def cased(text: str, case: str) -> str:
    """A text in a case: `same`, `lower`, `upper` or `title`."""
    match case:
        case "lower":
            return text.lower()
        case "upper":
            return text.upper()
        case "title":
            return text.title()
    return text


class Loss(NamedTuple):
    """What a name has that its label has not: a prefix, or an ending in place of another one.

    >>> Loss("@").left("@ann"), Loss("", "lar", "l").left("evlar"), Loss("@").left("ann")
    ('ann', 'evl', None)
    """

    prefix: str
    ending: str = ""
    added: str = ""

    @property
    def size(self) -> int:
        """How many letters a name loses."""
        return len(self.prefix) + len(self.ending)

    def left(self, text: str) -> str | None:
        """Return the text without what it loses; None if it has nothing of it, or nothing else."""
        if not text.startswith(self.prefix):
            return None
        return scripted(text.removeprefix(self.prefix), (self.ending, self.added))


@dataclass(frozen=True, slots=True)
class CopyRule:
    """How the words of a span spell a label: what joins them, their case, and what they lose.

    Attributes:
        joint, case: of the words.
        losses: what names may have that their labels have not.
        numbers: how numbers in words become those of labels.

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
        """Whether labels may differ from what their words spell."""
        return bool(self.losses or self.numbers)

    def spell(self, words: Sequence[str]) -> str:
        """The content of the label that these words spell, their ending kept."""
        text = text_of(words)
        if self.joint != " ":
            text = self.joint.join(text.split())
        return cased(text, self.case)

    def spells(self, words: Sequence[str], content: str) -> bool:
        """Whether these words spell a content, outright or with something that it loses."""
        text = self.spell(words)
        return (
            text == content
            or self._inflects(text, content)
            or (bool(self.numbers) and content in self.renumbered(words))
        )

    def spans(self, words: Sequence[str], content: str) -> list[tuple[int, int]]:
        """The spans (from 0, end exclusive) that spell a content, from left to right.

        Those that lose something count only if there are no others.
        """
        near = list(self._near(words, content))
        found = [(start, end) for start, end, text in near if text == content]
        if not found and self.numbers and any(character.isdigit() for character in content):
            found = [
                (start, end)
                for start, end in short_spans(words)
                if content in self.renumbered(words[start:end])
            ]
        return found or [(s, e) for s, e, text in near if self._inflects(text, content)]

    def renumbered(self, words: Sequence[str]) -> list[str]:
        """The contents that words have by rules of numbers."""
        text = text_of(words)
        made = (rule.label_of(text) for rule in self.numbers)
        return [content for content in made if content is not None]

    def loss(self, words: Sequence[str], content: str) -> Loss | None:
        """Return what a span has that a content, which no span spells outright, has not."""
        found = []
        for _, _, text in self._near(words, content):
            if text.endswith(content) and len(content) >= _STEM:
                prefix = text.removesuffix(content)
                if len(prefix) <= _LONGEST_ENDING:
                    found.append((inf, -len(prefix), Loss(prefix)))
            cut, added = script_of(text, content)
            stem = len(text) - len(cut)
            # So many letters, and such a share of a label, its word must begin with.
            if stem >= max(_STEM, 0.6 * len(content)) and (
                max(len(cut), len(added)) <= _LONGEST_ENDING
            ):
                found.append((stem, -len(cut), Loss("", cut, added)))
        return max(found)[2] if found else None

    def _inflects(self, text: str, content: str) -> bool:
        """Whether a text that words spell is a content with something that it loses."""
        return any(loss.left(text) == content for loss in self.losses)

    def _near(self, words: Sequence[str], content: str) -> Iterator[tuple[int, int, str]]:
        """The spans that are about as long as a content, and their texts."""
        if not content:
            return
        for start in range(len(words)):
            for end in range(start + 1, len(words) + 1):
                text = self.spell(words[start:end])
                yield start, end, text
                if len(text) >= len(content):
                    break


def copy_rule(labels: Iterable[tuple[Sequence[str], str]]) -> CopyRule:
    """The rule that spells most literals of a corpus from the words of their sentences.

    What literals lose is what several do that no words of their sentences spell.
    """
    pairs = [(words, content_of(literal)) for words, literal in labels]
    plain = CopyRule()
    others = ((words, text) for words, text in pairs if not plain.spans(words, text))
    numbers = number_rules(others, [text for _, text in pairs])
    rules = (CopyRule(joint, case, numbers=numbers) for case in _CASES for joint in _JOINTS)
    scored = [_with_losses(rule, pairs) for rule in rules]
    return max(scored, key=lambda item: item[0])[1]


def _with_losses(
    rule: CopyRule, pairs: Sequence[tuple[Sequence[str], str]]
) -> tuple[tuple[int, int], CopyRule]:
    """A rule with what names of a corpus lose, and how much it spells: in all, and outright."""
    outright = 0
    lost: dict[Loss, set[str]] = defaultdict(set)
    inflected: Counter[Loss] = Counter()
    for words, content in pairs:
        if rule.spans(words, content):
            outright += 1
        elif (loss := rule.loss(words, content)) is not None:
            lost[loss].add(content)
            inflected[loss] += 1
    # Different names that must lose the same.
    losses = tuple(sorted(loss for loss, names in lost.items() if len(names) >= 3))
    spelled = outright + sum(inflected[loss] for loss in losses)
    return (spelled, outright), replace(rule, losses=losses)


def case_of(pairs: Iterable[tuple[str, str]]) -> str:
    """The case in which most forms begin with the letter of their labels; that of the form first.

    >>> case_of([("Emma", "emma"), ("Ava", "ava"), ("tom", "tom")]), case_of([("ran", "run")])
    ('lower', 'same')
    """
    counts = Counter(
        case for form, label in pairs for case in _CASES if cased(form, case)[:1] == label[:1]
    )
    return max(_CASES, key=counts.__getitem__)


Script = tuple[str, str]
"""What is cut off at the end of a word, and what is put there."""


def common_letters(left: str, right: str) -> int:
    """Return how many letters two words have in common at their beginning."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(left), len(right)))


def script_of(form: str, text: str) -> Script:
    """The script that makes a text of a form.

    >>> script_of("frying", "fry"), script_of("fish", "fish")
    (('ing', ''), ('', ''))
    """
    common = common_letters(form, text)
    return form[common:], text[common:]


def scripted(form: str, script: Script) -> str | None:
    """The inverse; None if the form does not end so, or nothing would be left."""
    cut, added = script
    if not form.endswith(cut):
        return None
    return (form[: len(form) - len(cut)] + added) or None


_DIGITS = re.compile(r"\d+")
_MOST_WORDS = 3


@dataclass(frozen=True, slots=True)
class NumberRule:
    """How words of a shape become a label: its numbers are sums of theirs, where train shows it.

        630am -> 630    6:30 pm -> 18:30    5/3/2024 -> 2024-03-05    6pm -> 1800

    The words without their numbers are a *shape*, `0:0 pm`, and so is the label, `0:0`. For each
    number of the label a rule has whole factors of those of the words, and what is added:
    18 = 1 * 6 + 0 * 30 + 12. Nothing knows what a time is.

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
