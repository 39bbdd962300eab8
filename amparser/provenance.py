"""The origin of figures and models: the program's version and commit."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import amparser

DIRTY = "+"
"""The mark at the end of a commit from which the program's files differ."""

# What a result depends on, settings and data aside. Records are excluded: otherwise the first
# record of a series would make the checkout dirty for the second.
_PROGRAM = ("amparser", "grammars", "pyproject.toml", "constraints.txt")


def program() -> dict[str, Any]:
    """Version and commit of this package, as JSON values."""
    return {"package_version": amparser.__version__, "commit": commit()}


def commit() -> str | None:
    """The commit of the checkout that this package runs from; None for an installed one.

    `+` at the end means that the program's files differ from it.
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
    """Whether a commit has the mark that the program's files differ from it.

    >>> is_dirty("1d2de2d+"), is_dirty("1d2de2d"), is_dirty(None)
    (True, False, False)
    """
    return commit_ is not None and commit_.endswith(DIRTY)


def _git(root: Path, *arguments: str) -> str | None:
    """What git prints, or None if it cannot be asked."""
    command = ["git", "-C", str(root), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
