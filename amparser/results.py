"""The answer of a system to one sentence."""

from __future__ import annotations

from dataclasses import dataclass

from amparser.amtree.tree import AMTree
from amparser.corpora.example import Example
from amparser.decode.parse import Parse
from amparser.graph.sgraph import SGraph


@dataclass(frozen=True, slots=True)
class Result:
    """The answer of a system to one sentence: a meaning, or the reason why there is none.

    Attributes:
        tokens: the sentence.
        meaning: the meaning as text, in the notation `notation`; None if there is none. A
            malformed output of a sequence-to-sequence system is only in `output`.
        notation: the name of the notation.
        tree: the well-typed AM dependency tree of a parser.
        graph: the graph that the tree denotes.
        failure: why there is no meaning, or None.
        logp: the natural logarithm of the answer's probability, up to a constant.
        parse: the decoder's result, of a parser.
        output: what a sequence-to-sequence system wrote, well-formed or not.
        unknown: the tokens that a parser never saw in train; their analysis is a guess.
    """

    tokens: tuple[str, ...]
    meaning: str | None = None
    notation: str = ""
    tree: AMTree | None = None
    graph: SGraph | None = None
    failure: str | None = None
    logp: float | None = None
    parse: Parse | None = None
    output: str | None = None
    unknown: tuple[str, ...] = ()

    @property
    def logp_per_token(self) -> float | None:
        """How sure the system is: `logp` by the number of tokens; None without one."""
        return None if self.logp is None else self.logp / max(len(self.tokens), 1)

    @property
    def fallback(self) -> str | None:
        """The smaller search that found the tree, if the one asked for exhausted its budget."""
        return None if self.parse is None else self.parse.fallback

    @property
    def logical_form(self) -> str | None:
        """Another name of `meaning`."""
        return self.meaning

    def example(self) -> Example:
        """The result as an example, which can be written to a corpus file."""
        return Example(
            self.tokens,
            self.meaning,
            self.graph,
            self.tree,
            self.notation or None,
            logp=self.logp,
            failure=self.failure,
            unknown=self.unknown,
            fallback=self.fallback,
        )
