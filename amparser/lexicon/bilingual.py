"""English concepts of words of other languages: FreeDict's dictionaries, and WordNet's senses.

Both are read where the machine has them, as Debian's packages `dict-freedict-XXX-eng`,
`dict-freedict-eng-XXX` and `wordnet-base` install them. Nothing of them is kept in a model.
"""

from __future__ import annotations

import gzip
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from amparser.lexicon.dictionary import lemma_in

DICTIONARIES = Path("/usr/share/dictd")
WORDNET = Path("/usr/share/wordnet")

_CODES = {"de": "deu", "nl": "nld", "it": "ita", "fr": "fra", "es": "spa", "pt": "por", "sv": "swe"}
"""Of the languages that have a dictionary into English: ISO 639-1 and ISO 639-3."""
_PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
"""The letters of parts of speech, and the names of their files in WordNet."""
_SMALL = 4 << 20
"""A dictionary from English of fewer bytes is read backwards."""
_WORDS, _SENSES = 16, 5
"""So many translations, and senses of each."""

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
        code = _CODES.get(self.language)
        if self.language != "en" and code is None:
            return f"a dictionary from {self.language!r} into English"
        packages = {} if code is None else {f"dict-freedict-{code}-eng": _index(code, "eng")}
        packages["wordnet-base"] = WORDNET / "index.noun"
        left = [name for name, path in packages.items() if not path.is_file()]
        return " and ".join(left) or None

    def offers(self, word: str, part: str) -> list[Offer]:
        """The concepts of a word.

        Args:
            word: a lemma of the language.
            part: of speech: `n`, `v`, `a` or `r`; others have no concepts.
        """
        if part not in _PARTS:
            return []
        counts = _senses(part)
        # The last word of several says the kind of thing, and a word may be English, too.
        texts = translations(self.language, word)
        others = [text for text in texts if text not in counts]
        texts = [*texts, *(lemma_in("en", text) or text.rpartition("_")[2] for text in others)]
        known = [text for text in dict.fromkeys([*texts, _joined(word)]) if text in counts]
        return [
            Offer(text, sense, rank)
            for rank, text in enumerate(known[:_WORDS])
            for sense in range(1, min(counts[text], _SENSES) + 1)
        ]


@cache
def translations(language: str, word: str) -> list[str]:
    """English words for a lemma, in the order of the dictionary, words joined by `_`."""
    code = _CODES.get(language)
    if code is None:
        return []
    places, text = _dictionary(code, "eng")
    found: dict[str, None] = {}
    for start, size in places.get(word.lower(), ()):
        found.update(dict.fromkeys(_words(text[start : start + size].decode(errors="replace"))))
    found.update(dict.fromkeys(_backwards(code).get(word.lower(), ())))
    return list(found)


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
    return "_".join(words.replace("\u2010", "-").lower().split())


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
            places[head.lower()].append((_number(start), _number(size)))
    return places, gzip.decompress(index.with_suffix(".dict.dz").read_bytes())


def _number(text: str) -> int:
    value = 0
    for character in text.split("\t")[0]:
        value = 64 * value + _DIGITS[character]
    return value


@cache
def _backwards(code: str) -> dict[str, list[str]]:
    """The headwords of a small dictionary from English by their translations."""
    found: dict[str, list[str]] = defaultdict(list)
    path = _index("eng", code).with_suffix(".dict.dz")
    if not path.is_file() or path.stat().st_size > _SMALL:
        return found
    places, text = _dictionary("eng", code)
    for head, of_head in places.items():
        for start, size in of_head:
            for word in _words(text[start : start + size].decode(errors="replace")):
                found[word].append(head)
    return found


@cache
def _senses(part: str) -> dict[str, int]:
    """How many senses each word of WordNet has as this part of speech."""
    path = WORDNET / f"index.{_PARTS[part]}"
    if not path.is_file():
        return {}
    rows = (line.split(" ", 3) for line in path.read_text(encoding="utf-8").splitlines())
    return {row[0]: int(row[2]) for row in rows if row[0]}
