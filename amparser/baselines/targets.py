"""From the examples of a corpus to the texts that a sequence-to-sequence model learns to write."""

from __future__ import annotations

from typing import Literal, NamedTuple

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.penman import graph_of
from amparser.errors import AMParserError, ConfigError, CorpusError, located
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS, family_of


class Pair(NamedTuple):
    """A sentence and the text of its meaning."""

    tokens: tuple[str, ...]
    target: str


def target_notation(corpus: Corpus, name: str) -> Notation:
    """The notation that a model learns to write: the named one, or the corpus's own.

    Raises:
        ConfigError: neither is known.
    """
    if not name and not corpus.notation:
        known = ", ".join(NOTATIONS)
        raise ConfigError(f"data.notation = '': the corpus names none, expected one of {known}")
    return NOTATIONS[name or corpus.notation]


def targets(corpus: Corpus, split: Literal["train", "dev"], notation: Notation) -> list[Pair]:
    """The sentences of a part of the corpus, with their meanings in the notation.

    Raises:
        CorpusError: an example has no meaning in the notation, or the words of its text
            do not make up the text; the message names file and line.
    """
    examples = corpus.train if split == "train" else corpus.dev
    place = corpus.places.get(split)
    found = []
    for example in examples:
        try:
            text = _target(example, notation, corpus.notation)
        except AMParserError as error:
            raise CorpusError(located(str(error), path=place, line=example.line)) from None
        found.append(Pair(example.tokens, text))
    return found


def _target(example: Example, notation: Notation, corpus_notation: str) -> str:
    """The meaning of an example in a notation; AMParserError if there is none."""
    if example.meaning is None:
        text = notation.write(graph_of(example))
    else:
        source = _notation_of(example.meaning, example.notation or corpus_notation, notation)
        try:
            text = notation.convert(example.tokens, example.meaning, source)
            notation.read(text)
        except AMParserError as error:
            raise CorpusError(
                f"expected a meaning in the notation {notation.name!r}: {error}"
            ) from None
    if (again := notation.join(notation.split(text))) != text:
        raise CorpusError(f"expected {again!r}, found {text!r}")
    return text


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
