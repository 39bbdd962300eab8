"""Where figures come from: what a results file says of the program and the data."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import amparser
from amparser.corpora.examples import checksum
from amparser.learn.config import to_dict


def provenance(config: Any, training_data: Any, folder: Path, data: Path) -> dict[str, Any]:
    """Model, its settings and training data, data file, version and commit, as JSON values.

    Args:
        config: the model's settings, of whatever system.
        training_data: what the model folder says of the files it was trained on.
        folder: of the model.
        data: the file it was asked.
    """
    return {
        "model": str(folder),
        "seed": config.train.seed,
        "config": to_dict(config),
        "training_data": training_data,
        **program_and_data(data),
    }


def program_and_data(data: Path) -> dict[str, Any]:
    """The part of it that needs no model."""
    return {
        "data": str(data),
        "data_sha256": checksum(data),
        "package_version": amparser.__version__,
        "commit": commit(),
    }


def commit() -> str | None:
    """The commit of the checkout that this package runs from; None for an installed one.

    `+` at the end says that tracked files differ from it.
    """
    root = Path(amparser.__file__).resolve().parents[1]
    if not (root / ".git").exists():
        return None
    command = ["git", "-C", str(root)]
    try:
        head = subprocess.run(
            [*command, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
        ).stdout.strip()
        changed = subprocess.run([*command, "diff", "--quiet", "HEAD"], capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{head}+" if changed.returncode else head
