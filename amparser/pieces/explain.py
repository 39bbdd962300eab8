"""Explanations of the answers of a parser over pieces; see `amparser.explanation`.

Nothing is ruled out here: sorts are a prior, whose weight is part of the search's score.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amparser.constants.tree import Entry
from amparser.draw.constants import constant_lines
from amparser.explanation import Explanation, TokenChoice
from amparser.induction.constants import source_of_hole
from amparser.induction.derivation import CONTINUE_TAG, FIRST_PIECE, Derivation
from amparser.induction.derivations import Inventory
from amparser.pieces.search import PieceScores


def explanation_of(
    tokens: Sequence[str],
    scores: PieceScores,
    inventory: Inventory,
    derivation: Derivation | None,
    failure: str | None,
) -> Explanation:
    """The choices of a derivation, or the best tags if there is none.

    Args:
        tokens: the sentence.
        scores: the taggers' scores of it.
        inventory: the pieces.
        derivation: the best one, or None.
        failure: why there is no meaning, or None.
    """
    choices = []
    for t, token in enumerate(tokens):
        logp = scores.tags[t]
        ranked = [int(tag) for tag in np.argsort(-logp, kind="stable")]
        tag = ranked[0] if derivation is None else derivation.tags[t]
        other = next((one for one in ranked if one != tag), None)
        choices.append(
            TokenChoice(
                token,
                _shown(token, tag, inventory, derivation, t),
                float(logp[tag]),
                None if other is None else _shown(token, other, inventory),
                None if other is None else float(logp[tag] - logp[other]),
                "" if derivation is None else _edge(tokens, derivation, t),
            )
        )
    return Explanation(tuple(choices), failure)


def _shown(
    token: str,
    tag: int,
    inventory: Inventory,
    derivation: Derivation | None = None,
    place: int = 0,
) -> str:
    """A tag on one line; with its label and closed places if it is that of a derivation."""
    if tag < FIRST_PIECE:
        return "continues the token before" if tag == CONTINUE_TAG else "ignored"
    closed = 0 if derivation is None else derivation.closed[place]
    label = token if derivation is None else derivation.labels[place]
    entry = Entry(token, supertag=inventory.piece(tag).supertag(closed), lexical_label=label)
    return ", ".join(line.strip() for line in constant_lines(entry))


def _edge(tokens: Sequence[str], derivation: Derivation, token: int) -> str:
    if derivation.tags[token] < FIRST_PIECE:
        return ""
    head = derivation.heads[token]
    if head < 0:
        return "ROOT"
    return f"APP_{source_of_hole(derivation.holes[token])} of {tokens[head]}"
