"""The task of a parser over pieces: derivations, and new ones recombined in each epoch."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import torch

from amparser.compositions.settings import TreeSettings
from amparser.compositions.trees.composition import TreeComposition
from amparser.compositions.trees.gold import GoldDerivations
from amparser.induction.derivation import FIRST_PIECE, Derivation
from amparser.induction.inventory import Defaults
from amparser.induction.recombination import Recombination
from amparser.learn.batches import cut
from amparser.learn.ensemble_task import EnsembleTask, MemberBatch
from amparser.learn.prediction_task import lengths_of
from amparser.learn.task import WHOLE, Mean, Share
from amparser.nn.heads.head import IGNORED, Gold
from amparser.nn.scorer import Ensemble


class TreeTask(EnsembleTask[Sequence[Derivation]]):
    """Scorers with their gold derivations; a `Task`.

    Args:
        network: with fresh weights, on its device.
        gold: what to learn from and what to watch.
        settings: all settings.
    """

    def __init__(self, network: Ensemble, gold: GoldDerivations, settings: TreeSettings) -> None:
        super().__init__(network, settings)
        self._gold = gold
        self._defaults = gold.learned.inventory.defaults
        train = settings.train
        self._pool = Recombination(
            gold.train,
            gold.learned.sorts,
            gold.learned.evidence.kinds,
            wide=train.wide,
            likely=train.likely,
            rarity=train.rarity,
            variety=train.variety,
        )

    def samples(self, member: int, number: int) -> Sequence[Sequence[Derivation]]:
        """See `EnsembleTask`."""
        settings, train = self.settings.train, self._gold.train
        random = Random(f"{settings.seed} {member} {number}")
        times = max(1, -(-settings.epoch_sentences // len(train)))
        fresh = round(settings.fresh * len(train) * times)
        rows = [*train] * times
        rows += [self._pool.draw(random, settings.again) for _ in range(fresh)]
        random.shuffle(rows)
        lengths = lengths_of([(len(row.tokens), 0) for row in rows])
        parts = cut(np.arange(len(rows)), lengths, settings.batch_size, settings.batch_tokens)
        return [[rows[i] for i in part] for part in parts]

    def token_count(self, batch: MemberBatch[Sequence[Derivation]]) -> int:
        """See `Task`."""
        return sum(len(row.tokens) for row in batch.examples)

    def gold_of(self, examples: Sequence[Derivation]) -> tuple[Sequence[Sequence[str]], Gold]:
        """See `EnsembleTask`."""
        return [row.tokens for row in examples], gold_of(examples, self._defaults)

    def evaluate(self, share: Share = WHOLE) -> dict[str, Mean]:
        """`dev_accuracy`: the share of sentences whose graph is that of gold."""
        composition = TreeComposition(self.settings, self._gold.learned, self.network)
        return composition.accuracy(self._gold.dev, share)


def gold_of(batch: Sequence[Derivation], defaults: Defaults) -> Gold:
    """Derivations as numbers."""
    longest = max(len(d.tokens) for d in batch)
    tags = np.full((len(batch), longest), IGNORED)
    heads = np.full((len(batch), longest), IGNORED)
    kinds = max(1, len(defaults.names))
    closed = np.full((len(batch), longest, kinds), IGNORED, dtype=np.float32)
    for i, d in enumerate(batch):
        n = len(d.tokens)
        tags[i, :n] = d.tags
        heads[i, :n] = [
            head + 1 if tag >= FIRST_PIECE else IGNORED
            for head, tag in zip(d.heads, d.tags, strict=True)
        ]
        for token, tag in enumerate(d.tags):
            for hole, kind in enumerate(defaults.of_tag[tag]):
                if kind >= 0:
                    closed[i, token, kind] = d.closed[token] >> hole & 1
    return Gold(torch.from_numpy(tags), torch.from_numpy(heads), defaults=torch.from_numpy(closed))
