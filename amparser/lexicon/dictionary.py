"""Lemma dictionaries for unseen words: simplemma, and WordNet 3.0 (Miller 1995).

The package contains a file of WordNet's words, with their lemmas and numbers of senses. It was
written by `tests/benchmarks/distil_wordnet.py`.
"""

from __future__ import annotations

import lzma
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Languages:
    """Language codes (ISO 639) of simplemma's dictionaries; simplemma is imported on first use."""

    def __iter__(self) -> Iterator[str]:
        from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

        return iter(sorted(SUPPORTED_LANGUAGES))


LANGUAGES = Languages()
WORDNET = "wordnet"
"""Name of the WordNet lemma dictionary; all other names are language codes."""


class Dictionaries:
    """Names of all lemma dictionaries: the languages of simplemma, and `wordnet`."""

    def __iter__(self) -> Iterator[str]:
        return iter([*LANGUAGES, WORDNET])


DICTIONARIES = Dictionaries()


def lemma_in(name: str, form: str) -> str | None:
    """Return the lemma of a form, or None if the dictionary does not have the form.

    The first call for a language loads its dictionary, which takes a few tenths of a second.

    >>> lemma_in("en", "threw"), lemma_in("en", "flooshed")
    ('throw', None)
    """
    if name == WORDNET:
        return wordnet_lemma(form.lower())
    import simplemma

    if not simplemma.is_known(form, lang=name):
        return None
    return simplemma.lemmatize(form, lang=name)


def is_trusted(name: str, lemmas: Iterable[tuple[str, Collection[str]]]) -> bool:
    """Return whether a dictionary gives a training lemma of at least 80 % of the forms.

    Forms that the dictionary lacks, or maps to themselves, are not counted.

    Args:
        name: name of the dictionary; the empty name is never trusted.
        lemmas: forms of training, each with its possible lemmas.
    """
    changed = right = 0
    for form, known in lemmas if name else ():
        found = lemma_in(name, form)
        if found not in (None, form):
            changed += 1
            right += found in known
    return right >= 0.8 * changed and right > 0


PATH = Path(__file__).with_name("wordnet.txt.xz")
PARTS = "vnar"
"""Parts of speech: verb, noun, adjective, adverb."""

_ENDINGS = {
    "v": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "n": "s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y",
    "a": "er: est: er:e est:e",
    "r": "",
}
"""Suffix rules of WordNet's lemmatizer Morphy, `suffix:replacement`, by part of speech."""


class _Read(NamedTuple):
    irregular: dict[str, dict[str, str]]
    senses: dict[str, dict[str, int]]


def wordnet_lemma(form: str) -> str | None:
    """Return the lemma of a lower-case form, or None if the form is not in WordNet."""
    found = dict.fromkeys(lemma for part in PARTS for lemma in lemmas_of(part, form))
    return next((lemma for lemma in found if lemma != form), form if found else None)


def lemmas_of(part: str, form: str) -> Iterator[str]:
    """Yield the possible lemmas of a form that has this part of speech."""
    words = senses(part)
    if form in (irregular := _read().irregular[part]):
        yield irregular[form]
    for ending, _, other in (rule.partition(":") for rule in _ENDINGS[part].split()):
        if form.endswith(ending) and (stem := form.removesuffix(ending) + other) in words:
            yield stem
    if form in words:
        yield form


def senses(part: str) -> dict[str, int]:
    """Return the number of senses of each word that has this part of speech."""
    return _read().senses[part]


@cache
def _read() -> _Read:
    irregular, words = lzma.decompress(PATH.read_bytes()).decode().split("\n\n")
    found = _Read({part: {} for part in PARTS}, {part: {} for part in PARTS})
    for part, form, lemma in (line.split("\t") for line in irregular.split("\n")):
        found.irregular[part][form] = lemma
    for word, *counts in (line.split("\t") for line in words.split("\n")):
        for count in counts:
            found.senses[count[0]][word] = int(count[1:])
    return found
