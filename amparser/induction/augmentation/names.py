"""Data augmentation with invented names.

If training has few names, a tagger memorises them and mistakes a new name for a kind of constant
with many. Some training sentences therefore get invented names: words of the same length with other
letters and digits. Texts of several words also vary in length and contain training words.
Constituents that training never has as siblings of a text are inserted into texts: if reminders
have no topics, "about the heating" is part of the reminder's text.
"""

from __future__ import annotations

import string
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from random import Random

from amparser.induction.augmentation.by_sorts import spliced
from amparser.induction.augmentation.exchange import Constituent, Splice, constituents
from amparser.lexicon.encoded import CONTINUE_TAG, FIRST_FRAGMENT, NOBODY, Encoded
from amparser.lexicon.spelling import CopyRule, content_of

_TEXT = 3
"""Minimum words of a name that counts as a text."""


class NewNames:
    """Generator of invented names.

    Args:
        derivations: training derivations.
        rule: rule by which words spell labels.
        share: probability that a name is replaced.
    """

    def __init__(self, derivations: Sequence[Encoded], rule: CopyRule, share: float) -> None:
        self._rule = rule
        self._share = share
        words = {word for one in derivations for word in one.tokens if word.isalpha()}
        self._words = sorted(words)
        self._foreign = _never_beside(derivations)

    def invented(self, derivation: Encoded, random: Random) -> Encoded:
        """Return a derivation with some names replaced."""
        if not self._share:
            return derivation
        names: list[tuple[int, list[str]]] = []
        for token, label in enumerate(derivation.labels):
            words = derivation.words(token)
            copied = label is not None and self._rule.spell(words) == content_of(label)
            if copied and random.random() < self._share:
                head = derivation.heads[token]
                above = derivation.tags[head] if head != NOBODY else NOBODY
                names.append((token, self._other(words, self._foreign.get(above, ()), random)))
        for token, name in reversed(names):
            derivation = _renamed(derivation, token, name)
        return derivation

    def _other(
        self, words: Sequence[str], foreign: Sequence[tuple[str, ...]], random: Random
    ) -> list[str]:
        if len(words) < _TEXT or not self._words:
            return [_scrambled(word, random) for word in words]
        length = random.randint(1, len(words) + _TEXT)
        texts = random.choices(self._words, k=length)
        if foreign and random.random() < 0.5:
            at = random.randint(1, length)
            texts[at:at] = random.choice(foreign)
        return [_scrambled(w, random) if random.random() < 0.3 else w for w in texts]


def _never_beside(derivations: Sequence[Encoded]) -> dict[int, list[tuple[str, ...]]]:
    """Map each tag above a text to constituents whose tags never occur with it."""
    tags = [frozenset(tag for tag in one.tags if tag >= FIRST_FRAGMENT) for one in derivations]
    counts = Counter(tag for some in tags for tag in some)
    beside: dict[int, set[int]] = defaultdict(set)
    for one, some in zip(derivations, tags, strict=True):
        for above in _above_texts(one):
            beside[above] |= some
    found: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    for one in derivations:
        for part in constituents(one.heads, one.owners):
            if one.heads[part.head] == NOBODY:
                continue
            own = {tag for tag in one.tags[part.first : part.end] if tag >= FIRST_FRAGMENT}
            least = min(counts[tag] for tag in own)
            for above, known in beside.items():
                # Their absence is evidence only if three joint occurrences are expected by
                # frequency.
                enough = counts[above] * least >= 3.0 * len(derivations)
                if enough and not own & known:
                    found[above].add(one.tokens[part.first : part.end])
    return {above: sorted(parts) for above, parts in found.items()}


def _above_texts(derivation: Encoded) -> Iterator[int]:
    """Yield the tags with a text as argument."""
    for token, (head, label) in enumerate(zip(derivation.heads, derivation.labels, strict=True)):
        if head != NOBODY and label is not None and len(derivation.words(token)) >= _TEXT:
            yield derivation.tags[head]


def _scrambled(word: str, random: Random) -> str:
    """Replace each letter and digit of a word by a random one of the same case."""

    def other(character: str) -> str:
        if character.isdigit():
            return random.choice(string.digits)
        if not character.isalpha():
            return character
        letter = random.choice(string.ascii_lowercase)
        return letter.upper() if character.isupper() else letter

    return "".join(map(other, word))


def _renamed(old: Encoded, token: int, words: Sequence[str]) -> Encoded:
    """Return a derivation with other words for the name that begins at a token."""
    others = len(words) - 1
    name = Encoded(
        tuple(words),
        (old.tags[token], *[CONTINUE_TAG] * others),
        (old.closed[token], *[0] * others),
        (NOBODY,) * len(words),
        (NOBODY,) * len(words),
        (old.labels[token], *[None] * others),
        (0,) * len(words),
    )
    site = Constituent(token, token, token + len(old.words(token)))
    return spliced(old, name, Splice(site, Constituent(0, 0, len(words))))
