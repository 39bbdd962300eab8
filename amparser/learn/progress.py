"""The progress of a training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """The state of a training after one batch.

    Attributes:
        epoch: the epoch, counted from 1; there are at most `epochs`.
        batch: the batch of the epoch, counted from 1, of `batches`.
        loss: the mean of the epoch so far, in nats per token.
        dev_figure: the figure of the last complete epoch that early stopping uses, if any.
        sentences_per_second: the speed of training in this epoch.
        seconds_left: the time until the last epoch ends, if training does not stop early.
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
