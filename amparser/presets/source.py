"""Graphs of the examples of a corpus, reasons for missing graphs, and choice of the preset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from amparser.corpora.analyses import graph_of
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.splits import subset
from amparser.errors import AMParserError, CorpusError, DecomposeError, InputError, located
from amparser.graph.penman_text import MOST_LEVELS
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.induction.spanning import spanning_edges
from amparser.learn.task import Mean, Share
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS
from amparser.presets.registry import PRESETS

if TYPE_CHECKING:
    from amparser.presets.model import ParserModel


Read = TypeVar("Read")


@lru_cache(maxsize=1)
def notation_of(corpus: Corpus) -> Notation | None:
    """Return the corpus's notation, adapted to the training meanings, or None."""
    if not corpus.notation:
        return None
    meanings = [(e.tokens, e.meaning) for e in corpus.train if e.meaning is not None]
    return NOTATIONS[corpus.notation].for_corpus(meanings, corpus.unordered)


def graph_of_example(example: Example, notation: Notation | None) -> SGraph:
    """Return the graph of an example; if it has none, the graph of its tree or meaning.

    Raises AMParserError if the example has none of these, the meaning cannot be read, a node is not
    connected to the root, or the graph is too deep.
    """
    graph = _any_graph(example, notation)
    reached = spanning_edges(graph)
    levels: dict[int, int] = {}
    for node, edge in reached.items():
        above = None if edge is None else edge.parent if edge.child == node else edge.child
        levels[node] = 0 if above is None else levels[above] + 1
    if max(levels.values()) > MOST_LEVELS:
        raise DecomposeError(f"nested too deeply, expected at most {MOST_LEVELS} levels")
    if lost := [node.label for number, node in graph.nodes.items() if number not in reached]:
        raise DecomposeError(f"nodes {lost} are not connected to the root")
    return graph


def _any_graph(example: Example, notation: Notation | None) -> SGraph:
    if example.graph is not None or example.tree is not None:
        return graph_of(example)
    if example.meaning is None:
        raise InputError("expected a meaning, a graph or a tree")
    if example.notation and (notation is None or example.notation != notation.name):
        notation = NOTATIONS[example.notation]
    if notation is None:
        raise InputError("the notation of the meaning is not known; set data.notation")
    return notation.graph(example.tokens, example.meaning)


def checked(graph: SGraph, token_count: int) -> SGraph:
    """Return the graph; raise InputError if a node is aligned to a token beyond the sentence."""
    for node in graph.nodes.values():
        if node.token is not None and not 1 <= node.token <= token_count:
            expected = f"expected a token from 1 to {token_count}"
            raise InputError(f"the node {node.label!r} is aligned to {node.token}: {expected}")
    return graph


def sizes(nodes: Iterable[int], labels: int) -> str:
    """Describe an inventory: the number of fragments by size, and the number of edge labels.

    >>> sizes([1, 1, 3], 4)
    '3 constants: 2 of one node, 1 of several (3 at most); 4 edge labels'
    """
    counts = list(nodes)
    several = sum(count > 1 for count in counts)
    most = f" ({max(counts)} at most)" if several else ""
    by_size = f"{len(counts) - several} of one node, {several} of several{most}"
    return f"{len(counts)} constants: {by_size}; {labels} edge labels"


NO_MARKERS = "markers: none; a word without a constant joins another word or is ignored"


class Source(NamedTuple):
    """Notation and file of examples, from which their graphs are read.

    Attributes:
        notation: notation of the meanings, adapted to the training meanings, or None.
        place: file of the examples, for messages.
        strict: whether unreadable examples raise an error; see `Corpus`.
    """

    notation: Notation | None
    place: str | None
    strict: bool

    @classmethod
    def of(cls, corpus: Corpus, split: str) -> Source:
        """Return the source of a split of a corpus; reads the training meanings."""
        return cls(notation_of(corpus), corpus.places.get(split), corpus.strict)

    def located(self, reason: str, example: Example) -> str:
        """Return a reason with the example's file and line."""
        return located(reason, path=example.file or self.place, line=example.line or None)

    def faults(self, examples: Sequence[Example], reasons: Mapping[int, str]) -> tuple[str, ...]:
        """Return each reason as `FILE:LINE: REASON`, in the order of the examples."""
        return tuple(self.located(reasons[i], examples[i]) for i in sorted(reasons))

    def read(
        self,
        examples: Iterable[tuple[int, Example]],
        read: Callable[[Example, Notation | None], Read],
    ) -> tuple[dict[int, Read], dict[int, str]]:
        """Call `read` for each example; return the results, and the reasons for failures, by index.

        Raises CorpusError, which names file and line, if an example cannot be read and `strict` is
        set.
        """
        results: dict[int, Read] = {}
        reasons: dict[int, str] = {}
        for number, example in examples:
            if example.failure is not None or not example.tokens:
                reasons[number] = example.failure or "expected a sentence"
                continue
            try:
                results[number] = read(example, self.notation)
            except AMParserError as error:
                reasons[number] = str(error)
                if self.strict:
                    raise CorpusError(self.located(str(error), example)) from None
        return results, reasons


class DevSentence(NamedTuple):
    """Sentence of dev and its graph."""

    tokens: tuple[str, ...]
    graph: SGraph


def dev_sentences(corpus: Corpus) -> tuple[dict[int, DevSentence], tuple[str, ...]]:
    """Return the sentences of dev with their graphs, by index, and reasons for missing graphs.

    Raises CorpusError, see `Source.read`.
    """
    source = Source.of(corpus, "dev")
    graphs, reasons = source.read(enumerate(corpus.dev), graph_of_example)
    dev = {
        number: DevSentence(corpus.dev[number].tokens, graph) for number, graph in graphs.items()
    }
    return dev, source.faults(corpus.dev, reasons)


def accuracy(model: ParserModel, dev: Sequence[DevSentence], share: Share) -> dict[str, Mean]:
    """Return `dev_accuracy`: the share of sentences whose graph is isomorphic to the gold graph."""
    if not dev:
        return {}
    rows = share.of(dev)
    scores = model.score([tokens for tokens, _ in rows])
    parses = model.decode(scores, model.settings.decode.decoder)
    right = sum(
        parse.found and isomorphic(model.graph(tokens, parse), graph)
        for (tokens, graph), parse in zip(rows, parses, strict=True)
    )
    return {"dev_accuracy": Mean(right, len(rows))}


def nothing_to_learn(faults: Sequence[str]) -> InputError:
    """Return the error for a corpus in which no example can be used; it quotes the first reason."""
    return InputError(": ".join(("no examples to train on", *faults[:1])))


ENOUGH = 0.95
"""Minimum coverage of the chosen preset, as a share of the best preset's coverage.

As soon as a preset itself covers this share of the examples, no further presets are tried."""


class Choice(NamedTuple):
    """Name of the chosen preset, and a line for the report with the reason."""

    preset: str
    remark: str


def choose(corpus: Corpus, among: Iterable[str] = PRESETS) -> Choice:
    """Choose the simplest preset that reproduces almost as much of training as any other.

    A preset reproduces an example if the example's derivation denotes an isomorphic graph.

    Args:
        among: presets to choose from, simplest first.

    Raises:
        CorpusError: if a meaning cannot be read; the message names file and line.
    """
    corpus = replace(corpus, train=_some(corpus), dev=(), strict=False)
    coverage: dict[str, float] = {}
    for name in among:
        coverage[name] = PRESETS[name].training.coverage(corpus)
        if coverage[name] >= ENOUGH:
            break
    most = max(coverage.values(), default=0.0)
    chosen = next(name for name, share in coverage.items() if share >= ENOUGH * most)
    first, *rest = (f"{name} {100 * share:.1f} %" for name, share in coverage.items())
    shares = ", ".join([first.replace(" ", " reproduces ", 1), *rest])
    return Choice(chosen, f"preset: {chosen}; of {len(corpus.train)} rows of train, {shares}")


def _some(corpus: Corpus) -> list[Example]:
    # The sample has at most 200 examples, and the sum of their squared node counts is limited,
    # because measuring coverage takes quadratic time.
    rows = list(subset(corpus.train, min(1.0, 200 / max(1, len(corpus.train))), 0))
    notation, work = notation_of(replace(corpus, train=rows)), 0
    chosen: list[Example] = []
    for example in rows:
        size = 1
        with suppress(AMParserError):
            size = len(graph_of_example(example, notation).nodes)
        work += size**2
        if chosen and work > 30_000:
            break
        chosen.append(example)
    return chosen
