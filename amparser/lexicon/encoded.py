"""Derivations as numbers of a lexicon, for searches and networks."""

from __future__ import annotations

from dataclasses import dataclass

IGNORE_TAG, CONTINUE_TAG, FIRST_FRAGMENT = range(3)

NOBODY = -1


@dataclass(frozen=True, slots=True)
class Encoded:
    """A derivation over the fragments of an inventory; tokens count from 0.

    Attributes:
        tokens: the words.
        tags: 0 for an ignored token, 1 for one that continues the name before it, else
            `FIRST_FRAGMENT` + the fragment's number in the inventory.
        closed: the ports of each token's fragment that their defaults fill, as bits.
        heads: the head of each token that has a fragment; -1 for the root and the others.
        ports: the number of the port of its head's fragment that each token fills; -1 likewise.
        labels: the lexical labels.
        owners: the token with a fragment to which an ignored word belongs; itself for one with
            a fragment; -1 if it belongs to none.
    """

    tokens: tuple[str, ...]
    tags: tuple[int, ...]
    closed: tuple[int, ...]
    heads: tuple[int, ...]
    ports: tuple[int, ...]
    labels: tuple[str | None, ...]
    owners: tuple[int, ...]

    @property
    def root(self) -> int:
        """The token at the root."""
        return next(
            t for t, tag in enumerate(self.tags) if tag >= FIRST_FRAGMENT and self.heads[t] < 0
        )

    def words(self, token: int) -> tuple[str, ...]:
        """Return the words of a token and of those that continue it."""
        end = token + 1
        while end < len(self.tags) and self.tags[end] == CONTINUE_TAG:
            end += 1
        return self.tokens[token:end]
