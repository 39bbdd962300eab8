"""Dictionaries of lemmas for words that train does not have: simplemma's and WordNet's.

The package has the words of WordNet 3.0 (Miller 1995), their lemmas and numbers of senses;
`tests/benchmarks/distil_wordnet.py` writes the file.
"""

from __future__ import annotations

import lzma
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Languages:
    """The codes of the languages that have a dictionary (ISO 639); simplemma is imported late."""

    def __iter__(self) -> Iterator[str]:
        from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

        return iter(sorted(SUPPORTED_LANGUAGES))


LANGUAGES = Languages()
WORDNET = "wordnet"
"""The name of WordNet's lemmas, beside the languages of simplemma's."""


class Dictionaries:
    """The names of all dictionaries of lemmas."""

    def __iter__(self) -> Iterator[str]:
        return iter([*LANGUAGES, WORDNET])


DICTIONARIES = Dictionaries()


def lemma_in(name: str, form: str) -> str | None:
    """The lemma of a form, None if the dictionary does not have it.

    The first call for a language reads its dictionary, which takes some tenths of a second.

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
    """Whether a dictionary gives four of five lemmas of the forms of train that it changes.

    Args:
        name: of the dictionary; empty for none, which is not trusted.
        lemmas: forms of train with the lemmas that each has there.
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
"""Letters of parts of speech: verbs, nouns, adjectives, adverbs."""

_ENDINGS = {
    "v": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "n": "s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y",
    "a": "er: est: er:e est:e",
    "r": "",
}
"""The endings that WordNet's own search (Morphy) takes off, and what it puts in their place."""


class _Read(NamedTuple):
    irregular: dict[str, dict[str, str]]
    senses: dict[str, dict[str, int]]


def wordnet_lemma(form: str) -> str | None:
    """The lemma of a form in lower case, None if WordNet does not have it.

    One that differs from the form goes before the form itself: `thought` is a form of `think`.
    """
    found = dict.fromkeys(lemma for part in PARTS for lemma in lemmas_of(part, form))
    return next((lemma for lemma in found if lemma != form), form if found else None)


def lemmas_of(part: str, form: str) -> Iterator[str]:
    """The lemmas that a form may have as one part of speech."""
    words = senses(part)
    if form in (irregular := _read().irregular[part]):
        yield irregular[form]
    for ending, _, other in (rule.partition(":") for rule in _ENDINGS[part].split()):
        if form.endswith(ending) and (stem := form.removesuffix(ending) + other) in words:
            yield stem
    if form in words:
        yield form


def senses(part: str) -> dict[str, int]:
    """Return how many senses each word has as this part of speech.

    Words that belong together are joined by `_`.
    """
    return _read().senses[part]


@cache
def _read() -> _Read:
    """What is in the file; its script says how."""
    irregular, words = lzma.decompress(PATH.read_bytes()).decode().split("\n\n")
    found = _Read({part: {} for part in PARTS}, {part: {} for part in PARTS})
    for part, form, lemma in (line.split("\t") for line in irregular.split("\n")):
        found.irregular[part][form] = lemma
    for word, *counts in (line.split("\t") for line in words.split("\n")):
        for count in counts:
            found.senses[count[0]][word] = int(count[1:])
    return found
