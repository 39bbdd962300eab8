"""Answers of a parser or of another model to single sentences."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from amparser.corpora.example import Example
from amparser.corpora.formats import FORMATS
from amparser.errors import InputError, LogicError
from amparser.graph.penman_codec import sgraph_to_penman
from amparser.limits import MOST_BEST

if TYPE_CHECKING:
    import networkx as nx

    from amparser.algebra.derivation import Derivation
    from amparser.decode.parse import Decoded
    from amparser.explanation import Explanation
    from amparser.graph.sgraph import SGraph
    from amparser.notations.roles import Role

Value = TypeVar("Value")


_MADE = ("tree", "derivation", "graph")
"""Names of the lazy fields, whose values are computed at the first access."""

_SHOWN = 60
"""Maximum characters of a text in `repr`."""


class Made(Generic[Value]):
    """Lazy field of a result: if its value is a function, the first access calls it."""

    def __init__(self) -> None:
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, result: Any, owner: type | None = None) -> Value | None:
        if result is None:  # accessed on the class, for the default value
            return None
        value = vars(result)[self.name]
        if callable(value):
            value = vars(result)[self.name] = value()
        return cast("Value | None", value)

    def __set__(self, result: Any, value: Value | Callable[[], Value | None] | None) -> None:
        vars(result)[self.name] = value


class AnswerOptions(NamedTuple):
    """Options that a user chooses for answers.

    Attributes:
        k_best: number of meanings. The best meaning is the answer.
        allow_unknown: whether to answer sentences that seem to be in a language other than
            train's, or have no known word.
    """

    k_best: int = 1
    min_confidence: float = 0.0
    allow_unknown: bool = True

    def check(self) -> None:
        """Raise InputError if a number is out of range."""
        if not 1 <= self.k_best <= MOST_BEST:
            raise InputError(f"k_best = {self.k_best}: expected 1 to {MOST_BEST}")
        if not 0 <= self.min_confidence <= 1:
            raise InputError(f"min_confidence = {self.min_confidence}: expected 0 to 1")


class MeaningValue(NamedTuple):
    """Value inside a meaning in JSON.

    Attributes:
        path: object keys and array indices (from 0) that lead to the value.
        tokens: positions (from 1) of the tokens that the value comes from.
        probability: probability of the choices made for these tokens, or None.
    """

    path: tuple[str | int, ...]
    value: Any
    tokens: list[int]
    probability: float | None


@dataclass(frozen=True, repr=False)
class Result:
    """The answer of a system to one sentence: a meaning, or the reason why there is none.

    Attributes:
        meaning: the meaning as text in `notation`, or None. Malformed output of a
            sequence-to-sequence system is in `output` only.
        tree: AM dependency tree, or None if the system has no trees. Like `derivation` and
            `graph`, it may be given as a function, which the first access calls.
        derivation: the parser's analysis: the tree, or fragments joined by edges.
        graph: the graph that the tree denotes.
        failure: the reason why the meaning is missing, or None.
        logp: natural log-probability of the answer, up to a constant.
        confidence: estimated probability that the answer is correct (see
            `amparser.learn.confidence`); None if the system has no estimate.
        alternatives: the next best answers with other meanings, if they were requested.
        parse: the result of a parser's decoder.
        output: raw output of a sequence-to-sequence system.
        unknown: tokens that are not in the parser's vocabulary; their analysis is a guess.
        ignored: content words that the answer ignores although train usually does not ignore them.
        reasons: codes of reasons for doubt (see `amparser.doubts`).
        text: the raw sentence from which the tokens were split, or None.
        start: 0-based character offset of the sentence in the text that contains it.
        scheme: name of the role scheme of the graph (see `amparser.notations.roles`), or empty.
        figures: features that determine the confidence, by name; empty without analysis or scores.
        certainties: probability of the choice at each token; empty without an analysis, or if the
            parser scores parts of tokens (preset `graph`).
        explainer: function that makes the explanation, or None if the system cannot explain.
    """

    tokens: tuple[str, ...]
    meaning: str | None = None
    notation: str = ""
    tree: Made[Derivation] = Made()
    derivation: Made[Derivation] = Made()
    graph: Made[SGraph] = Made()
    failure: str | None = None
    logp: float | None = None
    confidence: float | None = None
    alternatives: tuple[Result, ...] = ()
    parse: Decoded | None = None
    output: str | None = None
    unknown: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    text: str | None = None
    start: int = 0
    scheme: str = ""
    figures: Mapping[str, float] = field(default_factory=dict, compare=False)
    certainties: tuple[float, ...] = field(default=(), compare=False)
    explainer: Callable[[], Explanation] | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        """Return the sentence and the meaning or failure, both shortened.

        >>> Result(("Emma", "slept"), "sleep ( Emma )")
        <Result 'Emma slept': 'sleep ( Emma )'>
        """
        what = "" if self.failure is None else "no parse: "
        return f"<Result {_cut(self.sentence)!r}: {what}{_cut(self._answer())!r}>"

    def __str__(self) -> str:
        """Return the sentence, and the meaning or failure on a second line."""
        what = "" if self.failure is None else "no parse: "
        return f"{self.sentence}\n{what}{self._answer()}"

    def __getstate__(self) -> dict[str, Any]:
        """Return all fields except the explainer, which needs the parser; compute lazy fields."""
        made = {name: getattr(self, name) for name in _MADE}
        return {**vars(self), **made, "explainer": None}

    def altered(self, **fields: Any) -> Result:
        """Return the result with some fields replaced, without computing lazy fields."""
        altered = object.__new__(Result)
        vars(altered).update(vars(self), **fields)
        return altered

    def packed(self) -> Result:
        """Return a copy to send to another process, without the lazy fields and the explainer."""
        others = tuple(other.packed() for other in self.alternatives)
        return self.altered(**dict.fromkeys(_MADE), explainer=None, alternatives=others)

    def with_derivation(self) -> Result:
        """Return the result with its derivation as `tree`, even if this is not an AM tree."""
        return self.altered(tree=self.derivation or self.tree)

    def _answer(self) -> str:
        return (self.meaning if self.failure is None else self.failure) or ""

    @property
    def sentence(self) -> str:
        """The tokens, separated by single spaces."""
        return " ".join(self.tokens)

    @property
    def logp_per_token(self) -> float | None:
        """`logp` divided by the number of tokens, or None."""
        return None if self.logp is None else self.logp / max(len(self.tokens), 1)

    @property
    def fallback(self) -> str | None:
        """The fallback that found the tree, or None; see `amparser.decode.parse`."""
        return None if self.parse is None else self.parse.fallback

    def example(self) -> Example:
        """Return the result as an example, which can be written to a corpus file."""
        return Example(
            self.tokens,
            self.meaning,
            self.graph,
            self.tree,
            self.notation or None,
            logp=self.logp,
            confidence=self.confidence,
            alternatives=tuple((one.meaning or "", one.logp or 0.0) for one in self.alternatives),
            failure=self.failure,
            unknown=self.unknown,
            ignored=self.ignored,
            reasons=self.reasons,
            fallback=self.fallback,
            text=self.text,
            start=self.start,
            scheme=self.scheme,
        )

    @property
    def places(self) -> list[tuple[int, int]]:
        """Start and end offsets of each token in the text that contains the sentence."""
        return self.example().places

    def roles(self) -> list[Role]:
        """Return predicates and arguments in sentence order; raise InputError without a graph."""
        self._graph()
        return self.example().roles()

    def to_penman(self) -> str:
        """Return the graph in PENMAN notation on one line; raise InputError without a graph."""
        return sgraph_to_penman(self._graph())

    def to_networkx(self) -> nx.MultiDiGraph[int]:
        """Return the graph with node attributes `label`, `token` (1-based), `root` and `sources`.

        Raises InputError if the result has no graph.
        """
        return self._graph().to_networkx()

    def to_amconll(self) -> str:
        """Return the derivation in AM-CoNLL, or a comment with the failure."""
        return FORMATS["amconll"].write(self.with_derivation().example())

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as JSON values, with the keys of `amparser.corpora.jsonl`."""
        return cast("dict[str, Any]", json.loads(self.to_json()))

    def to_json(self) -> str:
        """Return `to_dict` as a JSON object on one line."""
        return FORMATS["json"].write(self.example()).rstrip("\n")

    def to_svg(self) -> str:
        """Return a picture of the tree, else of the graph, else of the sentence and failure."""
        from amparser.draw.formats import PICTURES

        return PICTURES["svg"]([self.example()])

    def values(self) -> list[MeaningValue]:
        """Return the values inside a JSON meaning; raise InputError for any other notation."""
        from amparser.draw.linked_json import linked_values

        try:
            linked = linked_values(self.meaning or "", self.tokens, self.derivation)
        except LogicError:
            raise InputError(f"expected a meaning in json, got {self.notation}") from None
        return [
            MeaningValue(path, value, tokens, self._certainty(tokens))
            for path, value, tokens in linked
        ]

    def _certainty(self, tokens: Sequence[int]) -> float | None:
        if not self.certainties:
            return None
        # A value that comes from no token is as certain as the sentence's least certain token.
        chosen = [self.certainties[token - 1] for token in tokens]
        return prod(chosen) if chosen else min(self.certainties)

    def explain(self) -> Explanation:
        """Return the explanation: each token's constant, the second best constant and the margin.

        Raises InputError if the system cannot explain its answers.
        """
        if self.explainer is None:
            raise InputError("this system cannot explain its answers")
        return self.explainer()

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _graph(self) -> SGraph:
        if self.graph is None:
            raise InputError(
                f"the result has no graph: {self.failure or 'this system makes no graphs'}"
            )
        return self.graph


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
