"""From data files to a corpus of training and dev examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.reading import read_examples
from amparser.corpora.splits import held_out, split_files, subset
from amparser.errors import CorpusError, located
from amparser.files import checksum
from amparser.learn.settings import DataSettings
from amparser.notations.registry import family_of

Files = Callable[[Path, str], dict[str, Path]]
Read = Callable[[Path, int | None], list[Example]]


def read_corpus(
    data: Path,
    settings: DataSettings,
    *,
    seed: int,
    notation: str = "",
    benchmark: str = "",
    files: Files = split_files,
    read: Read | None = None,
) -> Corpus:
    """The corpus of a folder, or of one file to learn from.

    If there is no dev file, `held_out` of train serves as dev, the same for each seed. The
    corpus keeps `fraction` of the rest.

    Args:
        data: a folder with `train`, or a file.
        settings: shares of train, and the notation to read if the folder has several.
        seed: picks the fraction.
        notation: the notation of the meanings if the settings name none.
        benchmark: the name of the benchmark, kept in the corpus.
        files: returns the data files of a folder by split, given the folder and a notation.
        read: reads a data file, given its path and a limit; by default by its suffix.

    Raises:
        CorpusError: there is no train file, or one cannot be read (the message has file and line).
    """
    name = settings.notation or notation
    paths = {"train": data}
    if data.is_dir():
        name, paths = _files_of(data, name, files)
    if "train" not in paths:
        raise CorpusError(located("there is no train file", path=data))
    return read_splits(paths, settings, seed=seed, notation=name, benchmark=benchmark, read=read)


def read_splits(
    paths: Mapping[str, Path],
    settings: DataSettings,
    *,
    seed: int,
    notation: str = "",
    benchmark: str = "",
    read: Read | None = None,
) -> Corpus:
    """The corpus of the files `train` and, if there is one, `dev`; the rest as `read_corpus`."""
    reader = _read if read is None else read
    train: Sequence[Example] = reader(paths["train"], None)
    dev: Sequence[Example]
    if "dev" in paths:
        dev = reader(paths["dev"], None)
    else:
        train, dev = held_out(train, settings.held_out)
    train = subset(train, settings.fraction, seed)
    for split, examples in (("train", train), ("dev", dev)):
        if not examples and split in paths:
            raise CorpusError(located("empty, expected an example", path=paths[split]))
    described: dict[str, Any] = {
        split: {"file": paths[split].name, "sha256": checksum(paths[split])}
        for split in ("train", "dev")
        if split in paths
    }
    places = {split: str(paths.get(split, paths["train"])) for split in ("train", "dev")}
    return Corpus(train, dev, notation, benchmark, described, places)


def _files_of(data: Path, notation: str, files: Files) -> tuple[str, dict[str, Path]]:
    """The data files of a folder, and the notation that they are in.

    Files of another notation of the family serve if there are none of the one asked for.
    """
    if not notation:
        return notation, files(data, notation)
    problem: CorpusError | None = None
    for name in family_of(notation):
        try:
            return name, files(data, name)
        except CorpusError as error:
            problem = problem or error
    assert problem is not None
    raise problem


def _read(path: Path, limit: int | None) -> list[Example]:
    return read_examples(path, limit=limit)
