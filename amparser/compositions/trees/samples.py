"""What is learned of pieces of trees: derivations, and new ones recombined in each epoch."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import torch

from amparser.compositions.settings import TreeSettings
from amparser.compositions.trees.gold import GoldDerivations
from amparser.induction.augmentation.by_sorts import SortAugmentation
from amparser.induction.augmentation.names import NewNames
from amparser.induction.inventory import Defaults
from amparser.learn.batches import cut
from amparser.learn.ensemble_task import Samples
from amparser.learn.prediction_task import lengths_of
from amparser.lexicon.encoded import FIRST_FRAGMENT, Encoded
from amparser.nn.heads.head import IGNORED, Gold


class TreeSamples(Samples[Sequence[Encoded]]):
    """Gold derivations, and new ones recombined in each epoch.

    Args:
        gold: what to learn from.
        settings: all settings.
    """

    def __init__(self, gold: GoldDerivations, settings: TreeSettings) -> None:
        self._rows = gold.train
        self._settings = train = settings.train
        self._defaults = gold.learned.inventory.defaults
        self._pool = SortAugmentation(
            gold.train,
            gold.learned.sorts,
            gold.learned.evidence.kinds,
            wide=train.wide,
        )
        rule = gold.learned.inventory.labels.rule
        self._names = NewNames(gold.train, rule, train.invented)

    def drawn(self, member: int, number: int) -> Sequence[Sequence[Encoded]]:
        """See `Samples`."""
        settings = self._settings
        random = Random(f"{settings.seed} {member} {number}")
        rows = [*self._rows] * settings.times(len(self._rows))
        fresh = round(settings.fresh * len(rows))
        drawn = (self._pool.draw(random, settings.again) for _ in range(fresh))
        rows += [self._names.invented(row, random) for row in drawn]
        random.shuffle(rows)
        lengths = lengths_of([(len(row.tokens), 0) for row in rows])
        parts = cut(np.arange(len(rows)), lengths, settings.batch_size, settings.batch_tokens)
        return [[rows[i] for i in part] for part in parts]

    def gold(self, examples: Sequence[Encoded]) -> tuple[Sequence[Sequence[str]], Gold]:
        """See `Samples`."""
        return [row.tokens for row in examples], gold_of(examples, self._defaults)


def gold_of(batch: Sequence[Encoded], defaults: Defaults) -> Gold:
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
            head + 1 if tag >= FIRST_FRAGMENT else IGNORED
            for head, tag in zip(d.heads, d.tags, strict=True)
        ]
        for token, tag in enumerate(d.tags):
            for port, kind in enumerate(defaults.of_tag[tag]):
                if kind >= 0:
                    closed[i, token, kind] = d.closed[token] >> port & 1
    return Gold(torch.from_numpy(tags), torch.from_numpy(heads), defaults=torch.from_numpy(closed))
