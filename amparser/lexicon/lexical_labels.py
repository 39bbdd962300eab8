"""Lexical labels that are read off the words of a span: copied by a rule, or looked up.

A label is a literal: a quoted string or a number. Which rule spells labels (joined by
what, in which case) is decided by the training data: the one that spells most labels. Names may
have endings or beginnings that their labels have not, as in Turkish or Finnish, or as `@ann` has:
what several names lose, others may lose too. Of words such as `630am` several numbers may have the
digits alone. What no rule spells is looked up by the words of the span, if training had them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from amparser.conditions import Count
from amparser.lexicon.scripts import Script, script_of, scripted

_JOINTS = (" ", "", "_", "-")
_CASES = ("same", "lower", "upper", "title")
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")
_NO_DIGIT = re.compile(r"\D")
_NAMES = 3
"""So many different names must have an ending."""
_STEM, _STEM_SHARE = 3, 0.6
"""So many letters, and such a share of a label, its word must begin with."""
_LONGEST_ENDING = 5


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
    """How the words of a span spell a label: what joins them, their case, and what they lose.

    Attributes:
        joint, case: of the words.
        endings, beginnings: what names may have that their labels have not.
        digits: whether a number may be the digits of its words.

    >>> CopyRule(" ", "lower").spell(["New", "Place"])
    'new place'
    >>> CopyRule(" ", "lower", (("ta", ""),)).spans(["New", "Placeta"], "new place")
    [(0, 2)]
    >>> CopyRule(digits=True).spans(["at", "6:30am"], "630")
    [(1, 2)]
    """

    joint: str = " "
    case: str = "same"
    endings: tuple[Script, ...] = ()
    beginnings: tuple[str, ...] = ()
    digits: bool = False

    @property
    def alters(self) -> bool:
        """Whether labels may differ from what their words spell."""
        return bool(self.endings or self.beginnings or self.digits)

    def spell(self, words: Sequence[str]) -> str:
        """The content of the label that these words spell, their ending kept."""
        return _cased(self.joint.join(words), self.case)

    def spells(self, words: Sequence[str], content: str) -> bool:
        """Whether these words spell a content, outright or with something that it loses."""
        text = self.spell(words)
        return text == content or self._inflects(words, text, content)

    def spans(self, words: Sequence[str], content: str) -> list[tuple[int, int]]:
        """The spans (from 0, end exclusive) that spell a content, from left to right.

        Those that lose something count only if there are no others.
        """
        near = list(self._near(words, content))
        found = [(start, end) for start, end, text in near if text == content]
        return found or [
            (start, end)
            for start, end, text in near
            if self._inflects(words[start:end], text, content)
        ]

    def script(self, words: Sequence[str], content: str) -> Script | None:
        """The script by which a span spells a content that no span spells outright."""
        found = []
        for _, _, text in self._near(words, content):
            cut, added = script = script_of(text, content)
            stem = len(text) - len(cut)
            if stem >= max(_STEM, _STEM_SHARE * len(content)) and (
                max(len(cut), len(added)) <= _LONGEST_ENDING
            ):
                found.append((stem, -len(cut), script))
        return max(found)[2] if found else None

    def beginning(self, words: Sequence[str], content: str) -> str:
        """What stands before a content that no span spells outright; empty for nothing."""
        found = (
            text.removesuffix(content)
            for _, _, text in self._near(words, content)
            if text.endswith(content) and len(text) - len(content) <= _LONGEST_ENDING
        )
        return min(found, key=len, default="") if len(content) >= _STEM else ""

    def has_digits(self, words: Sequence[str], content: str) -> bool:
        """Whether a number is the digits of a span."""
        return any(
            _are_digits(words[start:end], content) for start, end, _ in self._near(words, content)
        )

    def _inflects(self, words: Sequence[str], text: str, content: str) -> bool:
        """Whether a text that words spell is a content with something that it loses."""
        return (
            any(scripted(text, script) == content for script in self.endings)
            or any(text == f"{beginning}{content}" for beginning in self.beginnings)
            or (self.digits and _are_digits(words, content))
        )

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


def content_of(literal: str) -> str:
    """What stands inside the quotes of a literal, if it has any.

    >>> content_of("'new place'"), content_of("12")
    ('new place', '12')
    """
    return literal[1:-1] if literal[:1] in ("'", '"') and len(literal) > 1 else literal


def is_number(content: str) -> bool:
    """Whether a content is written in digits alone, but for a sign and a point.

    >>> is_number("-3.5"), is_number("10:30"), is_number("")
    (True, False, False)
    """
    return bool(_NUMBER.fullmatch(content))


def digits_of(text: str) -> str:
    """The digits of a text.

    >>> digits_of("6:30am")
    '630'
    """
    return _NO_DIGIT.sub("", text)


def _are_digits(words: Sequence[str], content: str) -> bool:
    """Whether a number is the digits of words that all have some."""
    digits = [digits_of(word) for word in words]
    return content.isdecimal() and all(digits) and "".join(digits) == content


def copy_rule(labels: Iterable[tuple[Sequence[str], str]]) -> CopyRule:
    """The rule that spells most literals of a corpus from the words of their sentences.

    What literals lose is what several do that no words of their sentences spell.
    """
    pairs = [(words, content_of(literal)) for words, literal in labels]
    rules = (CopyRule(joint, case) for case in _CASES for joint in _JOINTS)
    scored = [_with_losses(rule, pairs) for rule in rules]
    return max(scored, key=lambda item: item[0])[1]


def _with_losses(
    rule: CopyRule, pairs: Sequence[tuple[Sequence[str], str]]
) -> tuple[tuple[int, int], CopyRule]:
    """A rule with what names of a corpus lose, and how much it spells: in all, and outright."""
    outright = 0
    lost: dict[tuple[str, Script], list[str]] = defaultdict(list)
    for words, content in pairs:
        if rule.spans(words, content):
            outright += 1
        elif rule.has_digits(words, content):
            lost["digits", ("", "")].append(content)
        elif beginning := rule.beginning(words, content):
            lost["beginning", (beginning, "")].append(content)
        elif (script := rule.script(words, content)) is not None:
            lost["ending", script].append(content)
    several = {loss: all_ for loss, all_ in lost.items() if len(set(all_)) >= _NAMES}
    spelled = outright + sum(map(len, several.values()))
    return (spelled, outright), replace(
        rule,
        endings=tuple(sorted(script for kind, script in several if kind == "ending")),
        beginnings=tuple(sorted(script[0] for kind, script in several if kind == "beginning")),
        digits=any(kind == "digits" for kind, _ in several),
    )


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
    spelled: Count = 0
    looked_up: Count = 0
    table: dict[Key, Counter[str]] = field(default_factory=dict)

    def add(self, piece: str, words: Sequence[str], literal: str) -> None:
        """Count one label of training."""
        lower = tuple(word.lower() for word in words)
        self.table.setdefault((piece, lower), Counter())[literal] += 1
        if self.rule.spells(words, content_of(literal)):
            self.spelled += 1
        else:
            self.looked_up += 1

    def label(self, piece: str, words: Sequence[str]) -> str:
        """The label of a piece over a span of words, or else that of another piece over them.

        Where the rule seldom holds, the label of words like these goes before it.
        """
        lower = tuple(word.lower() for word in words)
        if counts := self.table.get((piece, lower)):
            return max(sorted(counts), key=counts.__getitem__)
        if counts := self._anywhere.get(lower):
            return self._of_kind(piece, max(sorted(counts), key=counts.__getitem__))
        if self.spelled < self.looked_up:
            near: Counter[str] = Counter()
            for (other, known), labels in self.table.items():
                shared = len(set(known) & set(lower))
                if other == piece and shared:
                    for literal, count in labels.items():
                        near[literal] += count * shared
            if near:
                return max(sorted(near), key=near.__getitem__)
        return self._quoted(piece, self._content(piece, words))

    def _of_kind(self, piece: str, literal: str) -> str:
        """A literal of another piece with the quotes that this one has, if it has any literals."""
        return self._quoted(piece, content_of(literal)) if piece in self._known else literal

    def _quoted(self, piece: str, content: str) -> str:
        """A content between the quotes that contents of its kind have at this piece.

        Numbers and texts are two kinds; texts have the quotes of all, where the piece has none.
        """
        number = is_number(content)
        quotes = self._quotes.get((piece, number))
        if not quotes and number:
            quotes = self._quotes.get((piece, False))
        quotes = quotes or self._quotes.get(("", number))
        quote = max(sorted(quotes), key=quotes.__getitem__) if quotes else self.quote
        return f"{quote}{content}{quote}"

    def knows(self, piece: str, words: Sequence[str]) -> bool:
        """Whether training had a label of this piece over these words, their ending apart."""
        if (piece, tuple(word.lower() for word in words)) in self.table:
            return True
        return self.rule.alters and self._content(piece, words) in self._names(piece)

    def _content(self, piece: str, words: Sequence[str]) -> str:
        """What words spell without what they lose.

        An ending is one if what is left is a name that this piece has in training, or if most
        words of training that end so have it; likewise a beginning. A piece that has numbers alone
        in training has the digits of words, but for those whose like mostly mean other numbers.
        """
        text, names = self.rule.spell(words), self._names(piece)
        if self.rule.digits and names and all(map(is_number, names)) and not is_number(text):
            digits = digits_of(text)
            return digits if digits and self._digit_shares.get(_shape(text), 1.0) > 0.5 else text
        options = [
            (left in names, self._shares[script], len(script[0]), left)
            for script in self.rule.endings
            if (left := scripted(text, script)) is not None
        ] + [
            (left in names, self._beginning_shares[cut], len(cut), left)
            for cut in self.rule.beginnings
            if text.startswith(cut) and (left := text.removeprefix(cut))
        ]
        known, share, _, left = max(options, default=(False, 0.0, 0, text))
        return left if text not in names and (known or share > 0.5) else text

    def _names(self, piece: str) -> set[str]:
        """The contents that a piece has in training."""
        return self._known.get(piece, set())

    @cached_property
    def _known(self) -> Mapping[str, set[str]]:
        """The contents of each piece in training, which is over when they are asked for."""
        found: dict[str, set[str]] = defaultdict(set)
        for (piece, _), labels in self.table.items():
            found[piece].update(map(content_of, labels))
        return found

    @cached_property
    def _quotes(self) -> Mapping[tuple[str, bool], Counter[str]]:
        """The quotes of numbers and of texts, of each piece and, under "", of all."""
        found: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)
        for (piece, _), labels in self.table.items():
            for literal, count in labels.items():
                content = content_of(literal)
                quote = "" if literal == content else literal[0]
                for where in (piece, ""):
                    found[where, is_number(content)][quote] += count
        return found

    @cached_property
    def _anywhere(self) -> Mapping[tuple[str, ...], Counter[str]]:
        """The labels over words, of all pieces together."""
        found: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for (_, words), labels in self.table.items():
            found[words].update(labels)
        return found

    @cached_property
    def _texts(self) -> frozenset[tuple[str, str]]:
        """What words of training spell, and what their label is; in lower case."""
        return frozenset(
            (self.rule.spell(words).lower(), content_of(literal).lower())
            for (_, words), labels in self.table.items()
            for literal in labels
        )

    @cached_property
    def _shares(self) -> Mapping[Script, float]:
        """How many of the different words of training that end like a script go by it."""
        shares = {}
        for script in self.rule.endings:
            ends = [(text, content) for text, content in self._texts if text.endswith(script[0])]
            holds = sum(scripted(text, script) == content for text, content in ends)
            shares[script] = holds / max(1, len(ends))
        return shares

    @cached_property
    def _beginning_shares(self) -> Mapping[str, float]:
        """How many of the different words of training that begin so lose it."""
        shares = {}
        for cut in self.rule.beginnings:
            begin = [(text, label) for text, label in self._texts if text.startswith(cut.lower())]
            holds = sum(text == f"{cut.lower()}{label}" for text, label in begin)
            shares[cut] = holds / max(1, len(begin))
        return shares

    @cached_property
    def _digit_shares(self) -> Mapping[str, float]:
        """How many words of training of one shape mean the number of their digits."""
        seen: dict[str, list[bool]] = defaultdict(list)
        for text, label in self._texts:
            if is_number(label):
                seen[_shape(text)].append(digits_of(text) == label)
        return {shape: sum(holds) / len(holds) for shape, holds in seen.items()}


def _shape(text: str) -> str:
    """A text, each number in it as one digit."""
    return re.sub(r"\d+", "0", text.lower())
