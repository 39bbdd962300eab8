"""Derivations as numbers of a lexicon, for searches and networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from amparser.algebra.derivation import is_projective

if TYPE_CHECKING:
    from amparser.lexicon.candidates import Candidate

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


Place = tuple[int, int, int]
"""A token (from 0) and two numbers."""


@dataclass(frozen=True)
class Targets:
    """A derivation as numbers of a lexicon; what no head learns is empty.

    Tokens count from 0, and from 1 as heads (0: the root). Classes are IGNORED where nothing is
    learned.

    Attributes:
        tokens: n words.
        tags: n numbers of fragments.
        heads: n heads.
        operations: n, of the arc from the head; 0 is IGNORE and 1 is ROOT, both with head 0.
        defaults: for each token and kind of default whether it stands in its place.
        labels: token, head and label of the arcs of the tree.
        reentrant: child, parent and label of re-entrant arcs.
        slots: token, script, number of the right candidate, and the candidates, of each slot and
            of slots as if their words were unknown.
        fillers: n pairs, the filler of the first slot and its text; 0 for none.
        introduced: n, the boxes of a token.
        scope, above: token, place of the box (0: first) and which of the boxes there.
        auxiliary: n items of each auxiliary layer.
    """

    tokens: tuple[str, ...]
    tags: Sequence[int]
    heads: Sequence[int]
    operations: Sequence[int] = ()
    defaults: Sequence[Sequence[float]] = ()
    labels: Sequence[Place] = ()
    reentrant: Sequence[Place] = ()
    slots: Sequence[tuple[int, int, int, Sequence[Candidate]]] = ()
    fillers: Sequence[tuple[int, int]] = ()
    introduced: Sequence[int] = ()
    scope: Sequence[Place] = ()
    above: Sequence[Place] = ()
    auxiliary: Sequence[Sequence[int]] = ()

    @property
    def projective(self) -> bool:
        """Whether no two arcs with operations cross, without ignored tokens."""
        pairs = zip(self.heads, self.operations, strict=True)
        return is_projective([-1 if operation == 0 else head for head, operation in pairs])
