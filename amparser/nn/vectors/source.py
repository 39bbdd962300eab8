"""What every source of word vectors is: the seam between knowledge about words and encoders."""

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
from amparser.remembered import Remembered


@dataclass(frozen=True)
class Origin:
    """Where vectors or weights come from; a model folder names it instead of copying them.

    Attributes:
        name: in a registry of this package.
        package: the package that ships them.
        version: of this package.
        licence: of the weights, and of the package if it has another.
        sha256: of the file with the weights.
    """

    name: str
    package: str
    version: str
    licence: str
    sha256: str


class Outside(Protocol):
    """What a package ships that nothing of train changes, and a model folder names."""

    @property
    def size(self) -> int:
        """D, the width of its vectors or states."""

    @property
    def sha256(self) -> str:
        """Of the file that they are made of, whether it is installed or not."""

    @property
    def missing(self) -> str | None:
        """What is not installed and how to install it, or None; loads nothing."""

    def origin(self) -> Origin:
        """Where they come from; raises ConfigError if it is not installed."""


class VectorSource(Outside, Protocol):
    """Says of any word, in lower case, a vector that nothing of train changes."""

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """`[W, D]`, a vector of each word; a word without one has zeros.

        Raises:
            ConfigError: the source is not installed, or its files are damaged.
        """


class NameSource(VectorSource, Protocol):
    """Says it of names, as they are written, which may be several words of a sentence."""

    def spans(self, tokens: Sequence[str]) -> Sequence[tuple[int, int]]:
        """Where the names of a sentence begin and end, from the left; the longest is taken."""


class InPackage:
    """What is made of a file that comes with this package; an `Outside`, but for its size.

    Args:
        name: in its registry.
        path: of the file.
        licence: of what is in it.
    """

    missing = None

    def __init__(self, name: str, path: Path, licence: str) -> None:
        self.name, self.path, self.licence = name, path, licence

    @property
    def content(self) -> bytes:
        """What is in the file, which is read anew."""
        return self.path.read_bytes()

    @cached_property
    def sha256(self) -> str:
        """See `Outside`."""
        return hashlib.sha256(self.content).hexdigest()

    def origin(self) -> Origin:
        """See `Outside`."""
        return Origin(self.name, "amparser", __version__, self.licence, self.sha256)


class SignVectors(ABC):
    """Vectors that add up fixed signs of whatever a source says of a word; a `VectorSource`.

    Args:
        size: a multiple of 8, at most 512.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        # The vectors of so many words are kept.
        self._sum = Remembered(self._summed, 10_000)

    def _summed(self, word: str) -> NDArray[np.float32]:
        """`[D]`, the signs of what is said of a word, added up."""
        found = np.zeros(self.size, dtype=np.float32)
        for told, weight in self.signs(word).items():
            found += weight * _signs(told, self.size)
        return found

    @abstractmethod
    def signs(self, word: str) -> Mapping[str, float]:
        """What the source says of a word, and how much each counts; nothing of unknown words."""

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """See `VectorSource`; each has the length 1."""
        found = np.zeros((len(words), self.size), dtype=np.float32)
        for i, word in enumerate(words):
            found[i] = self._sum(word)
        lengths = np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
        made: NDArray[np.float32] = (found / lengths).astype(np.float32)
        return made


def _signs(text: str, size: int) -> NDArray[np.float32]:
    """`[size]`, -1 or 1 as the text's hash has them."""
    digest = hashlib.blake2b(text.encode(), digest_size=size // 8).digest()
    bits = np.unpackbits(np.frombuffer(digest, np.uint8))
    return 2 * bits.astype(np.float32) - 1
