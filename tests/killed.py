"""Trainings that are killed, and the files they leave."""

from pathlib import Path

from amparser.learn.model_folder import LOG
from amparser.learn.report import TrainingProgress


def content(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.name != LOG}


def files_below(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder by their relative paths."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


class KilledError(BaseException):
    """Substitute for `kill -9`, which nothing in the program catches."""


class Killer:
    """Progress callback that stops a training after a batch of an epoch."""

    def __init__(self, epoch: int, batch: int) -> None:
        self.when = (epoch, batch)

    def __call__(self, progress: TrainingProgress) -> None:
        if (progress.epoch, progress.batch) == self.when:
            raise KilledError
