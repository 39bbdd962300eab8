"""Derivations: sentences hung with constants."""

from __future__ import annotations

from dataclasses import dataclass

IGNORE_TAG, CONTINUE_TAG, FIRST_PIECE = range(3)

NOBODY = -1


@dataclass(frozen=True, slots=True)
class Derivation:
    """A sentence hung with constants; tokens count from 0.

    Attributes:
        tokens: the words.
        tags: 0 for an ignored token, 1 for one that continues the name before it, else
            `FIRST_PIECE` + the piece's number in the inventory.
        closed: the holes of each token's piece that their defaults fill, as bits.
        heads: the head of each token that has a piece; -1 for the root and the others.
        holes: which hole of its head's piece each token fills; -1 likewise.
        labels: the lexical labels.
        owners: the token with a piece to which an ignored word belongs; itself for one with
            a piece; -1 where it belongs to none.
    """

    tokens: tuple[str, ...]
    tags: tuple[int, ...]
    closed: tuple[int, ...]
    heads: tuple[int, ...]
    holes: tuple[int, ...]
    labels: tuple[str | None, ...]
    owners: tuple[int, ...]

    @property
    def root(self) -> int:
        """The token at the root."""
        return next(
            t for t, tag in enumerate(self.tags) if tag >= FIRST_PIECE and self.heads[t] < 0
        )


def words_of(derivation: Derivation, token: int) -> tuple[str, ...]:
    """The words of a token and of those that continue it."""
    end = token + 1
    while end < len(derivation.tags) and derivation.tags[end] == CONTINUE_TAG:
        end += 1
    return derivation.tokens[token:end]
