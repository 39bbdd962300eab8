"""Protocols of systems (kinds of models, such as the parser) and of their trained models."""

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
"""Name of the parser's system; all other systems are baselines."""


class Model(Protocol):
    """Trained model of any system.

    Attributes:
        system: name of the system.
        settings: settings of the training run; `settings.train.seed` is the seed.
        notation: name of the notation of its answers.
        benchmark: name of the benchmark on which it was trained, or empty.
        data: description of the training files, from the model folder.
        metrics: `best_epoch`, `epochs` (figures of each epoch) and `data`, a checksum.
        decoders: names of the decoders that `answers` accepts, the default first.
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
        """Return why the model cannot answer a sentence, or None."""

    def with_settings(self, settings: Any) -> Model:
        """Return a copy with other settings of decoding; it cannot be trained further."""

    def with_notation(self, notation: str) -> Model:
        """Return a copy that answers in another notation.

        Raises InputError if that notation cannot express the model's answers.
        """

    def answers(
        self,
        sentences: Sequence[Sequence[str]],
        decoders: Sequence[str] = (),
        *,
        seconds: MutableMapping[str, float] | None = None,
    ) -> Mapping[str, list[Result]]:
        """Return the answers of each decoder to tokenised sentences, in order.

        Results that all decoders use, such as scores, are computed once. All sentences are in
        memory at once, so callers divide long inputs.

        Args:
            sentences: tokenised sentences without a `problem`.
            decoders: names of decoders; by default the first of `self.decoders`.
            seconds: output: the wall-clock time of each step is added under its name, or under
                `STEP DECODER` if the step belongs to one decoder.

        Raises:
            InputError: a decoder is unknown.
        """


class System(Protocol):
    """Kind of models, with functions that train and load them.

    The `model.json` of a model folder names its system, so a folder can be loaded without further
    information.

    Attributes:
        name: name on the command line and in model folders.
        about: one-line description for the list of systems.
        settings: default settings, a dataclass of sections (see `amparser.learn.settings`).
        check_settings: optional: function of settings that is called before data is read. It raises
            ConfigError if a library is not installed, and InputError if a device does not exist.
        check_decoders: optional: function of settings and decoder names that is called before
            training. It raises InputError if a decoder is unknown.
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
        """Train a model and write its folder, without printing. Raises AMParserError."""

    def load(self, folder: Path, device: str = "auto") -> Model:
        """Read a model folder.

        Raises:
            ModelError: the folder is missing, damaged or of another program; the message names the
                file.
            InputError: the device does not exist.
        """


def tokenizer_of(model: Model) -> Tokenizer:
    """Return the tokenizer of a model; if it has none, the default tokenizer."""
    own: Tokenizer = getattr(model, "tokenizer", tokenize)
    return own


def with_options(model: Model, asked: AnswerOptions) -> Model:
    """Return a model with answer options; raise InputError for options that only parsers have."""
    if asked == AnswerOptions():
        return model
    of_parser: Callable[..., Model] | None = getattr(model, "with_options", None)
    if of_parser is None:
        if asked[:2] == AnswerOptions()[:2]:
            return model
        what = "k best" if asked.k_best > 1 else "a confidence"
        raise InputError(f"only parsers have {what}; this model is of the system {model.system}")
    return of_parser(**asked._asdict())


@contextmanager
def timed(seconds: MutableMapping[str, float] | None, step: str) -> Iterator[None]:
    """Add the wall-clock time of the block to the time of a step, unless `seconds` is None."""
    started = time.perf_counter()
    yield
    if seconds is not None:
        seconds[step] = seconds.get(step, 0.0) + time.perf_counter() - started


def output_format_of(notation: str, data: Mapping[str, Any]) -> str:
    """Return the output format of a model: `amconll` if it was trained on trees, else `meaning`."""
    train = data.get("train")
    trees = isinstance(train, Mapping) and train.get("holds") == "trees"
    return "amconll" if trees and not notation else "meaning"
