"""Protocols of decoders, which find the trees of sentences from their scores."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from amparser.processes import core_count

if TYPE_CHECKING:
    from amparser.algebra.type_table import TypeTable
    from amparser.decode.parse import Parse
    from amparser.decode.scores import Scores


class Decoder(Protocol):
    """Search for the best tree of a class of trees, given the scores of a network.

    The optional attribute `presets` is a tuple of the presets for which the decoder can be used:
    `node` for a `TypedDecoder`; `tree` for one with the method of `wrap.Chart`; `graph` for one
    with the method of `arborescence.SpanningTree`. Its default is `node`.

    Attributes:
        name: name of the decoder in settings and on the command line.
        trees: one line about the class of trees, and whether the search is exact.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def trees(self) -> str: ...  # noqa: D102


class TypedDecoder(Decoder, Protocol):
    """Search for well-typed trees over supertags with types."""

    def search(
        self,
        scores: Sequence[Scores],
        table: TypeTable,
        *,
        supertag_limit: int | None,
        open_root: bool = False,
    ) -> list[Parse]:
        """Return the best tree of each sentence, or the reason why there is none, in input order.

        Args:
            scores: scores of each sentence.
            table: types of the supertags.
            supertag_limit: maximum number of lexical types per token, or None for all.
            open_root: whether the root of a one-token sentence may have any type.

        Raises:
            ValueError: if a score is NaN or +inf, or an array has the wrong shape.
        """
        ...


@dataclass(frozen=True, slots=True)
class OneByOne:
    """`TypedDecoder` that searches in each sentence separately, on several threads.

    Attributes:
        decode: search in one sentence, with the options of `TypedDecoder.search`.
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
        """Return the tree of each sentence; see `TypedDecoder.search`.

        The number of threads is limited by the number of cores and by `OMP_NUM_THREADS`.
        """
        options: dict[str, Any] = {"supertag_limit": supertag_limit, "open_root": open_root}
        decode = partial(self.decode, table=table, **options)
        threads = min(self.threads, _allowed_threads())
        if threads == 1 or len(scores) < 2:
            return [*map(decode, scores)]
        with ThreadPoolExecutor(threads) as pool:
            return [*pool.map(decode, scores)]


def _allowed_threads() -> int:
    limit = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    return min(core_count(), int(limit) if limit.isdecimal() and int(limit) else core_count())
