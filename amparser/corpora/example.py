"""One item of a corpus: a sentence, and its meaning as text, graph or tree."""

from __future__ import annotations

from dataclasses import dataclass

from amparser.constants.tree import AMTree
from amparser.graph.sgraph import SGraph


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence with its annotation in a file.

    Attributes:
        tokens: the sentence; empty if only the graph is known.
        meaning: the meaning as the file has it, or None if it has a graph or tree instead.
        graph: the graph; its nodes are aligned to tokens if alignments are known.
        notation: the notation of `meaning`, or None if the file does not name it.
        alignment: for each token the nodes of the meaning that belong to it, numbered from 0
            in the order in which the meaning writes them; None if the file has none.
        tags: names of the groups in which the example counts, such as a generalization type.
        layers: names of annotations of the sentence, each with its items in order; items may be
            those of other words than the tokens.
        line: the line (from 1) at which it begins in its file; 0 if it is from no file.
        file: the path of its file if that is one of several of its split; else empty.
        id: its name in the file; empty if it has none.
        language: that of the sentence (ISO 639); empty if the file does not say it.
        logp: the natural logarithm of the probability of a parser's analysis.
        confidence: the probability that the analysis is right, as far as the parser knows.
        alternatives: the meanings of the next best analyses, each with its `logp`.
        failure: the reason why a parser found no analysis.
        unknown: the tokens that the parser never saw in train.
        fallback: where the analysis comes from if it is not the best one of the search asked
            for (see `amparser.decode.parse.Parse`).
    """

    tokens: tuple[str, ...]
    meaning: str | None = None
    graph: SGraph | None = None
    tree: AMTree | None = None
    notation: str | None = None
    alignment: tuple[tuple[int, ...], ...] | None = None
    tags: tuple[str, ...] = ()
    layers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    line: int = 0
    logp: float | None = None
    confidence: float | None = None
    alternatives: tuple[tuple[str, float], ...] = ()
    failure: str | None = None
    unknown: tuple[str, ...] = ()
    fallback: str | None = None
    file: str = ""
    id: str = ""
    language: str = ""

    @property
    def sentence(self) -> str:
        """The tokens, separated by single spaces."""
        return " ".join(self.tokens)
