"""Where figures come from: what a results file says of the program and the data."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import amparser
from amparser.corpus import checksum
from amparser.learn.checkpoint import Model
from amparser.learn.config import to_dict


def provenance(model: Model, folder: Path, data: Path) -> dict[str, Any]:
    """Model, its settings and training data, data file, version and commit, as JSON values."""
    return {
        "model": str(folder),
        "seed": model.config.train.seed,
        "config": to_dict(model.config),
        "training_data": model.lexicon.get("data"),
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
