"""Derivations as indices, which decoders return and networks learn."""

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
        tags: 0 for an ignored token; 1 for a token that continues the name of the token before it;
            otherwise, `FIRST_FRAGMENT` + index of the token's fragment in the inventory.
        closed: for each token, a bit set of the ports of its fragment that defaults fill.
        heads: head of each token with a fragment; -1 for the root and all other tokens.
        ports: port of the head's fragment that each token fills; -1 for tokens without a head.
        labels: lexical label of each token; None if its fragment has none.
        owners: for each ignored token, the token with a fragment to which it is attached, or -1 for
            none; for a token with a fragment, the token itself.
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
        """Return the words of a token and of the tokens that continue its name."""
        end = token + 1
        while end < len(self.tags) and self.tags[end] == CONTINUE_TAG:
            end += 1
        return self.tokens[token:end]


Place = tuple[int, int, int]
"""Training target: (token, head, label) or (token, place, level); see `Targets`."""


@dataclass(frozen=True)
class Targets:
    """Training targets of a derivation; fields that the network does not learn are empty.

    Tokens count from 0, but heads count from 1; head 0 is the artificial root. Positions with the
    class IGNORED are not trained.

    Attributes:
        tokens: n words.
        tags: supertag or fragment of each token.
        heads: head of each token.
        operations: operation of each token; 0 is IGNORE and 1 is ROOT, both with head 0.
        defaults: for each token and default label (`Inventory.defaults`), whether a port uses it.
        labels: (token, head, label) for each arc of the tree.
        reentrant: (token, head, label) for each re-entrant arc.
        slots: (token, edit script, index of the correct candidate, candidates) for each slot. A
            slot may occur a second time, with the candidates that an unknown word would have.
        fillers: for each token, the lexical label of its first slot and the text of the label; 0
            for none.
        introduced: for each token, the class of the boxes that it introduces.
        scope: (token, place, level) for the box of each token with a fragment. The place is the
            token (from 1) that introduces the box, or 0 for the first box; the level is the index
            of the box among all boxes that this token introduces.
        above: (token, place, level) of the parent box of the boxes that each token introduces.
        auxiliary: for each auxiliary annotation layer, the item of each token.
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
