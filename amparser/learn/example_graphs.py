"""The graphs of a corpus's examples, and why others have none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.penman import graph_of
from amparser.errors import AMParserError, CorpusError, InputError, located
from amparser.graph.sgraph import SGraph
from amparser.notations.registry import NOTATIONS

Read = TypeVar("Read")


def graph_of_example(example: Example, notation: str) -> SGraph:
    """The graph of an example: its own, that of its tree, or that of its meaning.

    Raises:
        AMParserError: there is none, or the meaning cannot be read.
    """
    if example.graph is not None or example.tree is not None:
        return graph_of(example)
    if example.meaning is None:
        raise InputError("expected a meaning, a graph or a tree")
    name = example.notation or notation
    if not name:
        raise InputError("the notation of the meaning is not known; set data.notation")
    return NOTATIONS[name].graph(example.tokens, example.meaning)


def read_each(
    corpus: Corpus, split: str, read: Callable[[Example, str], Read]
) -> tuple[dict[int, Read], dict[int, str]]:
    """What is read of a split's examples by their numbers, and why nothing is of the others.

    Args:
        corpus: the examples.
        split: `train` or `dev`.
        read: reads an example, given the name of the notation; raises AMParserError.

    Raises:
        CorpusError: an example cannot be read, where that is an error; names file and line.
    """
    found: dict[int, Read] = {}
    reasons: dict[int, str] = {}
    for number, example in enumerate(corpus.train if split == "train" else corpus.dev):
        if example.failure is not None or not example.tokens:
            reasons[number] = example.failure or "there is no sentence"
            continue
        try:
            found[number] = read(example, corpus.notation)
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
        located(reasons[number], path=place, line=examples[number].line or None)
        for number in sorted(reasons)
    )
