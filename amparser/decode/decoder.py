"""What a decoder is: from the scores of sentences to their trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from amparser.decode.threads import in_threads

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from amparser.algebra.type_table import TypeTable
    from amparser.decode.chart import Tokens, Variants
    from amparser.decode.parse import Best, Parse
    from amparser.decode.rules import Float
    from amparser.decode.scores import Scores
    from amparser.decode.wrap import Constituents


class Decoder(Protocol):
    """A search for the best tree of a class; a pure function that knows no network.

    Its `presets`, a tuple, name those that it fits: `node`,
    one node each with a type (`TypedDecoder`); `tree`, pieces of trees with ports
    (`ChartDecoder`); `graph`, pieces of graphs (`ArcDecoder`). One without `presets` fits
    `node`.

    Attributes:
        name: the name by which it is chosen.
        trees: one line that says which trees it searches and whether it finds the best.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def trees(self) -> str: ...  # noqa: D102


class TypedDecoder(Decoder, Protocol):
    """A search for well-typed trees. It may have `pieces` as `OneByOne` has."""

    def search(
        self,
        scores: Sequence[Scores],
        table: TypeTable,
        *,
        supertag_limit: int | None,
        open_root: bool = False,
    ) -> list[Parse]:
        """The tree of each sentence, or why it has none, in input order.

        Args:
            supertag_limit: how many lexical types a token may choose from (None: all).
            open_root: let the root of a one-token sentence have any type.

        Raises:
            ValueError: for scores that are NaN, +inf or of another shape.
        """
        ...


class ChartDecoder(Decoder, Protocol):
    """A search for trees over pieces with ports."""

    def chart(self, tokens: Tokens, variants: Variants) -> Best[Constituents]:
        """The best tree of a sentence."""
        ...


class ArcDecoder(Decoder, Protocol):
    """A search for a spanning tree over arcs alone."""

    def heads(self, arc_logp: Float) -> NDArray[np.int64] | None:
        """The heads of the best tree, as `amparser.decode.arborescence.best_arborescence`."""
        ...


@dataclass(frozen=True, slots=True)
class OneByOne:
    """The decoder that searches each sentence by itself, several at once on threads.

    Attributes:
        name, trees: see `Decoder`.
        decode: the search in one sentence, with the options of `TypedDecoder.search`.
    """

    name: str
    trees: str
    decode: Callable[..., Parse]
    threads: int = 2

    def search(
        self,
        scores: Sequence[Scores],
        table: TypeTable,
        *,
        supertag_limit: int | None,
        open_root: bool = False,
    ) -> list[Parse]:
        """See `TypedDecoder.search`."""
        return in_threads(
            self.decode,
            scores,
            table,
            self.threads,
            supertag_limit=supertag_limit,
            open_root=open_root,
        )
