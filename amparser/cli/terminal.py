"""Progress on stderr: bars on a terminal, elsewhere a line of a training now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from amparser.learn.progress import OnProgress, TrainingProgress, figures

PROGRESS = 10.0
"""The seconds after which a line says how far a training is."""


@contextmanager
def training_bar(console: Console | None = None) -> Iterator[OnProgress]:
    """A progress bar as the `on_progress` of a training, or lines if stderr is not a terminal.

    Until the first batch, lines say how long the data are being prepared.
    """
    console = console or Console(stderr=True)
    begun = Event()
    started = time.monotonic()

    def wait() -> None:
        while not begun.wait(PROGRESS):
            _say(f"reading, aligning and inducing, {time.monotonic() - started:.0f} s")

    waiting = Thread(target=wait, daemon=True)
    waiting.start()
    try:
        with _shown(console) as show:

            def on_progress(progress: TrainingProgress) -> None:
                begun.set()
                show(progress)

            yield on_progress
    finally:
        begun.set()
        waiting.join()


def _say(text: str) -> None:
    print(f"amparser: {text}", file=sys.stderr, flush=True)


@contextmanager
def _shown(console: Console) -> Iterator[OnProgress]:
    if not console.is_terminal:
        said = time.monotonic()

        def say(progress: TrainingProgress) -> None:
            nonlocal said
            if time.monotonic() - said >= PROGRESS:
                said = time.monotonic()
                _say(f"epoch {progress.epoch} of {progress.epochs} · {figures(progress)}")

        yield say
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
def counting_bar(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show a bar; the value of the block advances it."""
    with _bar(what, total) as (bar, task):
        yield lambda count: bar.advance(task, count)


@contextmanager
def share_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar; the value of the block takes the number done and the total."""
    with _bar(what, None) as (bar, task):
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def _bar(what: str, total: int | None) -> Iterator[tuple[Progress, TaskID]]:
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        yield bar, bar.add_task(what, total=total)
