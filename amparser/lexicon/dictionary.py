"""A dictionary of lemmas: simplemma's, in many languages, for words that train does not have."""

from __future__ import annotations

from collections.abc import Iterator


class Languages:
    """The codes of the languages that have a dictionary (ISO 639); simplemma is imported late."""

    def __iter__(self) -> Iterator[str]:
        from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

        return iter(sorted(SUPPORTED_LANGUAGES))


LANGUAGES = Languages()


def lemma_in(language: str, form: str) -> str | None:
    """The lemma of a form, None if the dictionary of the language does not have it.

    The first call for a language reads its dictionary, which takes some tenths of a second.

    >>> lemma_in("en", "threw"), lemma_in("en", "flooshed")
    ('throw', None)
    """
    import simplemma

    if not simplemma.is_known(form, lang=language):
        return None
    return simplemma.lemmatize(form, lang=language)
