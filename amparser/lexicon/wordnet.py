"""English words, their lemmas and numbers of senses: what the package has of WordNet 3.0.

`tests/benchmarks/distil_wordnet.py` writes the file of WordNet (Miller 1995).
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

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


def lemma_of(form: str) -> str | None:
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
