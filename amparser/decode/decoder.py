"""What a decoder is: from the scores of sentences to their trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from amparser.decode.threads import in_threads

if TYPE_CHECKING:
    from amparser.algebra.type_table import TypeTable
    from amparser.decode.parse import Parse
    from amparser.decode.partial import Piece
    from amparser.decode.scores import Scores


class Decoder(Protocol):
    """A search for the best tree of a class; a pure function that knows no network.

    Attributes:
        name: the name by which it is chosen.
        trees: one line that says which trees it searches and whether it finds the best.

    It may have `pieces` as `OneByOne` has.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def trees(self) -> str: ...  # noqa: D102

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
            scores: the scores of each sentence.
            table: the types of the same lexicon.
            supertag_limit: how many lexical types a token may choose from (None: all).
            open_root: let the root of a one-token sentence have any type.

        Raises:
            ValueError: for scores that are NaN, +inf or of another shape.
        """
        ...


@dataclass(frozen=True, slots=True)
class OneByOne:
    """The decoder that searches each sentence by itself, several at once on threads.

    Attributes:
        name, trees: see `Decoder`.
        decode: the search in one sentence, with the options of `Decoder.search`.
        threads: how many sentences are decoded at once.
        pieces: the largest pieces that the search finds in a sentence without a tree, as
            `amparser.decode.partial.largest_pieces`.
    """

    name: str
    trees: str
    decode: Callable[..., Parse]
    threads: int = 2
    pieces: Callable[..., list[Piece]] | None = None

    def search(
        self,
        scores: Sequence[Scores],
        table: TypeTable,
        *,
        supertag_limit: int | None,
        open_root: bool = False,
    ) -> list[Parse]:
        """See `Decoder.search`."""
        return in_threads(
            self.decode,
            scores,
            table,
            self.threads,
            supertag_limit=supertag_limit,
            open_root=open_root,
        )
