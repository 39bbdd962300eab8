"""Data files of a corpus, and random subsets of its examples."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

from amparser.corpora.formats import GZIP, format_of, suffixes
from amparser.errors import CorpusError, located

Item = TypeVar("Item")

HELD_OUT_SEED = 0
"""Seed for holding out a part of train; it is constant, so that systems can be compared."""
_ORDER = {"train": 0, "dev": 1, "test": 2}


def split_files(folder: Path, notation: str = "") -> dict[str, Path]:
    """Return the data files of a folder by split: `train`, `dev`, `test...` and `gen...`.

    A file name may contain the notation before the suffix (`train.fol.tsv`). Files with the
    requested notation are preferred to files without a notation. If the folder has no data files
    but a subfolder `NOTATION_lf/`, the subfolder is used. Raises CorpusError if the folder does not
    exist, has no data files, has a train file of unknown suffix, or has two files for a split.
    """
    if not folder.is_dir():
        raise CorpusError(located("no such directory", path=folder))
    known = sorted(suffixes(), key=len, reverse=True)
    if not any(_data_files(folder, known)) and (folder / f"{notation}_lf").is_dir():
        folder /= f"{notation}_lf"
    files: dict[str, dict[str, Path]] = {"": {}, notation: {}}
    for stem, inner, path in _data_files(folder, known):
        if inner not in files:
            continue
        if stem in files[inner]:
            both = f"found both {files[inner][stem].name} and {path.name}"
            raise CorpusError(located(both, path=folder))
        files[inner][stem] = path
    chosen = files[notation] or files[""]
    if not chosen:
        for path in sorted(folder.glob("train.*")):
            format_of(path)
        plain = ", ".join(suffix for suffix in suffixes() if not suffix.endswith(GZIP))
        expected = f"{plain} (or with {GZIP})"
        if notation:
            expected = f".{notation}.tsv, {expected}"
        raise CorpusError(located(f"expected train, dev, test* or gen* as {expected}", path=folder))
    return dict(sorted(chosen.items(), key=lambda item: (_ORDER.get(item[0], 3), item[0])))


def _data_files(folder: Path, known: Sequence[str]) -> Iterator[tuple[str, str, Path]]:
    for path in sorted(folder.iterdir()):
        suffix = next(
            (known_suffix for known_suffix in known if path.name.endswith(known_suffix)), None
        )
        if suffix is None or not path.is_file():
            continue
        stem, _, inner = path.name.removesuffix(suffix).partition(".")
        if stem in ("train", "dev") or stem.startswith(("test", "gen")):
            yield stem, inner, path


def subset(examples: Sequence[Item], share: float, seed: int) -> list[Item]:
    """Return a random share of the examples (its size rounded up), in the given order.

    With the same seed, larger shares contain smaller ones.
    """
    return [examples[i] for i in sorted(_drawn(len(examples), share, seed)[0])]


def held_out(examples: Sequence[Item], share: float) -> tuple[list[Item], list[Item]]:
    """Split off a random share of the examples; return the other examples, then the share."""
    held, rest = _drawn(len(examples), share, HELD_OUT_SEED)
    return [examples[i] for i in sorted(rest)], [examples[i] for i in sorted(held)]


def _drawn(count: int, share: float, seed: int) -> tuple[list[int], list[int]]:
    """Return the indices of a random share (its size rounded up), and the other indices."""
    order = list(range(count))
    Random(f"subset {seed}").shuffle(order)
    # The product is rounded first, because 0.07 * 100 is slightly more than 7 in floating point.
    size = math.ceil(round(share * count, 6))
    return order[:size], order[size:]
