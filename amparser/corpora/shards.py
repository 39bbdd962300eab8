"""A split in several files, such as `train-00.jsonl`, `train-01.jsonl`: they are read in turn.

The shards of a split have one path with a `*`, `train-*.jsonl`. Wherever a corpus file is read,
such a path may stand for it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from amparser.files import checksum

_ANY = "*"


def pattern_of(path: Path, stem: str, inner: str) -> Path:
    """The path for all shards that are named like one.

    >>> pattern_of(Path("data/train-07.fol.tsv.gz"), "train-07", "train-*").as_posix()
    'data/train-*.fol.tsv.gz'
    """
    return path.with_name(inner + path.name.removeprefix(stem))


def is_pattern(path: Path) -> bool:
    """Whether a path stands for shards."""
    return _ANY in path.name and not path.exists()


def files_of(path: Path) -> list[Path]:
    """The shards that a path stands for, sorted by name; of any other path itself."""
    if not is_pattern(path):
        return [path]
    before, _, after = path.name.partition(_ANY)
    names = (one.name for one in path.parent.iterdir())
    return [
        path.with_name(name)
        for name in sorted(names)
        if name.startswith(before) and name.endswith(after) and len(name) > len(before + after)
    ]


def checksum_of(path: Path) -> str:
    """The SHA-256 of a file; of shards that of their checksums, one a line."""
    if not is_pattern(path):
        return checksum(path)
    lines = "".join(f"{checksum(file)}\n" for file in files_of(path))
    return hashlib.sha256(lines.encode()).hexdigest()
