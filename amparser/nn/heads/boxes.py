"""Boxes of a DRS: the box that contains a token, the boxes that it introduces, and their parent.

A *pointer* chooses the token that introduces a box, and one of its boxes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from amparser.nn.encoders.encoder import Encoder
from amparser.nn.heads.head import NEVER, Gold, Head, Reading, class_loss
from amparser.nn.heads.pairs import BiaffineScorer
from amparser.nn.heads.tags import TagNeeds

LEVELS = 3
"""Maximum number of boxes of one token that pointers distinguish."""
SCOPE, ABOVE = "scope", "above"


@dataclass(frozen=True)
class BoxNeeds:
    """Sizes of a box head.

    Attributes:
        introduced: number of different combinations of boxes that tokens introduce.
    """

    introduced: int
    hidden_size: int
    dropout: float


class BoxHead(Head):
    """Scorer of the boxes that a token introduces, and of two pointers to boxes.

    `SCOPE` points to the box that contains the token, `ABOVE` to the parent of the boxes that the
    token introduces.
    """

    partial = True

    def __init__(self, needs: BoxNeeds, encoder: Encoder, tags: TagNeeds) -> None:
        super().__init__()
        size = encoder.state_size
        self.introduced = nn.Linear(size, needs.introduced)
        self.places = nn.ModuleDict({name: PointerScorer(size, needs) for name in (SCOPE, ABOVE)})

    def introduced_scores(self, reading: Reading) -> Tensor:
        """Return logits `[T, introduced]` of the boxes that tokens introduce."""
        scores: Tensor = self.introduced(reading.encoded.states)
        return scores

    def pointer(self, name: str) -> PointerScorer:
        """Return the scorer of a pointer, `SCOPE` or `ABOVE`."""
        return cast("PointerScorer", self.places[name])

    def losses(self, reading: Reading, gold: Gold) -> dict[str, Tensor]:
        """See `Head`; pointers are not trained on sentences with a single box."""
        assert gold.introduced is not None
        introduced = class_loss(self.introduced_scores(reading), gold.introduced[reading.mask])
        losses = {"introduced": introduced}
        if not gold.places:
            return losses
        above = gold.places[ABOVE]
        boxed: Tensor = torch.unique(above[:, 0])
        rooted = reading.rooted[boxed]
        allowed = torch.zeros(reading.rooted.shape[:2], dtype=torch.bool, device=rooted.device)
        allowed[:, 0] = True
        allowed[above[:, 0], above[:, 1] + 1] = True
        for name, rows in gold.places.items():
            at = torch.searchsorted(boxed, rows[:, 0].contiguous())
            token, place, level = rows[:, 1:].unbind(1)
            pointer = self.pointer(name)
            scores = pointer(rooted).masked_fill(~allowed[boxed][:, None, :], NEVER)
            losses[name] = class_loss(scores[at, token], place)
            deep = place > 0
            if bool(deep.any()):
                below = rooted[at[deep], token[deep] + 1]
                logits = pointer.levels(torch.cat([below, rooted[at[deep], place[deep]]], dim=1))
                losses[f"{name}_levels"] = class_loss(logits, level[deep])
        return losses


class PointerScorer(nn.Module):
    """Scorer of the targets of a pointer: 0 is the first box, i > 0 the boxes of token i."""

    def __init__(self, size: int, needs: BoxNeeds) -> None:
        super().__init__()
        self.pairs = BiaffineScorer(size, needs.hidden_size, dropout=needs.dropout)
        self.levels = nn.Linear(2 * size, LEVELS)

    def forward(self, rooted: Tensor) -> Tensor:
        """Return logits `[C, N, 1 + N]`, given states `[C, 1 + N, S]` of root and tokens."""
        scores: Tensor = self.pairs(rooted, rooted[:, 1:])
        return scores

    def all_levels(self, rooted: Tensor) -> Tensor:
        """Return logits `[C, N, 1 + N, LEVELS]` of the boxes of each target token."""
        size = rooted.shape[-1]
        below = rooted[:, 1:] @ self.levels.weight[:, :size].T
        above = rooted @ self.levels.weight[:, size:].T
        scores: Tensor = below[:, :, None] + above[:, None, :] + self.levels.bias
        return scores
