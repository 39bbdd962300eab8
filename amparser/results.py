"""The answer of a system to one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from amparser.corpora.example import Example
from amparser.corpora.formats import FORMATS
from amparser.errors import InputError
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
"""The fields that are made when they are asked for."""

_SHOWN = 60
"""How many characters of a text `repr` shows."""


class Made(Generic[Value]):
    """A field of a result: a value, or None, or a function that makes it when it is asked for."""

    def __init__(self) -> None:
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, result: Any, owner: type | None = None) -> Value | None:
        if result is None:  # the default of the field
            return None
        value = vars(result)[self.name]
        if callable(value):
            value = vars(result)[self.name] = value()
        return cast("Value | None", value)

    def __set__(self, result: Any, value: Value | Callable[[], Value | None] | None) -> None:
        vars(result)[self.name] = value


class AnswerOptions(NamedTuple):
    """Options of answers.

    Attributes:
        k_best: how many meanings, the best of which is the answer.
        min_confidence: an answer that is less likely to be right is withheld.
        allow_unknown: whether a sentence in another language than train's has an answer.
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


@dataclass(frozen=True, repr=False)
class Result:
    """The answer of a system to one sentence: a meaning, or the reason why there is none.

    Attributes:
        tokens: the sentence.
        meaning: the meaning as text, in the notation `notation`; None if there is none. A
            malformed output of a sequence-to-sequence system is only in `output`.
        notation: the name of the notation.
        tree: the AM dependency tree of a parser whose answers have one. It may be given as a
            function that makes it, since few callers ask for it.
        derivation: what the parser found: the tree, or fragments joined by edges; a function too.
        graph: the graph that the tree denotes; it may be given as a function too.
        failure: why there is no meaning, or None.
        logp: the natural logarithm of the answer's probability, up to a constant.
        confidence: the probability that the answer is right, as far as the system knows (see
            `amparser.learn.confidence`); None if it does not know.
        alternatives: the next best answers with other meanings, if they were asked for.
        parse: the decoder's result, of a parser.
        output: what a sequence-to-sequence system wrote, well-formed or not.
        unknown: the tokens that a parser never saw in train; their analysis is a guess.
        ignored: the content words without a part in the meaning.
        reasons: codes of the reasons for doubt (see `amparser.doubts`).
        text: the raw sentence that the tokens were found in, or None.
        start: where it begins in the text that it is from, in characters from 0.
        scheme: the name of what says which edges of the graph are roles (see
            `amparser.notations.roles`), or empty.
        explainer: makes the explanation, of a system that can explain.
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
    explainer: Callable[[], Explanation] | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        """The sentence, and the meaning or the reason why there is none, both cut short.

        >>> Result(("Emma", "slept"), "sleep ( Emma )")
        <Result 'Emma slept': 'sleep ( Emma )'>
        """
        what = "" if self.failure is None else "no parse: "
        return f"<Result {_cut(self.sentence)!r}: {what}{_cut(self._answer())!r}>"

    def __str__(self) -> str:
        """The sentence, and on a second line the meaning or the reason why there is none."""
        what = "" if self.failure is None else "no parse: "
        return f"{self.sentence}\n{what}{self._answer()}"

    def __getstate__(self) -> dict[str, Any]:
        """All but the explainer, which has the whole parser; what is made on demand is made."""
        made = {name: getattr(self, name) for name in _MADE}
        return {**vars(self), **made, "explainer": None}

    def altered(self, **fields: Any) -> Result:
        """The result with other fields; tree and graph are not made."""
        altered = object.__new__(Result)
        vars(altered).update(vars(self), **fields)
        return altered

    def packed(self) -> Result:
        """Return the result without what the system makes again from the decoder's result."""
        others = tuple(other.packed() for other in self.alternatives)
        return self.altered(**dict.fromkeys(_MADE), explainer=None, alternatives=others)

    def with_derivation(self) -> Result:
        """Return the result with its derivation, an AM dependency tree or not, as its tree."""
        return self.altered(tree=self.derivation or self.tree)

    def _answer(self) -> str:
        return (self.meaning if self.failure is None else self.failure) or ""

    @property
    def has_tree(self) -> bool:
        """Return whether there is a tree, without making it."""
        return vars(self)["tree"] is not None

    @property
    def sentence(self) -> str:
        """The tokens, separated by single spaces."""
        return " ".join(self.tokens)

    @property
    def logp_per_token(self) -> float | None:
        """How sure the system is: `logp` by the number of tokens; None without one."""
        return None if self.logp is None else self.logp / max(len(self.tokens), 1)

    @property
    def fallback(self) -> str | None:
        """Origin of a tree that is not the best one; see `amparser.decode.parse`."""
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
        """Offsets of each token in the text that the sentence is from."""
        return self.example().places

    def roles(self) -> list[Role]:
        """Who did what to whom: predicates with their arguments, in the order of the sentence.

        Raises:
            InputError: there is no graph.
        """
        self._graph()
        return self.example().roles()

    def to_penman(self) -> str:
        """The graph in PENMAN notation on one line.

        Raises:
            InputError: there is no graph.
        """
        return sgraph_to_penman(self._graph())

    def to_networkx(self) -> nx.MultiDiGraph[int]:
        """The graph with `label`, `token` (from 1), `root` and `sources` of each node.

        Raises:
            InputError: there is no graph.
        """
        return self._graph().to_networkx()

    def to_amconll(self) -> str:
        """Return the derivation in AM-CoNLL, or a comment with the reason why there is none."""
        return FORMATS["amconll"].write(self.with_derivation().example())

    def to_dict(self) -> dict[str, Any]:
        """All of the answer as JSON has it, by the keys of `amparser.corpora.jsonl`."""
        return cast("dict[str, Any]", json.loads(self.to_json()))

    def to_json(self) -> str:
        """`to_dict` as a JSON object on one line."""
        return FORMATS["json"].write(self.example()).rstrip("\n")

    def to_svg(self) -> str:
        """A picture of the tree, or else of the graph, or of the sentence and the reason."""
        from amparser.draw.formats import PICTURES

        return PICTURES["svg"]([self.example()])

    def explain(self) -> Explanation:
        """Explain the answer: the fragment of each token, the next best one, and the margin.

        Raises:
            InputError: the system that answered cannot explain.
        """
        if self.explainer is None:
            raise InputError("the system that gave this answer does not explain its answers")
        return self.explainer()

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _graph(self) -> SGraph:
        if self.graph is None:
            raise InputError(f"there is no graph: {self.failure or 'the system makes none'}")
        return self.graph


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
