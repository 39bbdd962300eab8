"""Vectors of frequent English words, shipped with the package.

They are the vectors of all-MiniLM-L6-v2, reduced by principal component analysis and stored with
one byte for each component (`tests/benchmarks/distil_vectors.py`). A word without a vector gets the
vector of its lemma.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load

from amparser.lexicon.dictionary import lemma_in
from amparser.nn.vectors.source import InPackage

_FILE = Path(__file__).with_name("english.safetensors")


class English(InPackage):
    """`VectorSource` of vectors with unit length.

    The file has the tensors `words` (bytes, one word per line) and `vectors` `[W, D]`.
    """

    @cached_property
    def _table(self) -> tuple[dict[str, int], NDArray[np.float32]]:
        tensors = load(self.content)
        words = tensors["words"].tobytes().decode().split("\n")
        vectors = tensors["vectors"].astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return {word: i for i, word in enumerate(words)}, vectors

    @property
    def size(self) -> int:
        """See `VectorSource`."""
        return int(self._table[1].shape[1])

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """See `VectorSource`."""
        numbers, table = self._table
        rows = np.zeros((len(words), table.shape[1]), dtype=np.float32)
        for i, word in enumerate(words):
            number = numbers.get(word)
            if number is None:
                number = numbers.get(lemma_in("en", word) or "")
            if number is not None:
                rows[i] = table[number]
        return rows


ENGLISH = English("english", _FILE, "Apache-2.0 (of all-MiniLM-L6-v2)")
