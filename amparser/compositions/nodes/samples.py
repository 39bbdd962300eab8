"""What is learned of constants of one node: trees, with constituents exchanged in each epoch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import TypeAlias

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from amparser.compositions.settings import NodeTrainSettings
from amparser.induction.typed_exchange import Exchange, Swap
from amparser.learn.batches import IntArray, epoch_batches, sorted_batches
from amparser.learn.ensemble_task import Samples
from amparser.learn.prediction_task import lengths_of
from amparser.learn.task import WHOLE, Mean, Share
from amparser.lexicon.indexed_tree import IndexedTree
from amparser.lexicon.lexicon import Lexicon
from amparser.nn.heads.arcs import ArcHead
from amparser.nn.heads.head import IGNORED, Gold, Reading
from amparser.nn.losses import losses_of
from amparser.nn.scorer import Ensemble, Scorer

Rows: TypeAlias = IntArray
"""`[N, 4]`, examples in numbers, of which the trees are made when a batch needs them: the training
tree of each, the constituent that another one replaces (-1: none), the other one, and how many
tokens it has then."""


class NodeSamples(Samples[Rows]):
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

    def examples(self, rows: Rows) -> list[IndexedTree]:
        """Some examples of an epoch."""
        found = []
        for tree, site, donor, _ in rows.tolist():
            if site < 0:
                found.append(self._train[tree])
            else:
                found.append(self._exchange.replaced(Swap(site, donor)))
        return found

    def rows(self, member: int, number: int) -> Rows:
        """The examples of an epoch, counted from 1, that a member learns from.

        Each tree occurs as often as `train.epoch_sentences` requires; a share of them has
        a constituent exchanged.
        """
        settings, count = self._settings, len(self._train)
        trees = np.tile(np.arange(count), settings.times(count))
        lengths = self._lengths[trees]
        sites, donors = np.full(len(trees), -1), np.full(len(trees), -1)
        if self._lexicon is not None:
            random = Random(f"{settings.seed} {number}" + f" {member}" * (member > 0))
            draw, share = self._exchange.draw, settings.exchange
            for example in range(len(trees)):
                if random.random() < share and (swap := draw(example % count, random)) is not None:
                    sites[example], donors[example] = swap
            swapped = sites >= 0
            lengths[swapped] += self._exchange.grown(sites[swapped], donors[swapped])
        return np.stack([trees, sites, donors, lengths], axis=1)

    @cached_property
    def _lengths(self) -> IntArray:
        return np.array([len(example.tokens) for example in self._train])

    @cached_property
    def _exchange(self) -> Exchange:
        assert self._lexicon is not None
        return Exchange(self._train, self._lexicon)

    def drawn(self, member: int, number: int) -> Sequence[Rows]:
        """See `Samples`."""
        rows = self.rows(member, number)
        columns = rows[:, 3:] * np.array([1, 0])
        # The batches of members are those of epochs so far apart.
        batches = epoch_batches(columns, self._settings, number + 1009 * member)
        return [rows[numbers] for numbers in batches]

    def gold(self, examples: Rows) -> tuple[Sequence[Sequence[str]], Gold]:
        """See `Samples`."""
        rows = self.examples(examples)
        return [row.tokens for row in rows], gold_of(rows)


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
