"""The protocols of systems and of their trained models."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from amparser.corpora.tokens import Tokenizer, tokenize
from amparser.errors import InputError
from amparser.results import AnswerOptions, Result

if TYPE_CHECKING:
    from amparser.corpora.corpus import Corpus
    from amparser.learn.report import OnProgress, OnReport

PARSER = "amparser"
"""The system of parsers; all others are baselines."""

CHUNK_SIZE = 256
"""The number of sentences that callers pass to `Model.answers` at a time, to bound memory."""


class Model(Protocol):
    """A trained model.

    Attributes:
        system: the name of its system.
        settings: the settings of its training; `settings.train.seed` is the seed.
        notation: the name of the notation of its answers.
        benchmark: the name of the benchmark that it was trained on, or empty.
        data: what the model folder says of the training files.
        metrics: `best_epoch`, `epochs` (the figures of each) and `data`, a checksum.
        decoders: names of the searches that `answers` takes, the default first.
    """

    @property
    def system(self) -> str: ...  # noqa: D102

    @property
    def settings(self) -> Any: ...  # noqa: D102

    @property
    def notation(self) -> str: ...  # noqa: D102

    @property
    def benchmark(self) -> str: ...  # noqa: D102

    @property
    def data(self) -> Mapping[str, Any]: ...  # noqa: D102

    @property
    def metrics(self) -> Mapping[str, Any]: ...  # noqa: D102

    @property
    def decoders(self) -> tuple[str, ...]: ...  # noqa: D102

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Why the model cannot take a sentence, or None."""

    def with_settings(self, settings: Any) -> Model:
        """The same model with other settings of decoding; it cannot be trained further."""

    def with_notation(self, notation: str) -> Model:
        """The same model that writes its answers in another notation.

        Raises:
            InputError: there is no such notation, or the model cannot write it.
        """

    def answers(
        self,
        sentences: Sequence[Sequence[str]],
        decoders: Sequence[str] = (),
        *,
        seconds: MutableMapping[str, float] | None = None,
    ) -> Mapping[str, list[Result]]:
        """The answers of each decoder to tokenised sentences, in their order.

        Values that decoders share, such as scores, are computed once. The whole list is in memory:
        callers cut long inputs into chunks.

        Args:
            sentences: tokenised sentences that have no `problem`.
            decoders: names of searches; by default the first of `decoders`.
            seconds: the wall-clock time of each step is added to it by name; a step of one
                decoder is called `STEP DECODER`.

        Raises:
            InputError: there is no such decoder.
        """


class System(Protocol):
    """A kind of model: how it is trained and loaded.

    A model folder names its system in `model.json`, so that loading finds the system.
    Names are unique over all systems.

    Attributes:
        name: the name on the command line and in model folders.
        about: one line for the list of systems.
        settings: the default settings, a dataclass of sections (see `amparser.learn.settings`).
        decoding: optional; the dotted names of settings, or of sections, that training
            does not depend on (default: `decode` and `train.device`). Experiments that differ
            only in these share trainings.
        check_settings: optional; called with settings before data is read; raises ConfigError if
            they name what is not installed, and InputError if there is no such device.
        check_decoders: optional; called with settings and names of decoders before training
            starts; raises InputError if there is no such decoder.
    """

    name: str
    about: str

    @property
    def settings(self) -> Any: ...  # noqa: D102

    def train(
        self,
        corpus: Corpus,
        settings: Any,
        folder: Path,
        *,
        resume: bool = False,
        on_progress: OnProgress | None = None,
        on_report: OnReport | None = None,
    ) -> Model:
        """Train a model and write its folder; prints nothing.

        Args:
            corpus: the training and dev data.
            settings: all settings, of the class of `self.settings`.
            folder: the model folder; an existing model is replaced at the end.
            resume: go on after the last checkpoint in the folder, if there is one.
            on_progress: called after each batch.
            on_report: called before training begins, with the amount of training data.

        Raises:
            AMParserError: bad settings, data or folder, before training begins; or the loss
                has become infinite.
        """

    def load(self, folder: Path, device: str = "auto") -> Model:
        """Read a model folder.

        Raises:
            ModelError: it is missing, damaged or of another program; the message names the file.
            InputError: there is no such device.
        """


def tokenizer_of(model: Model) -> Tokenizer:
    """What splits raw text for a model: its own tokenizer, if it has one."""
    own: Tokenizer = getattr(model, "tokenizer", tokenize)
    return own


def with_options(model: Model, asked: AnswerOptions) -> Model:
    """The model of whose answers more is asked; raises InputError if it is no parser."""
    if asked == AnswerOptions():
        return model
    of_parser: Callable[..., Model] | None = getattr(model, "with_options", None)
    if of_parser is None:
        if asked[:2] == AnswerOptions()[:2]:
            return model
        what = "k best" if asked.k_best > 1 else "a confidence"
        raise InputError(f"only parsers have {what}, and this is a {model.system}")
    return of_parser(**asked._asdict())


@contextmanager
def timed(seconds: MutableMapping[str, float] | None, step: str) -> Iterator[None]:
    """Add the wall-clock time of a block to that of a step."""
    started = time.perf_counter()
    yield
    if seconds is not None:
        seconds[step] = seconds.get(step, 0.0) + time.perf_counter() - started


def output_format_of(notation: str, data: Mapping[str, Any]) -> str:
    """What a model's answers are printed as: `meaning`, or `amconll` if it learned from trees.

    Args:
        notation: the name of the model's notation, or empty.
        data: `Model.data`.
    """
    train = data.get("train")
    trees = isinstance(train, Mapping) and train.get("holds") == "trees"
    return "amconll" if trees and not notation else "meaning"
