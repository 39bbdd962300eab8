"""Progress on stderr: a bar on a terminal, or else a line from time to time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from amparser.cli.outputs import say
from amparser.learn.report import OnProgress, TrainingProgress, figures

PROGRESS = 10.0
"""Seconds between two progress messages during training."""


@contextmanager
def moving_bar(
    what: str, total: int | None = None, console: Console | None = None
) -> Iterator[Callable[..., None]]:
    """Show a bar on a terminal; yield a function with the keywords of rich's `Progress.update`."""
    console = console or Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        yield partial(bar.update, bar.add_task(what, total=total))


@contextmanager
def counting_bar(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show a bar; yield a function that takes the number of newly finished items."""
    with moving_bar(what, total) as moved:
        yield lambda count: moved(advance=count)


@contextmanager
def training_bar(console: Console | None = None) -> Iterator[OnProgress]:
    """Show the progress of training, as lines of text if stderr is not a terminal.

    Until the first batch, these lines report how long the preparation of data has taken.
    """
    console = console or Console(stderr=True)
    begun = Event()
    started = said = time.monotonic()

    def wait() -> None:
        while not begun.wait(PROGRESS):
            say(f"preparing data, {time.monotonic() - started:.0f} s")

    waiting = Thread(target=wait, daemon=True)
    waiting.start()
    try:
        with moving_bar("train", console=console) as moved:

            def on_progress(progress: TrainingProgress) -> None:
                nonlocal said
                begun.set()
                line = f"epoch {progress.epoch} of {progress.epochs} · {figures(progress)}"
                moved(description=line, completed=progress.batch, total=progress.batches)
                if not console.is_terminal and time.monotonic() - said >= PROGRESS:
                    said = time.monotonic()
                    say(line)

            yield on_progress
    finally:
        begun.set()
        waiting.join()
