"""Dictionaries of lemmas for words that train does not have: simplemma's and WordNet's."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from amparser.lexicon import wordnet


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
        return wordnet.lemma_of(form.lower())
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
