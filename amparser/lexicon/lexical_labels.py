"""Lexical labels that are read off the words of a span: copied by a rule, or looked up.

A label is a literal: a quoted string or a number. Which rule spells labels (joined by
what, in which case) is decided by the training data: the one that spells most labels.
What no rule spells is looked up by the words of the span, if training had them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

_JOINTS = (" ", "", "_", "-")
_CASES = ("same", "lower", "upper", "title")


def _cased(text: str, case: str) -> str:
    match case:
        case "lower":
            return text.lower()
        case "upper":
            return text.upper()
        case "title":
            return text.title()
    return text


@dataclass(frozen=True, slots=True)
class CopyRule:
    """How the words of a span spell a label: what joins them, and their case.

    >>> CopyRule(" ", "lower").spell(["New", "Place"])
    'new place'
    """

    joint: str = " "
    case: str = "same"

    def spell(self, words: Sequence[str]) -> str:
        """The content of the label that these words spell."""
        return _cased(self.joint.join(words), self.case)

    def spans(self, words: Sequence[str], content: str) -> Iterator[tuple[int, int]]:
        """The spans (from 0, end exclusive) that spell a content, from left to right."""
        if not content:
            return
        for start in range(len(words)):
            for end in range(start + 1, len(words) + 1):
                text = self.spell(words[start:end])
                if text == content:
                    yield start, end
                if len(text) >= len(content):
                    break


def content_of(literal: str) -> str:
    """What stands inside the quotes of a literal, if it has any.

    >>> content_of("'new place'"), content_of("12")
    ('new place', '12')
    """
    return literal[1:-1] if literal[:1] in ("'", '"') and len(literal) > 1 else literal


def copy_rule(labels: Iterable[tuple[Sequence[str], str]]) -> CopyRule:
    """The rule that spells most literals of a corpus from the words of their sentences."""
    pairs = [(words, content_of(literal)) for words, literal in labels]
    scored = [
        (sum(next(rule.spans(words, text), None) is not None for words, text in pairs), -i, rule)
        for i, rule in enumerate(CopyRule(joint, case) for case in _CASES for joint in _JOINTS)
    ]
    return max(scored, key=lambda item: item[:2])[2]


Key = tuple[str, tuple[str, ...]]
"""A piece (its text) and the words of a span, lower case."""


@dataclass
class LexicalLabels:
    """What spells the lexical label of a span: the table of training first, then the rule.

    Attributes:
        rule: how a span spells a label.
        quote: what stands around a label.
        spelled, looked_up: how many labels of training the rule spells, and how many it does not.
        table: how often a piece had a label over these words.
    """

    rule: CopyRule
    quote: str = "'"
    spelled: int = 0
    looked_up: int = 0
    table: dict[Key, Counter[str]] = field(default_factory=dict)

    def add(self, piece: str, words: Sequence[str], literal: str) -> None:
        """Count one label of training."""
        lower = tuple(word.lower() for word in words)
        self.table.setdefault((piece, lower), Counter())[literal] += 1
        if self.rule.spell(words) == content_of(literal):
            self.spelled += 1
        else:
            self.looked_up += 1

    def label(self, piece: str, words: Sequence[str]) -> str:
        """The label of a piece over a span of words.

        Where the rule seldom holds, the label of words like these goes before it.
        """
        lower = tuple(word.lower() for word in words)
        counts = self.table.get((piece, lower))
        if counts:
            return max(sorted(counts), key=counts.__getitem__)
        if self.spelled < self.looked_up:
            near: Counter[str] = Counter()
            for (other, known), labels in self.table.items():
                shared = len(set(known) & set(lower))
                if other == piece and shared:
                    for literal, count in labels.items():
                        near[literal] += count * shared
            if near:
                return max(sorted(near), key=near.__getitem__)
        content = self.rule.spell(words)
        if content.replace(".", "", 1).isdigit() and self.quote == "":
            return content
        return f"{self.quote}{content}{self.quote}"

    def knows(self, piece: str, words: Sequence[str]) -> bool:
        """Whether training had a label of this piece over these words."""
        return (piece, tuple(word.lower() for word in words)) in self.table

    def to_json(self) -> Mapping[str, object]:
        """As plain values."""
        return {
            "joint": self.rule.joint,
            "case": self.rule.case,
            "quote": self.quote,
            "spelled": self.spelled,
            "looked_up": self.looked_up,
            "table": [[p, list(w), dict(c)] for (p, w), c in sorted(self.table.items())],
        }
