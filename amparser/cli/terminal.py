"""Progress on a terminal; nothing is shown if stderr is not a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from amparser.learn.progress import OnProgress, TrainingProgress, figures


@contextmanager
def training_bar(console: Console | None = None) -> Iterator[OnProgress | None]:
    """A progress bar as the `on_progress` of a training; None if stderr is not a terminal."""
    console = console or Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("epoch {task.fields[epoch]}"),
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


@contextmanager
def counting_bar(
    what: str, total: int | None = None, console: Console | None = None
) -> Iterator[Callable[[int], None]]:
    """A bar that counts; the value of the block is a function that advances it."""
    console = console or Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(what, total=total)
        yield lambda count: bar.advance(task, count)
