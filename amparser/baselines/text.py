"""Systems that write the text of a meaning word by word."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, NamedTuple

import torch
from torch import Tensor

from amparser.baselines.settings import SearchSettings
from amparser.baselines.system import Pair, Predictor, PredictorSystem
from amparser.characters import is_private
from amparser.conditions import Different
from amparser.corpora.analyses import graph_of
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError, ConfigError, CorpusError, ModelError
from amparser.learn.model_folder import Head
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS, family_of
from amparser.results import Result
from amparser.schema import from_json

LENGTH_LIMIT, ILL_FORMED = "length limit", "ill-formed"
"""Reasons why an output is not a meaning."""


class Output(NamedTuple):
    """An output text, well-formed or not; `finished` if it ended before the length limit."""

    text: str
    logp: float
    finished: bool


class TextPredictor(Predictor):
    """A network that writes a text for a sentence; rows are the ids of both sides."""

    step = "writing"
    notation: Notation

    @abstractmethod
    def write(self, sentences: Sequence[Sequence[str]], search: SearchSettings) -> list[Output]:
        """Return the outputs for a batch of tokenized sentences."""

    def answers(self, sentences: Sequence[Sequence[str]], search: SearchSettings) -> list[Result]:
        """See the base class. Malformed and truncated outputs are failures."""
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
    """A sequence-to-sequence system."""

    def notation(self, corpus: Corpus, named: str) -> str:
        """Return the named notation or the corpus's own. Raises ConfigError if there is neither."""
        if not named and not corpus.notation:
            known = ", ".join(NOTATIONS)
            raise ConfigError(f"data.notation = '': the corpus names none, expected one of {known}")
        return NOTATIONS.check(named or corpus.notation)

    def target(self, example: Example, corpus: Corpus, notation: str) -> str:
        """Return the meaning of an example in the notation.

        Raises:
            CorpusError: the meaning cannot be converted, or its text changes when split and joined.
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
    """Return the notation in the writing style of most targets."""
    notation = NOTATIONS[name]
    return notation.styled(notation.style_of(pair.target for pair in pairs))


def notation_of_head(head: Head) -> Notation:
    """Return the notation of a model folder. Raises ModelError if it names none."""
    if not head.notation:
        raise ModelError(f"notation = '': expected one of {', '.join(NOTATIONS)}")
    return NOTATIONS[head.notation].styled(head.style)


def _notation_of(text: str, name: str, notation: Notation) -> Notation:
    source = NOTATIONS[name] if name else notation
    if source.name != notation.name or notation.is_readable(text):
        return source
    family = (NOTATIONS[other] for other in family_of(notation.name)[1:])
    return next((other for other in family if other.is_readable(text)), notation)


PADDING, BEGIN, END, UNKNOWN, SPECIAL = range(5)
"""Ids of special tokens; words have ids from `SPECIAL` on."""
UNKNOWN_WORD = "<unk>"


@dataclass(frozen=True)
class TokenVocabulary:
    """The words of one side of the training pairs; `words[i]` has the id i + 4."""

    words: Sequence[str]

    def __len__(self) -> int:
        """Return the number of ids."""
        return len(self.words) + SPECIAL

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words, SPECIAL)}

    def ids(self, tokens: Iterable[str]) -> list[int]:
        """Return an id for each token; UNKNOWN for words outside the vocabulary."""
        return [self._ids.get(token, UNKNOWN) for token in tokens]

    def tokens(self, ids: Iterable[int]) -> tuple[str, ...]:
        """Return the words of ids; `<unk>` for special ids."""
        return tuple(self.words[i - SPECIAL] if i >= SPECIAL else UNKNOWN_WORD for i in ids)


def words_of(sentences: Iterable[Iterable[str]]) -> list[str]:
    """Return the distinct words of sentences in alphabetical order, without private texts."""
    words = {word for sentence in sentences for word in sentence}
    return sorted(word for word in words if not is_private(word))


def vocabulary_of(content: Mapping[str, Any], key: str) -> TokenVocabulary:
    """Return the vocabulary under a key of a model folder's content. Raises ModelError."""
    words = Annotated[list[str], Different()]
    found: Any = from_json(content.get(key), words, "content", key, error=ModelError)
    return TokenVocabulary(found)


def padded(rows: Sequence[Sequence[int]], value: int = PADDING, *, left: bool = False) -> Tensor:
    """Return rows as an int64 tensor `[B, n]`, padded with `value` at the end or on the left."""
    width = max(map(len, rows))
    fill = [[value] * (width - len(row)) for row in rows]
    both = zip(fill, rows, strict=True) if left else zip(rows, fill, strict=True)
    return torch.tensor([[*first, *last] for first, last in both])
