"""Word vectors of several languages, from English translations.

An English word is looked up in the `english` vectors. Any other word gets the mean vector of its
translations in FreeDict (`amparser.lexicon.bilingual`), weighted by rank. So a network applies its
knowledge of an English word to the word's translations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from amparser.errors import ConfigError
from amparser.lexicon.bilingual import missing_dictionaries, translations
from amparser.lexicon.candidates import lemma
from amparser.lexicon.dictionary import lemma_in
from amparser.nn.vectors.english import ENGLISH, WordTable
from amparser.nn.vectors.source import Origin
from amparser.remembered import Remembered

_MOST = 6
"""Maximum translations read per word."""


class TranslatedVectors:
    """Vectors of translations; a `VectorSource`.

    Args:
        name: name in the registry of sources.
        table: vectors of English words.
        languages: source languages (ISO 639).
    """

    def __init__(self, name: str, table: WordTable, languages: Sequence[str]) -> None:
        self.name, self.table, self.languages = name, table, tuple(languages)
        self._of = Remembered(self._vector)

    @property
    def size(self) -> int:
        """See `VectorSource`."""
        return self.table.size

    @property
    def sha256(self) -> str:
        """See `VectorSource`. Only the English vectors count; dictionaries have many versions."""
        return self.table.sha256

    @property
    def missing(self) -> str | None:
        """See `VectorSource`."""
        packages = missing_dictionaries(self.languages)
        return f"install {' and '.join(packages)} (Debian)" if packages else None

    def origin(self) -> Origin:
        """See `VectorSource`."""
        if self.missing is not None:
            raise ConfigError(f"word vectors {self.name!r}: {self.missing}")
        return replace(self.table.origin(), name=self.name)

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """See `VectorSource`."""
        rows = np.zeros((len(words), self.size), dtype=np.float32)
        for i, word in enumerate(words):
            rows[i] = self._of(word)
        return rows

    def _vector(self, word: str) -> NDArray[np.float32]:
        if lemma_in("en", word) is None:
            known = [name for name in self.languages if lemma(name, word) is not None]
            total = sum(self._translated(name, word) for name in known or self.languages)
            if length := np.linalg.norm(total):
                return np.asarray(total / length, dtype=np.float32)
        vector: NDArray[np.float32] = self.table.vectors([word])[0]
        return vector

    def _translated(self, language: str, word: str) -> NDArray[np.float32]:
        """Return the mean vector of a word's translations, the n-th weighted 1 / n.

        Translations of several words are a fallback.
        """
        for form in dict.fromkeys([lemma(language, word) or word, word]):
            texts = translations(language, form.lower())
            texts = [text for text in texts if "_" not in text][:_MOST] or texts[:_MOST]
            vectors = [self.table.vectors(text.split("_")).mean(axis=0) for text in texts]
            total = sum((v / n for n, v in enumerate(vectors, 1)), np.zeros(self.size))
            if length := np.linalg.norm(total):
                return np.asarray(total / length, dtype=np.float32)
        return np.zeros(self.size, dtype=np.float32)


TRANSLATED = TranslatedVectors("translated", ENGLISH, ("de", "nl", "it"))
