"""Training of networks that predict classes: the words of a target, or a label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from amparser.learn.batches import IntArray, epoch_batches, lengths_of, sorted_batches
from amparser.learn.settings import PredictionTrainSettings
from amparser.learn.task import Mean, Share, Task
from amparser.nn.heads.head import IGNORED
from amparser.nn.targets import Losses

Part = Literal["train", "dev"]


class PredictionTask(Task[IntArray]):
    """A predictor (`amparser.baselines.system.Predictor`) with its encoded examples."""

    def __init__(
        self, predictor: Any, settings: PredictionTrainSettings, rows: Mapping[Part, Sequence[Any]]
    ) -> None:
        self.predictor, self.settings, self.rows = predictor, settings, rows
        self.network, self.size = predictor.network, predictor.size
        self.lengths = {
            part: lengths_of([(len(row[0]), len(row[1])) for row in of_part])
            for part, of_part in rows.items()
        }

    def logits(self, part: Part, members: IntArray) -> tuple[Tensor, Tensor]:
        """Return logits `[B, m, V]` of examples, and gold classes `[B, m]` (IGNORED for none)."""
        found: tuple[Tensor, Tensor] = self.predictor.logits([self.rows[part][i] for i in members])
        return found

    def epoch(self, number: int) -> Sequence[IntArray]:
        """Return the batches of an epoch, as indices of examples."""
        lengths = self.lengths["train"]
        count = len(lengths)
        times = self.settings.times(count)
        batches = epoch_batches(np.tile(lengths, (times, 1)), self.settings, number)
        return [members % count for members in batches] if times > 1 else batches

    def part(self, batch: IntArray, share: Share) -> IntArray:
        """Implement `Task.part`."""
        return share.of(batch)

    def losses(self, batch: IntArray) -> Losses:
        """Return the mean loss over positions with a gold class."""
        logits, gold = self.logits("train", batch)
        loss = _loss(logits, gold, self.settings.label_smoothing)
        return Losses(loss, {"loss": float(loss.detach())}, int((gold != IGNORED).sum()))

    @torch.no_grad()
    def evaluate(self, share: Share) -> dict[str, Mean]:
        """Return `dev_loss`, and `dev_accuracy`: the share of targets that are correct.

        A target is correct if each of its classes is the most probable one after the gold prefix,
        that is, if greedy search predicts it.
        """
        lengths = self.lengths["dev"]
        if not len(lengths):
            return {}
        total, token_count, right, example_count = 0.0, 0, 0, 0
        batches = sorted_batches(lengths, 128, self.settings.batch_tokens)
        for members in share.of(batches):
            logits, gold = self.logits("dev", members)
            learned = gold != IGNORED
            count = int(learned.sum())
            total += float(_loss(logits, gold, 0.0)) * count
            token_count += count
            example_count += len(members)
            right += int(((logits.argmax(2) == gold) | ~learned).all(1).sum())
        return {"dev_loss": Mean(total, token_count), "dev_accuracy": Mean(right, example_count)}


def _loss(logits: Tensor, gold: Tensor, smoothing: float) -> Tensor:
    return cross_entropy(
        logits.flatten(0, 1).float(),
        gold.flatten(),
        ignore_index=IGNORED,
        label_smoothing=smoothing,
    )
