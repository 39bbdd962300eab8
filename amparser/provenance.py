"""Provenance of results and models: version and commit of the program."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import amparser

DIRTY = "+"
"""Suffix of the commit if files of the program have uncommitted changes."""

# Paths of everything that results depend on, except settings and data. Records of
# experiments are left out, because writing a record does not change the program.
_PROGRAM = ("amparser", "grammars", "pyproject.toml", "constraints.txt")


def program() -> dict[str, Any]:
    """Return the version and the commit of this package as JSON values."""
    return {"package_version": amparser.__version__, "commit": commit()}


def commit() -> str | None:
    """Return the commit of the checkout with this package; None if the package is installed.

    The result ends with `+` if files of the program differ from the commit.
    """
    root = Path(amparser.__file__).resolve().parents[1]
    if not (root / ".git").exists():
        return None
    head = _git(root, "rev-parse", "HEAD")
    if head is None:
        return None
    changed = _git(root, "status", "--porcelain", "--", *_PROGRAM)
    return f"{head}{DIRTY}" if changed else head


def is_dirty(commit_: str | None) -> bool:
    """Return whether a commit has the suffix that marks changed files.

    >>> is_dirty("1d2de2d+"), is_dirty("1d2de2d"), is_dirty(None)
    (True, False, False)
    """
    return commit_ is not None and commit_.endswith(DIRTY)


def _git(root: Path, *arguments: str) -> str | None:
    command = ["git", "-C", str(root), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
