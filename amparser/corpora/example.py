"""One item of a corpus: a sentence, and its meaning as text, graph or tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from amparser.characters import text_of
from amparser.corpora.tokens import places_in
from amparser.notations.roles import Role, roles_of

if TYPE_CHECKING:
    from amparser.algebra.derivation import Derivation
    from amparser.algebra.tree import AMTree
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
        columns: the AM-CoNLL lines of the tree, if its file has it line by line; they may say more
            than the tree.
        id: its name in the file; empty if it has none.
        language: that of the sentence (ISO 639); empty if the file does not say it.
        logp: the natural logarithm of the probability of a parser's analysis.
        confidence: the probability that the analysis is right, as far as the parser knows.
        alternatives: the meanings of the next best analyses, each with its `logp`.
        failure: the reason why a parser found no analysis.
        unknown: the tokens that the parser never saw in train.
        ignored: the content words without a part in the meaning.
        reasons: codes of the parser's reasons for doubt (see `amparser.doubts`).
        fallback: where the analysis comes from if it is not the best one of the search asked
            for (see `amparser.decode.parse.Parse`).
        text: the raw sentence that the tokens were found in, or None.
        start: where it begins in the text that it is from, in characters from 0.
        scheme: the name of what says which edges of the graph are roles (see
            `amparser.notations.roles`), or empty.
    """

    tokens: tuple[str, ...]
    meaning: str | None = None
    graph: SGraph | None = None
    tree: Derivation | None = None
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
    ignored: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    fallback: str | None = None
    file: str = ""
    text: str | None = None
    start: int = 0
    scheme: str = ""
    id: str = ""
    language: str = ""
    columns: AMTree | None = None

    @property
    def sentence(self) -> str:
        """The tokens, separated by single spaces."""
        return " ".join(self.tokens)

    @property
    def raw(self) -> str:
        """The raw sentence, as far as it is known."""
        return text_of(self.tokens) if self.text is None else self.text

    @property
    def places(self) -> list[tuple[int, int]]:
        """Where each token stands in the text that the sentence is from, in characters from 0."""
        start = self.start
        return [(start + a, start + b) for a, b in places_in(self.raw, self.tokens)]

    def roles(self) -> list[Role]:
        """Who did what to whom; nothing without a graph."""
        if self.graph is None or self.failure is not None:
            return []
        return roles_of(self.graph, self.places, self.raw, self.start, self.scheme)
