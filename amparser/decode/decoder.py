"""Decoder protocols: from the scores of sentences to their trees."""

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

    Its `presets`, a tuple, name the lexicon types that it fits: `node`, one typed node per token
    (`TypedDecoder`); `tree`, fragments of trees with ports (`ChartDecoder`); `graph`, fragments of
    graphs (`ArcDecoder`). A decoder without `presets` fits `node`.

    Attributes:
        name: the name that selects it.
        trees: one line that says which trees it searches and whether it is exact.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def trees(self) -> str: ...  # noqa: D102


class TypedDecoder(Decoder, Protocol):
    """A search for well-typed trees."""

    def search(
        self,
        scores: Sequence[Scores],
        table: TypeTable,
        *,
        supertag_limit: int | None,
        open_root: bool = False,
    ) -> list[Parse]:
        """Return the tree of each sentence, or the reason for its absence, in input order.

        Args:
            supertag_limit: maximum lexical types per token (None: all).
            open_root: let the root of a one-token sentence have any type.

        Raises:
            ValueError: if a score is NaN or +inf, or an array has the wrong shape.
        """
        ...


class ChartDecoder(Decoder, Protocol):
    """A search for trees over fragments with ports."""

    def chart(self, tokens: Tokens, variants: Variants) -> Best[Constituents]:
        """Return the best tree of a sentence."""
        ...


class ArcDecoder(Decoder, Protocol):
    """A search for a spanning tree, given only arc scores."""

    def heads(self, arc_logp: Float) -> NDArray[np.int64] | None:
        """Return the heads of the best tree, as `arborescence.best_arborescence` does."""
        ...


@dataclass(frozen=True, slots=True)
class OneByOne:
    """Decoder that searches each sentence separately, several at once on threads.

    Attributes:
        name, trees: see `Decoder`.
        decode: the search in one sentence, with the options of `TypedDecoder.search`.
        threads: maximum number of threads.
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
        """Return the tree of each sentence; see `TypedDecoder.search`."""
        return in_threads(
            self.decode,
            scores,
            table,
            self.threads,
            supertag_limit=supertag_limit,
            open_root=open_root,
        )
