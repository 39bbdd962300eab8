"""How far a training has come, and a bar that shows it on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from amparser.learn.checkpoint import write_atomically


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """The state of a training after one batch.

    Attributes:
        epoch: counted from 1; `epochs` is the most there will be.
        batch: counted from 1 within the epoch, of `batches`.
        loss: mean of the epoch so far, in nats a token.
        dev_figure: of the last complete epoch, if any: what early stopping watches.
        sentences_per_second: of training, in this epoch.
        seconds_left: until the last epoch ends, if training does not stop early.
    """

    epoch: int
    epochs: int
    batch: int
    batches: int
    loss: float
    dev_figure: float | None
    sentences_per_second: float
    seconds_left: float


OnProgress = Callable[[TrainingProgress], None]


@contextmanager
def training_bar(
    console: Console | None = None, word: str = "epoch"
) -> Iterator[OnProgress | None]:
    """A progress bar as the `on_progress` of `train`; None where stderr is no terminal."""
    console = console or Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn(f"{word} {{task.fields[epoch]}}"),
        BarColumn(),
        TextColumn("{task.fields[figures]}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("train", total=None, epoch="", figures="")

        def show(progress: TrainingProgress) -> None:
            bar.update(
                task,
                total=progress.batches,
                completed=progress.batch,
                epoch=f"{progress.epoch}/{progress.epochs}",
                figures=figures(progress),
            )

        yield show


def figures(progress: TrainingProgress) -> str:
    """Loss, dev accuracy, speed and time left in one line.

    >>> figures(TrainingProgress(2, 8, 5, 9, 0.1234, 0.998, 2211.7, 75.4))
    'loss 0.123 · dev 99.80 % · 2212 sentences/s · 1:15 left'
    """
    minutes, seconds = divmod(int(progress.seconds_left), 60)
    dev = "" if progress.dev_figure is None else f"dev {100 * progress.dev_figure:.2f} % · "
    return (
        f"loss {progress.loss:.3f} · {dev}{progress.sentences_per_second:.0f} sentences/s · "
        f"{minutes}:{seconds:02d} left"
    )


def shorten_log(path: Path, epoch: int) -> None:
    """Keep a log's lines of the first epochs; a line of an epoch that was cut off goes."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    write_atomically(path, "".join(f"{line}\n" for line in lines[:epoch]).encode())
