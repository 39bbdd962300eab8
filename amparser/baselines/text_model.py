"""The base of all sequence-to-sequence models, which write a text for a sentence."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from amparser.baselines.settings import SearchSettings
from amparser.errors import InputError
from amparser.evaluation.metrics.malformed import malformed_kind
from amparser.learn.batches import sorted_batches
from amparser.learn.model_folder import Head
from amparser.learn.prediction_task import lengths_of
from amparser.learn.system import timed
from amparser.notations.registry import NOTATIONS
from amparser.results import Result

GREEDY = "greedy"
_BEAM = re.compile(r"beam-([1-9][0-9]{0,3})")


class Output(NamedTuple):
    """The text that a model wrote for a sentence.

    Attributes:
        text: the text, in the notation of its targets, well-formed or not.
        logp: the natural logarithm of its probability.
        finished: whether it ended before the length limit.
    """

    text: str
    logp: float
    finished: bool


@dataclass(frozen=True)
class TextModel(ABC):
    """A trained model; a `Model`.

    Attributes:
        system: the name of its system.
        settings: the settings of its training.
        notation: the name of the notation of its outputs.
        benchmark: the name of the benchmark that it was trained on, or empty.
        data: names and checksums of the files that it was trained on.
        metrics: `best_epoch`, `epochs` (the figures of each round) and `data` (a checksum).
    """

    system: str
    settings: Any
    notation: str
    benchmark: str
    data: Mapping[str, Any]
    metrics: Mapping[str, Any]

    @abstractmethod
    def write(self, sentences: Sequence[Sequence[str]], search: SearchSettings) -> list[Output]:
        """What the model writes for a batch of tokenised sentences."""

    @property
    def decoders(self) -> tuple[str, ...]:
        """The search of the settings, and greedy search; any `beam-N` is known too."""
        size = self.settings.decode.beam_size
        return (GREEDY,) if size == 1 else (f"beam-{size}", GREEDY)

    def with_notation(self, notation: str) -> TextModel:
        """The model itself; it writes only the notation that it was trained on."""
        if NOTATIONS.check(notation) != self.notation:
            raise InputError(f"a {self.system} writes {self.notation}, not {notation}")
        return self

    def with_settings(self, settings: Any) -> TextModel:
        """The same model with other settings of search."""
        return replace(self, settings=settings)

    def problem(self, tokens: Sequence[str]) -> str | None:
        """None, since any word can be read."""
        return None

    def outputs(
        self, sentences: Sequence[Sequence[str]], decoder: str | None = None
    ) -> list[Output]:
        """What the model writes for tokenised sentences, in their order.

        Raises:
            InputError: there is no such decoder.
        """
        search = self._search(self.decoders[0] if decoder is None else decoder)
        found: list[Output | None] = [None] * len(sentences)
        lengths = lengths_of([(len(tokens), 0) for tokens in sentences])
        for members in sorted_batches(lengths, search.batch_size, 0):
            written = self.write([sentences[i] for i in members], search)
            for i, output in zip(members, written, strict=True):
                found[i] = output
        return [output for output in found if output is not None]

    def answers(
        self,
        sentences: Sequence[Sequence[str]],
        decoders: Sequence[str] = (),
        *,
        seconds: MutableMapping[str, float] | None = None,
    ) -> Mapping[str, list[Result]]:
        """See `Model`; the failure of a malformed output is its kind.

        The steps of `seconds` are `writing NAME`.
        """
        answers: dict[str, list[Result]] = {}
        for name in dict.fromkeys(decoders or self.decoders[:1]):
            with timed(seconds, f"writing {name}"):
                outputs = self.outputs(sentences, name)
            answers[name] = [
                self._result(tokens, output)
                for tokens, output in zip(sentences, outputs, strict=True)
            ]
        return answers

    def _result(self, tokens: Sequence[str], output: Output) -> Result:
        notation = NOTATIONS[self.notation]
        failure = malformed_kind(
            notation.split(output.text),
            finished=output.finished,
            readable=notation.is_readable(output.text),
        )
        return Result(
            tuple(tokens),
            output.text if failure is None else None,
            self.notation,
            failure=failure,
            logp=output.logp,
            output=output.text,
        )

    def _search(self, decoder: str) -> SearchSettings:
        settings: SearchSettings = self.settings.decode
        return replace(settings, beam_size=beam_size_of(decoder))


def beam_size_of(decoder: str) -> int:
    """The beam of a decoder's name; raises InputError if there is no such decoder.

    >>> beam_size_of("greedy"), beam_size_of("beam-5")
    (1, 5)
    """
    if decoder == GREEDY:
        return 1
    if match := _BEAM.fullmatch(decoder):
        return int(match[1])
    raise InputError(f"unknown decoder {decoder!r}, expected {GREEDY} or beam-N")


def fields_of(head: Head, settings: Any) -> dict[str, Any]:
    """The fields of a `TextModel` that a model folder's head holds."""
    return {
        "system": head.system,
        "settings": settings,
        "notation": head.notation,
        "benchmark": head.benchmark,
        "data": head.data,
        "metrics": head.metrics,
    }
