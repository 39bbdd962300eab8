"""Training reports: the amount of training data, and progress during training."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from amparser.corpora.corpus import Corpus

SHOWN_FAULTS = 5
"""Maximum number of malformed examples that are shown for each file."""
_PLACE = re.compile(r"(.*?):(\d+): ")


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """Amount of a model's training data.

    The fields from `failures` on are empty for systems that do not learn from trees.

    Attributes:
        failures: examples of train without a tree, each as `FILE:LINE: REASON`.
        dev_failures: examples of dev without a tree, or with a supertag or edge label that train
            lacks.
        constant_count: number of constants; the empty constant is not counted.
        remarks: decisions and their reasons, one line each.
        unmade: examples of dev that cannot be built from constants of train, each as
            `FILE:LINE: REASON`; they are evaluated, too. None if this is unknown.
        cuts: examples of train whose trees leave out edges of the graph, each as
            `FILE:LINE: EDGES`.
        cut_count: number of edges that the trees leave out.
    """

    train_count: int
    dev_count: int
    failures: tuple[str, ...] = ()
    dev_failures: tuple[str, ...] = ()
    constant_count: int = 0
    edge_label_count: int = 0
    remarks: tuple[str, ...] = ()
    unmade: tuple[str, ...] | None = None
    cuts: tuple[str, ...] = ()
    cut_count: int = 0

    @property
    def upper_bound(self) -> float | None:
        """Share of the examples of dev that can be built from constants and labels of train.

        It is None without dev examples, or if it is unknown.
        """
        rows = self.dev_count + len(self.dev_failures)
        if self.unmade is None or not rows:
            return None
        return (self.dev_count - len(self.unmade)) / rows

    def with_faults(self, corpus: Corpus) -> TrainingReport:
        """Return a copy that also has the malformed examples of a corpus, and remarks about it."""
        train, dev = (corpus.faults.get(split, ()) for split in ("train", "dev"))
        return replace(
            self,
            failures=tuple(sorted((*train, *self.failures), key=_place)),
            dev_failures=tuple(sorted((*dev, *self.dev_failures), key=_place)),
            remarks=(*corpus.remarks, *self.remarks),
        )

    def lines(self, shown: int | None = None) -> Iterator[str]:
        """Yield the lines of the report, with at most `shown` malformed examples of each split."""
        yield from self.remarks
        for name, faults in (("train", self.failures), ("dev", self.dev_failures)):
            yield from faults if shown is None else left_out(faults, name, shown)
        counts = f"{self.train_count} training examples"
        if self.failures:
            rows = self.train_count + len(self.failures)
            counts += f" ({_percent(self.train_count / rows)} of {rows} rows)"
        dev_sentences = (
            f"{self.dev_count} dev examples" if self.dev_count else "no dev: the last epoch is kept"
        )
        yield f"{counts}, {dev_sentences}"
        if self.cuts:
            yield f"{self.cut_count} edges left out of {len(self.cuts)} examples of train:"
            yield from self.cuts if shown is None else _some(self.cuts, shown)
        if self.unmade and shown is None:
            yield from self.unmade
        if self.upper_bound is not None:
            share = _percent(self.upper_bound)
            yield f"upper bound: {share} of dev can be built from the constants of train"


def _place(fault: str) -> tuple[str, int]:
    found = _PLACE.match(fault)
    return ("", 0) if found is None else (found[1], int(found[2]))


def left_out(faults: Sequence[str], name: str, shown: int = SHOWN_FAULTS) -> Iterator[str]:
    """Yield the number of malformed examples of a file or split, and the first `shown` of them."""
    if faults:
        yield f"{len(faults)} rows of {name} are left out:"
        yield from _some(faults, shown)


def _some(faults: Sequence[str], shown: int) -> Iterator[str]:
    yield from (f"  {fault}" for fault in faults[:shown])
    if len(faults) > shown:
        yield f"  and {len(faults) - shown} more"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


OnReport = Callable[[TrainingReport], None]


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """State of a training run after one batch.

    Attributes:
        epoch: current epoch (from 1) of at most `epochs`.
        batch: current batch of the epoch (from 1) of `batches`.
        loss: mean loss of the epoch so far, in nats per token.
        dev_figure: figure on dev after the last complete epoch, for early stopping; None if there
            is none.
        seconds_left: estimated time until the end of the last epoch; training may stop earlier.
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
    """Return loss, dev accuracy, speed and time left in one line.

    >>> figures(TrainingProgress(2, 8, 5, 9, 0.1234, 0.998, 2211.7, 75.4))
    'loss 0.123 · dev 99.80 % · 2212 sentences/s · 1:15 left'
    """
    minutes, seconds = divmod(int(progress.seconds_left), 60)
    dev = "" if progress.dev_figure is None else f"dev {100 * progress.dev_figure:.2f} % · "
    return (
        f"loss {progress.loss:.3f} · {dev}{progress.sentences_per_second:.0f} sentences/s · "
        f"{minutes}:{seconds:02d} left"
    )
