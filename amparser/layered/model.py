"""A trained layered parser.

tokens -> units -> scores -> search -> analysis -> graph -> meaning
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from amparser.corpora.example import Example
from amparser.errors import InputError
from amparser.graph.sgraph import SGraph
from amparser.layered.fragments import expand
from amparser.layered.graphs import BoxScheme, join
from amparser.layered.inventory import Inventory
from amparser.layered.search import Search
from amparser.layered.settings import LayeredSettings
from amparser.layered.units import Splitter
from amparser.learn.graph_model import GraphModel
from amparser.learn.system import timed
from amparser.nn.scorer import Ensemble
from amparser.pieces.gold import graph_of_example
from amparser.results import Result

SYSTEM = "layered"
TREE = "tree"

LONGEST = 200
"""A longer sentence is refused; memory grows with the square of the length."""


@dataclass(frozen=True)
class LayeredParser(GraphModel):
    """A trained layered parser; a `Model` (see `amparser.learn.system`).

    Attributes:
        scheme: the boxes of its graphs, or None.
        splitter: cuts tokens into units.
        inventory: tags, labels and fillers.
        network: in evaluation mode.
    """

    settings: LayeredSettings
    scheme: BoxScheme | None
    splitter: Splitter
    inventory: Inventory
    network: Ensemble

    system = SYSTEM
    decoders = (TREE,)

    def unknown(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The tokens of a sentence with a unit that train does not have, in any case."""
        units = self.splitter.units(tokens)
        known = self.network.encoder
        strange = {unit.token for unit in units if known.unknown([unit.text])}
        return tuple(token for number, token in enumerate(tokens) if number in strange)

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Why the parser cannot take a sentence, or None."""
        if not tokens:
            return "empty, expected a sentence"
        units = self.splitter.units(tokens)
        if len(units) > LONGEST:
            return f"{len(units)} words, expected at most {LONGEST}"
        return self.network.encoder.problem([unit.text for unit in units])

    def answers(
        self,
        sentences: Sequence[Sequence[str]],
        decoders: Sequence[str] = (),
        *,
        seconds: MutableMapping[str, float] | None = None,
    ) -> Mapping[str, list[Result]]:
        """The results (see `Model.answers`); the steps are `parsing` and `assembling`."""
        check_decoders(decoders)
        with timed(seconds, "parsing"):
            analyses = self._search.analyses(sentences)
        with timed(seconds, f"assembling {TREE}"):
            results = [
                self._result(tuple(tokens), join(expand(analysis), self.scheme))
                for tokens, (_, analysis) in zip(sentences, analyses, strict=True)
            ]
        return {TREE: results}

    def _result(self, tokens: tuple[str, ...], graph: SGraph) -> Result:
        meaning, failure = self.written(tokens, graph)
        return Result(
            tokens,
            meaning,
            self.notation,
            graph=graph,
            failure=failure,
            unknown=self.unknown(tokens),
        )

    def graph_of(self, example: Example) -> SGraph:
        """The graph of an example; raises AMParserError if there is none."""
        return graph_of_example(example, self.notation)

    @cached_property
    def _search(self) -> Search:
        return Search(self.network, self, self.settings.decode)


def check_decoders(names: Sequence[str]) -> None:
    """Raise InputError if a name is that of no decoder."""
    for name in names:
        if name != TREE:
            raise InputError(f"unknown decoder {name!r}, expected {TREE}")
