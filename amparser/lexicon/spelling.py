"""How words spell the labels of constants: one set of rules for all constants.

A label is a *literal*, a quoted string or a number, or a symbol. A literal is copied if the words
spell it: joined by something, in some case, with or without an ending (`CopyRule`). Which rule
holds is decided by the training data: the one that spells most literals. Names may
have endings or beginnings that their labels have not, as in Turkish or Finnish, or as `@ann` has:
what several names lose, others may lose too. Numbers such as that of `6pm` may be others in labels
(`amparser.lexicon.numbers`). What no rule spells is looked up by the words, if training had them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple

from amparser.characters import text_of
from amparser.lexicon.edit_scripts import script_of, scripted
from amparser.lexicon.numbers import NumberRule, number_rules, short_spans
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
