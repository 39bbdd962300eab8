"""Systems that write the text of a meaning word by word."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from amparser.baselines.settings import SearchSettings
from amparser.baselines.system import Pair, Predictor, PredictorSystem
from amparser.corpora.analyses import graph_of
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError, ConfigError, CorpusError, ModelError
from amparser.learn.model_folder import Head
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS, family_of
from amparser.results import Result

LENGTH_LIMIT, ILL_FORMED = "length limit", "ill-formed"
"""Reasons why an output is not a meaning."""


class Output(NamedTuple):
    """Output text, which may be malformed; `finished` is False if it hit the length limit."""

    text: str
    logp: float
    finished: bool


class TextPredictor(Predictor):
    """Network that writes a text for a sentence; rows are ids of sentence and target."""

    step = "writing"
    notation: Notation

    @abstractmethod
    def write(self, sentences: Sequence[Sequence[str]], search: SearchSettings) -> list[Output]:
        """Return the outputs for a batch of tokenized sentences."""

    def answers(self, sentences: Sequence[Sequence[str]], search: SearchSettings) -> list[Result]:
        """See the base class. A malformed or truncated output is a failure."""
        notation = NOTATIONS[self.notation.name]
        results = []
        for tokens, (text, logp, finished) in zip(
            sentences, self.write(sentences, search), strict=True
        ):
            failure = None if finished else LENGTH_LIMIT
            if finished and not notation.is_readable(text):
                failure = ILL_FORMED
            meaning = text if failure is None else None
            result = Result(
                tuple(tokens), meaning, notation.name, failure=failure, logp=logp, output=text
            )
            results.append(result)
        return results


class TextSystem(PredictorSystem):
    """Sequence-to-sequence system."""

    def notation(self, corpus: Corpus, named: str) -> str:
        """Return the notation `named`, or else the corpus's. Raises ConfigError if both are ''."""
        if not named and not corpus.notation:
            known = ", ".join(NOTATIONS)
            raise ConfigError(f"data.notation = '': the corpus names none, expected one of {known}")
        return NOTATIONS.check(named or corpus.notation)

    def target(self, example: Example, corpus: Corpus, notation: str) -> str:
        """Return the meaning of an example in the notation.

        Raises:
            CorpusError: the meaning cannot be converted, or splitting it into words and joining
                them changes its text.
        """
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
    """Return the notation with the writing style (such as spacing) of most targets."""
    notation = NOTATIONS[name]
    return notation.styled(notation.style_of(pair.target for pair in pairs))


def notation_of_head(head: Head) -> Notation:
    """Return the notation of a model folder. Raises ModelError if the folder names no notation."""
    if not head.notation:
        raise ModelError(f"notation = '': expected one of {', '.join(NOTATIONS)}")
    return NOTATIONS[head.notation].styled(head.style)


def _notation_of(text: str, name: str, notation: Notation) -> Notation:
    source = NOTATIONS[name] if name else notation
    if source.name != notation.name or notation.is_readable(text):
        return source
    family = (NOTATIONS[other] for other in family_of(notation.name)[1:])
    return next((other for other in family if other.is_readable(text)), notation)
