"""Brown clusters of English words (Brown et al. 1992), from the package `spacy-lookups-data`.

A cluster is a path in a binary tree. The vector of a word adds up fixed signs for each of several
beginnings of its path, so that words of clusters near each other are alike. The package is not
imported.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from functools import cached_property
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from amparser.errors import ConfigError
from amparser.nn.vectors.source import Origin, SignVectors

_PACKAGE, _FILE = "spacy-lookups-data", "spacy_lookups_data/data/en_lexeme_cluster.json.gz"
_BITS = (3, 5, 7, 9, 11, 18)
"""Lengths of the beginnings of paths; the file has the first bit as the lowest."""


class Clusters(SignVectors):
    """The clusters of a file; a `VectorSource`."""

    name = "clusters"
    sha256 = "0980a4bad49eaf7da2cfdf20024cd4eb8bb507bf4d26e69c561c975a50ce718c"

    @property
    def missing(self) -> str | None:
        """See `VectorSource`."""
        try:
            distribution(_PACKAGE)
        except PackageNotFoundError:
            return f"not installed: {_PACKAGE}; pip install 'amparser[clusters]'"
        return None

    def origin(self) -> Origin:
        """See `VectorSource`."""
        self._check_installed()
        version = distribution(_PACKAGE).version
        return Origin(self.name, _PACKAGE, version, "MIT", self.sha256)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        self._check_installed()
        path = Path(str(distribution(_PACKAGE).locate_file(_FILE)))
        found = json.loads(gzip.decompress(self._checked(path)))
        return {word: number for word, number in found.items() if number}

    def _check_installed(self) -> None:
        if self.missing is not None:
            raise ConfigError(f"word vectors {self.name!r}: {self.missing}")

    def _checked(self, path: Path) -> bytes:
        """What is in the file that the checksum is of; raises ConfigError if it is another."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
        if (found := hashlib.sha256(content).hexdigest()) != self.sha256:
            raise ConfigError(f"{path}: its SHA-256 is {found}, expected {self.sha256}")
        return content

    def signs(self, word: str) -> dict[str, float]:
        """See `SignVectors`: the beginnings of the path of a word's cluster."""
        number = self._numbers.get(word)
        return {} if number is None else {f"{n} {number & (1 << n) - 1}": 1.0 for n in _BITS}


CLUSTERS = Clusters(64)
