"""What trained parsers share whose answers are graphs, whichever system they are of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from amparser.errors import AMParserError, InputError
from amparser.graph.penman_codec import sgraph_to_penman
from amparser.graph.sgraph import SGraph
from amparser.learn.model_folder import Head
from amparser.learn.system import output_format_of
from amparser.notations.registry import NOTATIONS


@dataclass(frozen=True)
class GraphModel:
    """A model with a head, settings and a notation; see `amparser.learn.system.Model`.

    Attributes:
        head: what its model folder says of it.
        notation: the name of the notation of its meanings; empty for graphs in PENMAN notation.
        settings: what it was trained with.
    """

    head: Head
    notation: str
    settings: Any

    @property
    def benchmark(self) -> str:
        """The name of the benchmark that it was trained on, or empty."""
        return self.head.benchmark

    @property
    def data(self) -> Mapping[str, Any]:
        """Names and checksums of the files that it was trained on."""
        return self.head.data

    @property
    def metrics(self) -> Mapping[str, Any]:
        """`best_epoch`, `epochs` and `data` of its training."""
        return self.head.metrics

    @property
    def output_format(self) -> str:
        """What its answers are printed as: `meaning`, or `amconll` if it learned from trees."""
        return output_format_of(self.notation, self.data)

    def with_settings(self, settings: Any) -> Self:
        """The same parser with other settings of decoding."""
        return replace(self, settings=settings)

    def with_notation(self, notation: str) -> Self:
        """The same parser that writes meanings in another notation that takes its graphs."""
        trained_on = self.head.notation
        families = NOTATIONS[notation].families
        if not trained_on or NOTATIONS[trained_on].family not in families:
            raise InputError(f"a model of {trained_on or 'graphs'} cannot write {notation}")
        return replace(self, notation=notation)

    def written(self, tokens: Sequence[str], graph: SGraph) -> tuple[str | None, str | None]:
        """The meaning of a graph, or why it has none."""
        try:
            if not self.notation:
                return sgraph_to_penman(graph), None
            return NOTATIONS[self.notation].written(tokens, graph), None
        except AMParserError as error:
            return None, str(error)
