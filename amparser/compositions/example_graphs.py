"""The graphs of a corpus's examples, and why others have none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.penman import graph_of
from amparser.errors import AMParserError, CorpusError, InputError, located
from amparser.graph.sgraph import SGraph
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS

Read = TypeVar("Read")


def notation_of(corpus: Corpus) -> Notation | None:
    """The corpus's notation, as train's meanings show it; None if it names none."""
    if not corpus.notation:
        return None
    return NOTATIONS[corpus.notation].for_corpus(_Meanings(corpus.train))


class _Meanings:
    """The sentences and meanings of examples, which are gone through anew each time."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self._examples = examples

    def __iter__(self) -> Iterator[tuple[tuple[str, ...], str]]:
        return ((e.tokens, e.meaning) for e in self._examples if e.meaning is not None)


def graph_of_example(example: Example, notation: Notation | None) -> SGraph:
    """The graph of an example: its own, that of its tree, or that of its meaning.

    Args:
        example: may name another notation.
        notation: of the corpus.

    Raises:
        AMParserError: there is none, or the meaning cannot be read.
    """
    if example.graph is not None or example.tree is not None:
        return graph_of(example)
    if example.meaning is None:
        raise InputError("expected a meaning, a graph or a tree")
    if example.notation and (notation is None or example.notation != notation.name):
        notation = NOTATIONS[example.notation]
    if notation is None:
        raise InputError("the notation of the meaning is not known; set data.notation")
    return notation.graph(example.tokens, example.meaning)


def read_each(
    corpus: Corpus, split: str, read: Callable[[Example, Notation | None], Read]
) -> tuple[dict[int, Read], dict[int, str]]:
    """What is read of a split's examples by their numbers, and why nothing is of the others.

    Args:
        corpus: the examples.
        split: `train` or `dev`.
        read: reads an example, given the corpus's notation; raises AMParserError.

    Raises:
        CorpusError: an example cannot be read, where that is an error; names file and line.
    """
    found: dict[int, Read] = {}
    reasons: dict[int, str] = {}
    notation = notation_of(corpus)
    for number, example in enumerate(corpus.train if split == "train" else corpus.dev):
        if example.failure is not None or not example.tokens:
            reasons[number] = example.failure or "there is no sentence"
            continue
        try:
            found[number] = read(example, notation)
        except AMParserError as error:
            reasons[number] = str(error)
            if corpus.strict:
                [fault] = faults_of(corpus, split, {number: str(error)})
                raise CorpusError(fault) from None
    return found, reasons


def faults_of(corpus: Corpus, split: str, reasons: Mapping[int, str]) -> tuple[str, ...]:
    """Reasons by the numbers of examples, each as `FILE:LINE: REASON`, in their order."""
    examples = corpus.train if split == "train" else corpus.dev
    place = corpus.places.get(split)
    return tuple(
        located(
            reasons[number],
            path=examples[number].file or place,
            line=examples[number].line or None,
        )
        for number in sorted(reasons)
    )
