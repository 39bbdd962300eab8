"""What every source of word vectors is: the seam between knowledge about words and encoders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


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


class VectorSource(Protocol):
    """Says of any word, in lower case, a vector that nothing of train changes."""

    @property
    def size(self) -> int:
        """D, the width of its vectors."""

    @property
    def sha256(self) -> str:
        """Of the file that the vectors are made of, whether it is installed or not."""

    @property
    def missing(self) -> str | None:
        """What is not installed and how to install it, or None; loads nothing."""

    def origin(self) -> Origin:
        """Where the vectors come from; raises ConfigError if it is not installed."""

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """`[W, D]`, a vector of each word; a word without one has zeros.

        Raises:
            ConfigError: the source is not installed, or its files are damaged.
        """
