"""Example: a sentence with its meaning as text, graph or tree."""

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
    """Sentence with its meaning and further annotation from a file.

    Fields that are not listed here belong to a parser's answer; see `Result` and `Parse`.

    Attributes:
        tokens: the sentence; empty if only the graph is known.
        meaning: the meaning as text, or None if there is only a graph or tree.
        graph: the graph; nodes are aligned to tokens if alignments are known.
        tree: the derivation of the graph.
        notation: notation of `meaning`, or None if the file does not name it.
        alignment: for each token, the nodes of the meaning that are aligned to it, numbered from 0
            in the order of the text; None if the file has no alignment.
        tags: names of groups to which the example belongs, such as a generalization type.
        layers: annotation layers, as pairs of a name and one item per word, such as `("lemma",
            ("a", "dog"))`; the words may differ from `tokens`.
        line: line number in the file (from 1); 0 if the example is not from a file.
        file: path of the file if the split has several; otherwise empty.
        columns: the example's lines in an AM-CoNLL file, whose columns contain more than the tree;
            None for other formats.
        id: name of the example in the file; empty if it has none.
        language: language of the sentence (ISO 639); empty if unknown.
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
        """The raw sentence; if it is unknown, the tokens as text."""
        return text_of(self.tokens) if self.text is None else self.text

    @property
    def places(self) -> list[tuple[int, int]]:
        """Start and end of each token in the text around the sentence, in characters from 0."""
        start = self.start
        return [(start + a, start + b) for a, b in places_in(self.raw, self.tokens)]

    def roles(self) -> list[Role]:
        """Return the semantic roles of the graph; empty without a graph."""
        if self.graph is None or self.failure is not None:
            return []
        return roles_of(self.graph, self.places, self.raw, self.start, self.scheme)
