"""English concepts for words of other languages, from FreeDict and WordNet.

The dictionaries are read from the system, where Debian's packages `dict-freedict-XXX-eng` and
`dict-freedict-eng-XXX` install them; a model stores nothing of them. The Italian dictionary is
small, so Italian words are also translated via French and German if `dict-freedict-fra-ita`,
`dict-freedict-fra-eng`, `dict-freedict-deu-ita` and `dict-freedict-deu-eng` are installed.
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
"""ISO 639-3 codes of the languages with a dictionary into English, by ISO 639-1 code."""
_BETWEEN = {"ita": ("fra", "deu")}
"""Pivot languages: their dictionaries into the key are inverted, then read into English."""
_STEM = 3
"""Minimum letters that cognates share at their beginning."""
_PART, _OF_PART = 4, 3
"""Minimum letters of a compound part; maximum translations used for each part."""

_ASIDE = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}|^\s*\d+\.\s*")
_DIGITS = {
    c: i for i, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}


class Offer(NamedTuple):
    """Candidate concept: English lemma, WordNet sense (from 1), rank of the lemma (from 0)."""

    text: str
    sense: int
    rank: int


@dataclass(frozen=True)
class Bilingual:
    """Dictionaries of one language."""

    language: str

    @property
    def missing(self) -> str | None:
        """The packages to install; None if the dictionary is available."""
        if self.language != "en" and self.language not in _CODES:
            return f"a dictionary from {self.language!r} into English"
        return " and ".join(missing_dictionaries([self.language])) or None

    def offers(self, word: str, part: str) -> list[Offer]:
        """Return the candidate concepts of a lemma, best translations first.

        Args:
            word: a lemma of the language.
            part: WordNet part of speech (`n`, `v`, `a`, `r`); any other has no concepts.
        """
        if part not in PARTS:
            return []
        counts = senses(part)
        # A multiword translation falls back to its last word, the head. The word itself comes last,
        # because it may be an English loan.
        texts = translations(self.language, word)
        if self.language == "en":
            texts = [*lemmas_of(part, word.lower())]
        others = [text for text in texts if text not in counts]
        texts = [*texts, *(lemma_in("en", text) or text.rpartition("_")[2] for text in others)]
        known = [text for text in dict.fromkeys([*texts, _joined(word)]) if text in counts]
        # At most 16 translations, and 5 senses of each.
        return [
            Offer(text, sense, rank)
            for rank, text in enumerate(known[:16])
            for sense in range(1, min(counts[text], 5) + 1)
        ]


def missing_dictionaries(languages: Iterable[str]) -> list[str]:
    """Return the Debian packages that are missing for translations from these languages."""
    codes = [_CODES[language] for language in languages if language in _CODES]
    return [f"dict-freedict-{c}-eng" for c in codes if not _index(c, "eng").is_file()]


@cache
def translations(language: str, word: str) -> list[str]:
    """Return English translations of a lemma in dictionary order; multiword ones are joined by `_`.

    A compound without an entry is translated part by part. Any other word without an entry gets the
    English words that regular cognate endings predict.
    """
    code = _CODES.get(language)
    if code is None:
        return []
    word = _plain(word)
    return _translated(code, word) or _of_compound(code, word) or _cognates(code, word)


@cache
def _translated(code: str, word: str) -> list[str]:
    found = dict.fromkeys(_entries(code, word))
    found.update(dict.fromkeys(_backwards("eng", code).get(word, ())))
    for between in _BETWEEN.get(code, ()):
        for other in _backwards(between, code).get(word, ()):
            found.update(dict.fromkeys(_entries(between, other)))
    return list(found)


def _of_compound(code: str, word: str) -> list[str]:
    """Translate a compound of two parts part by part; prefer the longest second part."""
    for start in range(_PART, len(word) - _PART + 1):
        seconds = _translated(code, word[start:])
        if seconds:
            # Allow up to two linking letters between the parts.
            for end in range(start, max(start - 2, _PART) - 1, -1):
                if firsts := _translated(code, word[:end]):
                    pairs = product(seconds[:_OF_PART], firsts[:_OF_PART])
                    return [f"{first}_{second}" for second, first in pairs]
    return []


def _cognates(code: str, word: str) -> list[str]:
    """Return WordNet words that regular ending correspondences predict for a word.

    For example, Italian `creativo` yields `creative`, because `attivo` translates as `active`.
    """
    found: dict[str, None] = {}
    for start in range(_STEM, len(word)):
        endings = _endings(code).get(word[start:], Counter[str]())
        for ending in sorted(endings, key=lambda one: (-endings[one], one)):
            other = word[:start] + ending
            # An ending correspondence needs four dictionary entries.
            if endings[ending] >= 4 and any(other in senses(p) for p in PARTS):
                found[other] = None
    return list(found)[:_OF_PART]


@cache
def _endings(code: str) -> dict[str, Counter[str]]:
    """Count the endings of translations by the word's ending, for pairs with a common stem."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    words = [*_dictionary(code, "eng")[0]]
    # A sample of at most about 40,000 headwords is enough.
    for word in words[:: 1 + len(words) // 40_000]:
        for other in _entries(code, word):
            for start in range(_STEM, len(word)):
                if word[:start] != other[:start]:
                    break
                found[word[start:]][other[start:]] += 1
    return found


def _entries(code: str, word: str) -> Iterator[str]:
    """Yield the translations of a word, the first of each entry before the second of any."""
    places, text = _dictionary(code, "eng")
    entries = [
        _words(text[start : start + size].decode(errors="replace"))
        for start, size in places.get(word, ())
    ]
    for of_entries in zip_longest(*entries):
        yield from filter(None, of_entries)


def _words(entry: str) -> Iterator[str]:
    """Yield the translations in an entry, whose first line is the headword."""
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
    """Lower-case a text and decompose ligatures; the Dutch dictionary writes `ĳ` as one letter."""
    return normalize("NFKC", text).lower()


def _index(source: str, target: str) -> Path:
    return DICTIONARIES / f"freedict-{source}-{target}.index"


@cache
def _dictionary(source: str, target: str) -> tuple[dict[str, list[tuple[int, int]]], bytes]:
    """Return (offset, size) of the entries of one-word headwords, and the text; may be empty."""
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
    """Invert a small dictionary: headwords by translation; empty if it is missing or large."""
    found: dict[str, list[str]] = defaultdict(list)
    path = _index(source, target).with_suffix(".dict.dz")
    # Larger dictionaries (4 MiB compressed) take too long to invert.
    if not path.is_file() or path.stat().st_size > (4 << 20):
        return found
    places, text = _dictionary(source, target)
    for head, of_head in places.items():
        for start, size in of_head:
            for word in _words(text[start : start + size].decode(errors="replace")):
                found[word].append(head)
    return found
