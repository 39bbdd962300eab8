"""What is learned of constants of one node: trees, with constituents exchanged in each epoch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from random import Random

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from amparser.compositions.settings import NodeTrainSettings
from amparser.induction.augmentation.by_types import TypeAugmentation
from amparser.learn.batches import epoch_batches, sorted_batches
from amparser.learn.ensemble_task import Samples
from amparser.learn.prediction_task import lengths_of
from amparser.learn.task import WHOLE, Mean, Share
from amparser.lexicon.indexed_tree import IndexedTree
from amparser.lexicon.lexicon import Lexicon
from amparser.nn.heads.arcs import ArcHead
from amparser.nn.heads.head import IGNORED, Gold, Reading
from amparser.nn.losses import losses_of
from amparser.nn.scorer import Ensemble, Scorer


class NodeSamples(Samples[Sequence[IndexedTree]]):
    """Gold trees, with constituents exchanged in each epoch.

    Args:
        train: the training trees.
        settings: those of the training.
        lexicon: the lexicon of the trees; None for no exchange of constituents.
    """

    def __init__(
        self,
        train: Sequence[IndexedTree],
        settings: NodeTrainSettings,
        lexicon: Lexicon | None = None,
    ) -> None:
        self._train = train
        self._settings = settings
        self._lexicon = lexicon if settings.exchange else None

    @cached_property
    def _pool(self) -> TypeAugmentation:
        assert self._lexicon is not None
        return TypeAugmentation(self._train, self._lexicon)

    def drawn(self, member: int, number: int) -> Sequence[Sequence[IndexedTree]]:
        """See `Samples`.

        Each tree occurs as often as `train.epoch_sentences` requires; a share of them has
        a constituent exchanged.
        """
        settings = self._settings
        rows = [*self._train] * settings.times(len(self._train))
        if self._lexicon is not None:
            random = Random(f"{settings.seed} {number}" + f" {member}" * (member > 0))
            rows = [
                self._pool.exchanged(row, random) if random.random() < settings.exchange else row
                for row in rows
            ]
        # The batches of members are those of epochs so far apart.
        lengths = lengths_of([(len(row.tokens), 0) for row in rows])
        batches = epoch_batches(lengths, settings, number + 1009 * member)
        return [[rows[i] for i in part] for part in batches]

    def gold(self, examples: Sequence[IndexedTree]) -> tuple[Sequence[Sequence[str]], Gold]:
        """See `Samples`."""
        return [row.tokens for row in examples], gold_of(examples)


@torch.no_grad()
def untyped_accuracy(
    network: Ensemble, dev: Sequence[IndexedTree], share: Share = WHOLE
) -> dict[str, Mean]:
    """`dev_accuracy`, the share of sentences whose untyped reading is right, and `dev_loss`.

    The reading is the first member's. It follows the training loss: heads one by one, or the
    best projective tree.
    """
    if not len(dev):
        return {}
    scorer = network.scorer(0)
    right = token_count = 0
    total = 0.0
    lengths = lengths_of([(len(example.tokens), 0) for example in dev])
    # Tokens in a batch of dev.
    parts = share.of(sorted_batches(lengths, 0, 4096))
    for members in parts:
        rows = [dev[i] for i in members]
        reading = scorer.read([row.tokens for row in rows])
        gold = gold_of(rows).to(scorer.device)
        loss = losses_of(scorer, reading, gold)
        total += float(loss.total) * loss.token_count
        token_count += loss.token_count
        right += int(trees_right(scorer, reading, gold).sum())
    return {
        "dev_accuracy": Mean(right, sum(map(len, parts))),
        "dev_loss": Mean(total, token_count),
    }


def trees_right(scorer: Scorer, reading: Reading, gold: Gold) -> Tensor:
    """`[B]` bool: whether the greedy reading of a sentence, without types, is its gold tree."""
    arcs = scorer.head(ArcHead).right(reading, gold)
    tags = reading.encoded.padded(reading.tags).argmax(-1) == gold.tags
    return ((tags & arcs) | ~reading.mask).all(-1)


def gold_of(examples: Sequence[IndexedTree]) -> Gold:
    """The trees of examples, padded to the longest."""

    def padded(rows: Sequence[tuple[int, ...]]) -> Tensor:
        return pad_sequence(list(map(torch.tensor, rows)), True, IGNORED)

    return Gold(
        tags=padded([example.supertags for example in examples]),
        heads=padded([example.heads for example in examples]),
        operations=padded([example.operations for example in examples]),
        projective=torch.tensor([example.projective for example in examples]),
    )
