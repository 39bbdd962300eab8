"""Units: parts of tokens that may be words of their own, and word senses in node labels.

In annotated corpora, `can't` may be two words, and `New York` one. A token is therefore split into
units wherever a word may end: between letters and other characters, before endings such as `'s` and
after prefixes such as `l'`, which are learned from the corpus. A parser joins the units of one word
by the operation `PRECEDE` (`amparser.algebra.derivation`).

A node label such as `fry.v.02` or `_look_v_up` consists of a word (`fry`, `look`), a *kind* of
sense (`.v.`, `_v_`) and a sense number or name (`02`, `up`). The kinds are induced from labels
whose word occurs in the sentence: many of these words are followed by the kind, and few contain it.
Quoted strings have no sense.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

from amparser.algebra.fragment import SLOT
from amparser.conditions import Filled
from amparser.remembered import Remembered

_UNIT = re.compile(r"[^\W_]+(?:['\u2019.,:/][^\W_]+)*|\S")
_CLOSING = frozenset(".,;:!?%)")


@dataclass(frozen=True)
class Unit:
    """Part of a token that may be a word of its own.

    Attributes:
        text: characters of the unit.
        glued: True if the unit directly follows the previous unit, without a space.
        token: index (from 0) of the unit's token.
        added: at the last unit of a token in chat spelling, the number of characters by which its
            usual spelling is longer; otherwise 0.
    """

    text: str
    glued: bool
    token: int
    added: int = 0


@dataclass(frozen=True)
class Splitter:
    """Splitter of tokens into units; `endings` and `prefixes` are in lower case."""

    endings: tuple[Annotated[str, Filled()], ...] = ()
    prefixes: tuple[Annotated[str, Filled()], ...] = ()

    def units(self, tokens: Sequence[str], spelled: Callable[[str], str] = str) -> tuple[Unit, ...]:
        """Split the tokens of a sentence into units, at least one for each token.

        Args:
            tokens: the tokens.
            spelled: function that returns the usual spelling of a token.
        """
        found: list[Unit] = []
        for number, token in enumerate(tokens):
            form = spelled(token)
            pieces = self._pieces(form)
            for i, piece in enumerate(pieces):
                glued = bool(found) and (i > 0 or piece in _CLOSING)
                is_last = i == len(pieces) - 1
                added = len(form) - len(token) if is_last else 0
                found.append(Unit(piece, glued, number, added))
        return tuple(found)

    def _pieces(self, token: str) -> list[str]:
        lower = token.lower()
        if lower in self.endings or lower in self.prefixes:
            return [token]
        for prefix in self.prefixes if lower.startswith(self.prefixes) else ():
            cut = len(prefix)
            if lower.startswith(prefix) and len(lower) > cut:
                return [token[:cut], *self._pieces(token[cut:])]
        for ending in self.endings if lower.endswith(self.endings) else ():
            if lower.endswith(ending) and len(lower) > len(ending):
                cut = len(token) - len(ending)
                return [*_UNIT.findall(token[:cut]), token[cut:]]
        return _UNIT.findall(token) or [token]


def splitter_of(rows: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Splitter:
    """Learn endings and prefixes from the tokens and words of each sentence."""
    endings: Counter[str] = Counter()
    prefixes: Counter[str] = Counter()
    for tokens, words in rows:
        ends = {end for _, end in _spans(words)}
        if "".join(tokens) != "".join(words).replace(" ", ""):
            continue
        for token, (start, end) in zip(tokens, _spans(tokens), strict=True):
            inside = [cut for cut in ends if start < cut < end]
            if inside:
                last = token[max(inside) - start :].lower()
                if len(last) > 1 and not last.isalnum():
                    endings[last] += 1
                first = token[: min(inside) - start].lower()
                if len(first) > 1 and first[:-1].isalnum() and not first.isalnum():
                    prefixes[first] += 1
    return Splitter(_longest_first(endings), _longest_first(prefixes))


def _longest_first(counts: Counter[str]) -> tuple[str, ...]:
    # An ending or prefix must be a separate word at least three times.
    often = [text for text, count in counts.items() if count >= 3]
    return tuple(sorted(often, key=lambda text: (-len(text), text)))


def _spans(words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the (start, end) of each word, in characters of the sentence without spaces."""
    spans, at = [], 0
    for word in words:
        width = len(word.replace(" ", ""))
        spans.append((at, at + width))
        at += width
    return spans


def words_to_units(words: Sequence[str], units: Sequence[Unit]) -> list[int] | None:
    """Return the last unit (from 0) of each word; None if words and units differ in characters."""
    if "".join(words).replace(" ", "") != "".join(unit.text for unit in units):
        return None
    ends = [end for _, end in _spans([unit.text for unit in units])]
    found = []
    number = 0
    for _, end in _spans(words):
        while ends[number] < end:
            number += 1
        found.append(number)
    return found


def joined_text(units: Sequence[Unit], joint: str) -> str:
    """Return the text of adjacent units; spaces between them become `joint`."""
    return "".join(
        unit.text if i == 0 or unit.glued else joint + unit.text for i, unit in enumerate(units)
    )


_TRIES = 5
"""Maximum number of sentences that are searched for the word of a label."""

_MARKS = "\"'/"
_STRING = ('"', "'")
_OUTSIDE = re.compile(rf"^[\W_]+|[{_MARKS}]+$")
_BORDER = re.compile(r"(?<=[^\W_])[\W_](?=.)", re.DOTALL)
_JOINT = re.compile(r"[\W_](?=[^\W_])")
_JOINTS = re.compile(r"[\W_]+")


class Parts(NamedTuple):
    """Parts of a label: frame (the label with `SLOT` for word and sense), word, kind, number."""

    frame: str
    text: str
    kind: str
    number: str


@dataclass(frozen=True)
class Senses:
    """Kinds of senses, which separate word and sense number in the labels of a corpus.

    >>> Senses((".v.",)).parts('/"fry.v.02"')
    Parts(frame='/"\\x00"', text='fry', kind='.v.', number='02')
    >>> Senses(("_", "_v_")).parts("_look_v_up")
    Parts(frame='_\\x00', text='look', kind='_v_', number='up')
    >>> Senses(("_",)).parts('"a_b"')
    Parts(frame='"\\x00"', text='a_b', kind='', number='')
    """

    kinds: tuple[str, ...] = ()

    @cached_property
    def parts(self) -> Callable[[str], Parts]:
        """Function that splits a label into its `Parts`."""
        return Remembered(self._parts)

    def without_number(self, filler: str) -> str:
        """Return a lexical label without its sense number.

        >>> Senses((".v.",)).without_number("fry.v.02")
        'fry.v.'
        """
        _, text, kind, _ = self.parts(filler)
        return text + kind

    def _parts(self, label: str) -> Parts:
        if self.kinds and not label.startswith(_STRING) and (match := self._pattern.match(label)):
            before, text, kind, number, behind = match.groups()
            return Parts(f"{before}{SLOT}{behind}", text, kind, number)
        text = label.strip(_MARKS)
        before, _, behind = label.partition(text) if text else (label, "", "")
        return Parts(f"{before}{SLOT}{behind}", text, "", "")

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Pattern of a label with a sense; longer kinds are tried first."""
        kinds = "|".join(map(re.escape, sorted(self.kinds, key=lambda k: (-len(k), k))))
        text, number = r"(?:.*?[^\W_])", rf"[^{_MARKS}]+"
        return re.compile(rf"([\W_]*+)({text})({kinds})({number})([{_MARKS}]*)$", re.DOTALL)


NO_SENSES = Senses()


def senses_of(rows: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Senses:
    """Induce the kinds of senses, such as `.v.`, from the words and node labels of sentences."""
    behind: dict[str, set[str]] = defaultdict(set)
    inside: dict[str, set[str]] = defaultdict(set)
    tries: Counter[str] = Counter()
    for words, labels in rows:
        sentence = f" {_JOINTS.sub(' ', ' '.join(words).lower())} "
        for label in labels:
            if label.startswith(_STRING) or tries[label] >= _TRIES:
                continue
            tries[label] += 1
            core = _OUTSIDE.sub("", label).lower()
            borders = [match.start() for match in _BORDER.finditer(core)]
            end = next((i for i in reversed(borders) if _stands(core[:i], sentence)), None)
            if end is None:
                continue
            tries[label] = _TRIES
            for start in (i for i in borders if i <= end):
                found = behind if start == end else inside
                for joint in _JOINT.finditer(core, start):
                    found[core[start : joint.end()]].add(core[:end])
    all_words = set().union(*behind.values())
    # A kind must follow at least two words, and 0.4 % of all words that some kind follows.
    least = max(2, 0.004 * len(all_words))
    # For each word that contains the kind, at least ten words must be followed by it.
    return Senses(
        tuple(
            sorted(
                kind
                for kind, texts in behind.items()
                if len(texts) >= least and 10 * len(inside[kind]) <= len(texts)
            )
        )
    )


def _stands(text: str, sentence: str) -> bool:
    """Return whether a sentence contains a text; the last word of the text may be inflected."""
    text = _JOINTS.sub(" ", text)
    # Last words of one or two letters must not be inflected.
    is_long = len(text) - text.rfind(" ") > 3
    return f" {text}" in sentence if is_long else f" {text} " in sentence
