"""Interface of the sources of word vectors, and base classes for sources in this package."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from amparser import __version__
from amparser.errors import ModelError
from amparser.remembered import Remembered


@dataclass(frozen=True)
class Origin:
    """Package and checksum of vectors or weights, which a model folder stores instead of a copy.

    Attributes:
        name: name of the vectors or weights.
        package: distribution that contains them.
        licence: licence of the weights, and of the package if the two differ.
        sha256: checksum of the weight file.
    """

    name: str
    package: str
    version: str
    licence: str
    sha256: str

    def check(self, here: Outside, where: object) -> None:
        """Raise ModelError, naming the file or key `where`, if other weights are installed."""
        if self.sha256 != here.sha256:
            raise ModelError(
                f"{where}: trained with other weights of {self.name!r}: their SHA-256 is "
                f"{self.sha256}, and {here.sha256} here"
            )


class Outside(Protocol):
    """Fixed vectors or weights that are installed with a package."""

    @property
    def size(self) -> int:
        """D, the width of the vectors or states."""

    @property
    def sha256(self) -> str:
        """Checksum of the weight file, known even if the file is not installed."""

    @property
    def missing(self) -> str | None:
        """Message about the missing package and how to install it, or None."""

    def origin(self) -> Origin:
        """Return the origin; raise ConfigError if the package is not installed."""


class VectorSource(Outside, Protocol):
    """Source of fixed vectors for words in lower case."""

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the vector of each word, `[W, D]`; zeros for a word without one.

        Raises ConfigError if the source is not installed, or its files are damaged.
        """


class NameSource(VectorSource, Protocol):
    """Source of fixed vectors for proper names of one or more words."""

    def spans(self, tokens: Sequence[str]) -> Sequence[tuple[int, int]]:
        """Return the (start, end) span of each name; prefer the longest, from left to right."""


class InPackage:
    """Base class of vectors or weights in a data file of this package; subclasses add `size`."""

    missing = None

    def __init__(self, name: str, path: Path, licence: str) -> None:
        self.name, self.path, self.licence = name, path, licence

    @property
    def content(self) -> bytes:
        """The file's bytes, read at each access."""
        return self.path.read_bytes()

    @cached_property
    def sha256(self) -> str:
        """See `Outside`."""
        return hashlib.sha256(self.content).hexdigest()

    def origin(self) -> Origin:
        """See `Outside`."""
        return Origin(self.name, "amparser", __version__, self.licence, self.sha256)


class SignVectors(ABC):
    """Base class of `VectorSource` objects that compute vectors from features of words.

    Each feature has a random vector of 1 and -1; a word's vector is the weighted sum of the
    vectors of its features.

    Args:
        size: width of the vectors, a multiple of 8, at most 512.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._sum = Remembered(self._summed, 10_000)

    def _summed(self, word: str) -> NDArray[np.float32]:
        total = np.zeros(self.size, dtype=np.float32)
        for feature, weight in self.signs(word).items():
            total += weight * _signs(feature, self.size)
        return total

    @abstractmethod
    def signs(self, word: str) -> Mapping[str, float]:
        """Return the features of a word with their weights; empty for an unknown word."""

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """See `VectorSource`; all vectors have unit length."""
        sums = np.zeros((len(words), self.size), dtype=np.float32)
        for i, word in enumerate(words):
            sums[i] = self._sum(word)
        lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
        unit: NDArray[np.float32] = (sums / lengths).astype(np.float32)
        return unit


def _signs(text: str, size: int) -> NDArray[np.float32]:
    """Return the bits of a text's hash as -1 and 1, `[size]`."""
    digest = hashlib.blake2b(text.encode(), digest_size=size // 8).digest()
    bits = np.unpackbits(np.frombuffer(digest, np.uint8))
    return 2 * bits.astype(np.float32) - 1
