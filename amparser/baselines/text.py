"""The systems that write the text of a meaning word by word, whatever their network is."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from amparser.baselines.settings import SearchSettings
from amparser.baselines.system import (
    Pair,
    Predictor,
    PredictorModel,
    PredictorSystem,
    in_batches,
)
from amparser.corpora.analyses import graph_of
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError, ConfigError, CorpusError, InputError
from amparser.evaluation.metrics.malformed import malformed_kind
from amparser.learn.model_folder import Head, check_notation
from amparser.learn.system import timed
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS, family_of
from amparser.results import Result

GREEDY = "greedy"
_BEAM = re.compile(r"beam-([1-9][0-9]{0,3})")

WriterType = TypeVar("WriterType", bound="TextPredictor")


class Output(NamedTuple):
    """The text that a model wrote, well-formed or not, and whether it ended before the length
    limit.
    """

    text: str
    logp: float
    finished: bool


class TextPredictor(Predictor):
    """A network that writes a text for a sentence; rows are the ids of both sides."""

    def lengths(self, row: tuple[list[int], list[int]]) -> tuple[int, int]:
        """See the base class."""
        return len(row[0]), len(row[1])

    @abstractmethod
    def write(self, sentences: Sequence[Sequence[str]], search: SearchSettings) -> list[Output]:
        """What it writes for a batch of tokenised sentences."""


@dataclass(frozen=True)
class TextModel(PredictorModel[TextPredictor]):
    """A trained model; a `Model`."""

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
        name = self.decoders[0] if decoder is None else decoder
        search = replace(self.settings.decode, beam_size=beam_size_of(name))
        return in_batches(
            [(len(tokens), 0) for tokens in sentences],
            search.batch_size,
            lambda members: self.predictor.write([sentences[i] for i in members], search),
        )

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


class TextSystem(PredictorSystem[WriterType]):
    """A sequence-to-sequence system."""

    kind = TextModel

    def check_decoders(self, settings: Any, decoders: Sequence[str]) -> None:
        """See `System`."""
        for name in decoders:
            beam_size_of(name)

    def notation(self, corpus: Corpus, named: str) -> str:
        """The named one, or the corpus's own; ConfigError if neither is known."""
        if not named and not corpus.notation:
            known = ", ".join(NOTATIONS)
            raise ConfigError(f"data.notation = '': the corpus names none, expected one of {known}")
        return NOTATIONS.check(named or corpus.notation)

    def check_head(self, head: Head, folder: Path) -> None:
        """See the base class; a model that writes meanings names their notation."""
        check_notation(head, folder)

    def target(self, example: Example, corpus: Corpus, notation: str) -> str:
        """The meaning of an example in the notation, whose words make up the text."""
        chosen = NOTATIONS[notation]
        if example.meaning is None:
            text = chosen.write(graph_of(example))
        else:
            source = _notation_of(example.meaning, example.notation or corpus.notation, chosen)
            try:
                text = chosen.convert(example.tokens, example.meaning, source)
                chosen.read(text)
            except AMParserError as error:
                raise CorpusError(
                    f"expected a meaning in the notation {chosen.name!r}: {error}"
                ) from None
        again = chosen.styled(chosen.style_of([text])).join(chosen.split(text))
        if again != text:
            raise CorpusError(f"expected {again!r}, found {text!r}")
        return text


def in_style(name: str, pairs: Sequence[Pair]) -> Notation:
    """Return a notation that writes as most of the targets are written."""
    notation = NOTATIONS[name]
    return notation.styled(notation.style_of(pair.target for pair in pairs))


def _notation_of(text: str, name: str, notation: Notation) -> Notation:
    """The notation of a text: a notation of the family of `notation` that can read it.

    Files that name no notation are assumed to have the one asked for; this function
    finds out if they do not.
    """
    source = NOTATIONS[name] if name else notation
    if source.name != notation.name or notation.is_readable(text):
        return source
    family = (NOTATIONS[other] for other in family_of(notation.name)[1:])
    return next((other for other in family if other.is_readable(text)), notation)
