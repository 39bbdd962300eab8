"""English concepts of words of other languages: FreeDict's dictionaries, and WordNet's senses.

Dictionaries are read where the machine has them, as Debian's packages `dict-freedict-XXX-eng` and
`dict-freedict-eng-XXX` install them. Nothing of them is kept in a model. The
dictionary from Italian is small, so its words are looked up by way of French and German, too, where
there are `dict-freedict-fra-ita`, `dict-freedict-fra-eng`, `dict-freedict-deu-ita` and
`dict-freedict-deu-eng`.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product, zip_longest
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from amparser.lexicon.dictionary import PARTS, lemma_in, lemmas_of, senses

DICTIONARIES = Path("/usr/share/dictd")

_CODES = {"de": "deu", "nl": "nld", "it": "ita", "fr": "fra", "es": "spa", "pt": "por", "sv": "swe"}
"""Of the languages that have a dictionary into English: ISO 639-1 and ISO 639-3."""
_BETWEEN = {"ita": ("fra", "deu")}
"""Languages whose dictionaries into this one are read backwards, and into English then."""
_STEM = 3
"""Cognates have so many first letters in common, and so many pairs of these words have their
endings."""
_PART, _OF_PART = 4, 3
"""Parts of compounds have so many letters at least, so many at most stand between them, and so many
translations of each part are joined."""

_ASIDE = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}|^\s*\d+\.\s*")
_DIGITS = {
    c: i for i, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}


class Offer(NamedTuple):
    """A concept that a word may have: English text, number of its sense, rank of the word."""

    text: str
    sense: int
    rank: int


@dataclass(frozen=True)
class Bilingual:
    """The dictionaries of a language."""

    language: str

    @property
    def missing(self) -> str | None:
        """What has to be installed; None if it is there."""
        if self.language != "en" and self.language not in _CODES:
            return f"a dictionary from {self.language!r} into English"
        return " and ".join(missing_dictionaries([self.language])) or None

    def offers(self, word: str, part: str) -> list[Offer]:
        """The concepts of a word.

        Args:
            word: a lemma of the language.
            part: of speech: `n`, `v`, `a` or `r`; others have no concepts.
        """
        if part not in PARTS:
            return []
        counts = senses(part)
        # The last word of several says the kind of thing, and a word may be English, too.
        texts = translations(self.language, word)
        if self.language == "en":
            texts = [*lemmas_of(part, word.lower())]
        others = [text for text in texts if text not in counts]
        texts = [*texts, *(lemma_in("en", text) or text.rpartition("_")[2] for text in others)]
        known = [text for text in dict.fromkeys([*texts, _joined(word)]) if text in counts]
        # So many translations, and senses of each.
        return [
            Offer(text, sense, rank)
            for rank, text in enumerate(known[:16])
            for sense in range(1, min(counts[text], 5) + 1)
        ]


def missing_dictionaries(languages: Iterable[str]) -> list[str]:
    """The packages that have to be installed for translations from these languages."""
    codes = [_CODES[language] for language in languages if language in _CODES]
    return [f"dict-freedict-{c}-eng" for c in codes if not _index(c, "eng").is_file()]


@cache
def translations(language: str, word: str) -> list[str]:
    """English words for a lemma, in the order of the dictionary, words joined by `_`.

    Those of a compound that no dictionary has are the joined words for its two parts. Other words
    have the English words that their letters lead to (`_cognates`).
    """
    code = _CODES.get(language)
    if code is None:
        return []
    word = _plain(word)
    return _translated(code, word) or _of_compound(code, word) or _cognates(code, word)


@cache
def _translated(code: str, word: str) -> list[str]:
    """What the dictionaries have for a word."""
    found = dict.fromkeys(_entries(code, word))
    found.update(dict.fromkeys(_backwards("eng", code).get(word, ())))
    for between in _BETWEEN.get(code, ()):
        for other in _backwards(between, code).get(word, ()):
            found.update(dict.fromkeys(_entries(between, other)))
    return list(found)


def _of_compound(code: str, word: str) -> list[str]:
    """The joined translations of the two parts of a word, the second as long as can be."""
    for start in range(_PART, len(word) - _PART + 1):
        seconds = _translated(code, word[start:])
        if seconds:
            # Parts of compounds have so many letters at least, so many at most stand between them,
            # and so many translations of each part are joined.
            for end in range(start, max(start - 2, _PART) - 1, -1):
                if firsts := _translated(code, word[:end]):
                    pairs = product(seconds[:_OF_PART], firsts[:_OF_PART])
                    return [f"{first}_{second}" for second, first in pairs]
    return []


def _cognates(code: str, word: str) -> list[str]:
    """The English words of WordNet that a word becomes as others become their translations.

    So `creativo` is `creative`, as `attivo` is `active`.
    """
    found: dict[str, None] = {}
    for start in range(_STEM, len(word)):
        endings = _endings(code).get(word[start:], Counter[str]())
        for ending in sorted(endings, key=lambda one: (-endings[one], one)):
            other = word[:start] + ending
            # Cognates have so many first letters in common, and so many pairs of these words have
            # their endings.
            if endings[ending] >= 4 and any(other in senses(p) for p in PARTS):
                found[other] = None
    return list(found)[:_OF_PART]


@cache
def _endings(code: str) -> dict[str, Counter[str]]:
    """What the endings of words become in translations that begin with the same letters."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    words = [*_dictionary(code, "eng")[0]]
    # Cognates have so many first letters in common, and so many pairs of these words have their
    # endings.
    for word in words[:: 1 + len(words) // 40_000]:
        for other in _entries(code, word):
            for start in range(_STEM, len(word)):
                if word[:start] != other[:start]:
                    break
                found[word[start:]][other[start:]] += 1
    return found


def _entries(code: str, word: str) -> Iterator[str]:
    """The English words that the entries of a word have, the first of each entry first."""
    places, text = _dictionary(code, "eng")
    entries = [
        _words(text[start : start + size].decode(errors="replace"))
        for start, size in places.get(word, ())
    ]
    for of_entries in zip_longest(*entries):
        yield from filter(None, of_entries)


def _words(entry: str) -> Iterator[str]:
    """The translations of an entry, whose first line is its headword."""
    for line in entry.split("\n")[1:]:
        plain = _ASIDE.sub("", line).strip()
        if line.startswith("   ") or plain.startswith("see:") or not plain:
            continue
        for part in re.split(r"[,;]", _ASIDE.sub("", plain)):
            if word := _joined(part.strip().removeprefix("to ")):
                yield word


def _joined(words: str) -> str:
    return "_".join(_plain(words.replace("\u2010", "-")).split())


def _plain(text: str) -> str:
    """A text in lower case without ligatures: the Dutch dictionary writes `ĳ` as one letter."""
    return normalize("NFKC", text).lower()


def _index(source: str, target: str) -> Path:
    return DICTIONARIES / f"freedict-{source}-{target}.index"


@cache
def _dictionary(source: str, target: str) -> tuple[dict[str, list[tuple[int, int]]], bytes]:
    """The places of each headword that is one word, and the text; nothing if not installed."""
    index = _index(source, target)
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    if not index.is_file():
        return places, b""
    for line in index.read_text(encoding="utf-8", errors="replace").splitlines():
        head, _, place = line.partition("\t")
        if " " not in head and not head.startswith("00"):
            start, _, size = place.partition("\t")
            places[_plain(head)].append((_number(start), _number(size)))
    return places, gzip.decompress(index.with_suffix(".dict.dz").read_bytes())


def _number(text: str) -> int:
    value = 0
    for character in text.split("\t")[0]:
        value = 64 * value + _DIGITS[character]
    return value


@cache
def _backwards(source: str, target: str) -> dict[str, list[str]]:
    """The headwords of a small dictionary by what they mean; nothing if it is not installed."""
    found: dict[str, list[str]] = defaultdict(list)
    path = _index(source, target).with_suffix(".dict.dz")
    # A dictionary of fewer bytes is read backwards.
    if not path.is_file() or path.stat().st_size > (4 << 20):
        return found
    places, text = _dictionary(source, target)
    for head, of_head in places.items():
        for start, size in of_head:
            for word in _words(text[start : start + size].decode(errors="replace")):
                found[word].append(head)
    return found
