"""Derivations as indices, for decoders and networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from amparser.algebra.projectivity import is_projective

if TYPE_CHECKING:
    from amparser.lexicon.candidates import Candidate

IGNORE_TAG, CONTINUE_TAG, FIRST_FRAGMENT = range(3)

NOBODY = -1


@dataclass(frozen=True, slots=True)
class Encoded:
    """Derivation over the fragments of an inventory; tokens count from 0.

    Attributes:
        tokens: the words.
        tags: 0 for an ignored token, 1 for a token that continues the name before it; for all other
            tokens, `FIRST_FRAGMENT` + the fragment's index in the inventory.
        closed: bit set of the ports of each token's fragment that their defaults fill.
        heads: head of each token with a fragment; -1 for the root and all other tokens.
        ports: port of the head's fragment that each token fills; -1 for tokens without a head.
        labels: lexical labels.
        owners: token with a fragment to which each ignored word is attached; the token itself if it
            has a fragment; -1 if it is unattached.
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
        """The token at the root of the derivation."""
        return next(
            t for t, tag in enumerate(self.tags) if tag >= FIRST_FRAGMENT and self.heads[t] < 0
        )

    def words(self, token: int) -> tuple[str, ...]:
        """Return the words of a token and of the tokens that continue it."""
        end = token + 1
        while end < len(self.tags) and self.tags[end] == CONTINUE_TAG:
            end += 1
        return self.tokens[token:end]


Place = tuple[int, int, int]
"""Token (from 0) and two class or token indices."""


@dataclass(frozen=True)
class Targets:
    """Training targets of one derivation; fields that no head of the network learns are empty.

    Tokens count from 0, except in `heads`, where they count from 1 and 0 is the artificial root.
    Positions with the class IGNORED are not trained.

    Attributes:
        tokens: n words.
        tags: n supertag or fragment indices.
        heads: n heads.
        operations: n operations of the edges from the heads; 0 is IGNORE and 1 is ROOT, both with
            head 0.
        defaults: for each token and kind of default, whether the default is used.
        labels: token, head and label index of each edge of the tree.
        reentrant: child, parent and label index of each re-entrant edge.
        slots: token, edit script, index of the correct candidate, and candidates of each slot. A
            slot can occur a second time, with the candidates of an unknown word.
        fillers: n pairs of the first slot's lexical label and its text, as indices; 0 for none.
        introduced: n indices of the boxes that a token introduces.
        scope, above: token, position of the box (0 is the first), and class of the box there.
        auxiliary: n items for each auxiliary layer.
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
        """True if no two edges of the tree cross; ignored tokens do not count."""
        pairs = zip(self.heads, self.operations, strict=True)
        return is_projective([-1 if operation == 0 else head for head, operation in pairs])
