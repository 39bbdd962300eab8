"""WordNet's index of English words and its lemmas, where Debian's `wordnet-base` is installed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from amparser.errors import ConfigError

FOLDER = Path("/usr/share/wordnet")
PARTS = {"v": "verb", "n": "noun", "a": "adj", "r": "adv"}
"""The letters of parts of speech, and the names of their files."""

_ENDINGS = {
    "v": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "n": "s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y",
    "a": "er: est: er:e est:e",
    "r": "",
}
"""The endings that WordNet's own search (Morphy) takes off, and what it puts in their place."""


def missing() -> str | None:
    """The package that has to be installed, or None."""
    return None if (FOLDER / "index.noun").is_file() else "wordnet-base"


def lemma_of(form: str) -> str | None:
    """The lemma of a form in lower case, None if WordNet does not have it.

    One that differs from the form goes before the form itself: `thought` is a form of `think`.

    Raises:
        ConfigError: WordNet is not installed.
    """
    if not senses("n"):
        raise ConfigError(f"lemmas of WordNet are looked up: install {missing()} (Debian)")
    found = dict.fromkeys(lemma for part in PARTS for lemma in lemmas_of(part, form))
    return next((lemma for lemma in found if lemma != form), form if found else None)


def lemmas_of(part: str, form: str) -> Iterator[str]:
    """The lemmas that a form may have as one part of speech."""
    words = senses(part)
    if form in (irregular := _irregular(part)):
        yield irregular[form]
    for ending, _, other in (rule.partition(":") for rule in _ENDINGS[part].split()):
        if form.endswith(ending) and (stem := form.removesuffix(ending) + other) in words:
            yield stem
    if form in words:
        yield form


@cache
def senses(part: str) -> dict[str, tuple[int, ...]]:
    """The places of the synsets of each word as this part of speech, the commonest first."""
    found = {}
    for line in _lines(f"index.{PARTS[part]}"):
        if not line.startswith(" "):
            word, _, count, *fields = line.split()
            found[word] = tuple(map(int, fields[-int(count) :]))
    return found


@cache
def _irregular(part: str) -> dict[str, str]:
    rows = (line.split() for line in _lines(f"{PARTS[part]}.exc"))
    return {row[0]: row[1] for row in rows}


def _lines(name: str) -> list[str]:
    path = FOLDER / name
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
