"""Several taggers of one inventory: their scores, and the loss of each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from amparser.induction.derivation import FIRST_PIECE, Derivation
from amparser.induction.derivations import Inventory
from amparser.learn.prediction_task import IGNORED
from amparser.learn.task import Losses
from amparser.nn.tagger import Indexer, Tagger, TaggerOutput, TaggerSettings, WordIndex
from amparser.pieces.families import tag_labels
from amparser.pieces.search import Defaults, PieceScores

_BATCH = 64
_CERTAIN = 1e-6
_LEAST = 1e-12


class TaggerEnsemble(nn.Module):
    """Taggers that differ in their initial weights and in what they were trained on.

    Args:
        inventory: the pieces, whose numbers are tags.
        words: those of training.
        settings: sizes of each tagger.
        members: how many taggers there are.
    """

    def __init__(
        self, inventory: Inventory, words: WordIndex, settings: TaggerSettings, members: int
    ) -> None:
        super().__init__()
        self.words = words
        self.defaults = Defaults.of(inventory)
        self._indexer = Indexer(words)
        labels = tag_labels(inventory)
        self.members = nn.ModuleList(
            Tagger(settings, len(words), labels, len(self.defaults.names)) for _ in range(members)
        )

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.parameters()).device

    def count_words(self, sentences: Sequence[Sequence[str]]) -> None:
        """Learn from train how rare each word is; rare ones are unknown more often."""
        counts = self.words.counts(sentences)
        for member in self.members:
            assert isinstance(member, Tagger)
            member.count_words(counts)

    @torch.no_grad()
    def score(self, sentences: Sequence[Sequence[str]]) -> list[PieceScores]:
        """The scores of tokenised sentences; the members' probabilities are averaged."""
        nothing = PieceScores(np.zeros((0, 0)), np.zeros((0, 0, 2)), np.zeros((0, 1)))
        found = [nothing] * len(sentences)
        order = sorted(
            (i for i, s in enumerate(sentences) if len(s)), key=lambda i: len(sentences[i])
        )
        for start in range(0, len(order), _BATCH):
            chosen = order[start : start + _BATCH]
            batch = self._indexer.batch([sentences[i] for i in chosen]).to(self.device)
            outputs = [member(batch) for member in self.members]
            tags, closed, arcs = (
                torch.stack(parts).mean(0).double().cpu().numpy()
                for parts in zip(
                    *(
                        (o.tags.softmax(-1), o.closed.sigmoid(), o.arcs.softmax(-1))
                        for o in outputs
                    ),
                    strict=True,
                )
            )
            for row, i in enumerate(chosen):
                n = len(sentences[i])
                yes = np.clip(closed[row, :n], _CERTAIN, 1 - _CERTAIN)
                found[i] = PieceScores(
                    np.log(tags[row, :n] + _LEAST),
                    np.log(np.stack([1 - yes, yes], axis=-1)),
                    np.log(arcs[row, :n, : n + 1] + _LEAST),
                )
        return found

    def losses(self, member: int, batch: Sequence[Derivation]) -> Losses:
        """The loss of one tagger: mean cross entropies of tags, arcs and defaults, a token."""
        tokens = self._indexer.batch([d.tokens for d in batch]).to(self.device)
        output: TaggerOutput = self.members[member](tokens)
        tags, closed, arcs = (t.to(self.device) for t in _targets(batch, self.defaults))
        cross = nn.functional.cross_entropy
        count = int((tags >= 0).sum())
        parts = {
            "tag_loss": cross(output.tags.flatten(0, 1), tags.flatten(), reduction="sum"),
            "arc_loss": cross(output.arcs.flatten(0, 1), arcs.flatten(), reduction="sum"),
        }
        known = closed >= 0
        if bool(known.any()):
            parts["default_loss"] = nn.functional.binary_cross_entropy_with_logits(
                output.closed[known], closed[known], reduction="sum"
            )
        total = torch.stack(list(parts.values())).sum() / count
        means = {name: float(part.detach()) / count for name, part in parts.items()}
        return Losses(total, means, count)


def _targets(batch: Sequence[Derivation], defaults: Defaults) -> tuple[Tensor, Tensor, Tensor]:
    """Tags `[B, N]`, defaults `[B, N, D]` and heads `[B, N]`; IGNORED where nothing is learned."""
    longest = max(len(d.tokens) for d in batch)
    tags = np.full((len(batch), longest), IGNORED)
    arcs = np.full((len(batch), longest), IGNORED)
    kinds = max(1, len(defaults.names))
    closed = np.full((len(batch), longest, kinds), IGNORED, dtype=np.float32)
    for i, d in enumerate(batch):
        n = len(d.tokens)
        tags[i, :n] = d.tags
        arcs[i, :n] = [
            head + 1 if tag >= FIRST_PIECE else IGNORED
            for head, tag in zip(d.heads, d.tags, strict=True)
        ]
        for token, tag in enumerate(d.tags):
            for hole, kind in enumerate(defaults.of_tag[tag]):
                if kind >= 0:
                    closed[i, token, kind] = d.closed[token] >> hole & 1
    return torch.from_numpy(tags), torch.from_numpy(closed), torch.from_numpy(arcs)
