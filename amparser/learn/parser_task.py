"""The task of a parser: training trees, with constituents exchanged in each epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np
import torch

from amparser.induction.exchange import Exchange, Swap
from amparser.learn.batches import IntArray, epoch_batches, sorted_batches
from amparser.learn.dataset import Dataset, TrainingExample
from amparser.learn.parser_settings import ParserSettings
from amparser.learn.prediction_task import lengths_of
from amparser.learn.task import WHOLE, Losses, Mean, Share
from amparser.lexicon.lexicon import Lexicon
from amparser.nn.losses import LOSSES, TREES_RIGHT
from amparser.nn.network import Network

_DEV_BATCH_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class Epoch:
    """The examples of an epoch, in numbers: the trees are made when a batch needs them.

    Attributes:
        tree: `[N]`, the number of the training tree of each example.
        site: `[N]`, the constituent that another one replaces; -1 for none.
        donor: `[N]`, the other one.
        lengths: `[N]`, numbers of tokens.
    """

    tree: IntArray
    site: IntArray
    donor: IntArray
    lengths: IntArray


@dataclass(frozen=True, slots=True)
class TreeBatch:
    """The examples of one batch.

    Attributes:
        epoch: the examples of its epoch.
        members: numbers of examples of the epoch.
    """

    epoch: Epoch
    members: IntArray

    def __len__(self) -> int:
        return len(self.members)


class ParserTask:
    """A network with its gold trees; a `Task`.

    Args:
        network: the network, with fresh weights, on its device.
        train: the training trees.
        dev: the dev trees.
        settings: the settings of the parser.
        lexicon: the lexicon of the trees; None for no exchange of constituents.
    """

    def __init__(
        self,
        network: Network,
        train: Sequence[TrainingExample],
        dev: Sequence[TrainingExample],
        settings: ParserSettings,
        lexicon: Lexicon | None = None,
    ) -> None:
        self._network = network
        self.settings = settings
        self._train = train
        self._dev = Dataset(dev, network.vocabulary)
        self._lexicon = lexicon if settings.train.exchange else None

    @property
    def network(self) -> Network:
        """See `Task`."""
        return self._network

    @property
    def size(self) -> int:
        """Width of the encoder."""
        return self.settings.encoder.hidden_size

    @property
    def partial(self) -> bool:
        """A pretrained encoder may have layers that its states do not come from."""
        return self._network.pretrained is not None

    @property
    def members(self) -> int:
        """The network is one."""
        return 1

    def member(self, batch: TreeBatch) -> int:
        """See `Task`."""
        return 0

    def shares(self) -> Mapping[str, float]:
        """A pretrained encoder has its own rate."""
        # With a learning rate of 0 the encoder is not trained either.
        rate = self.settings.train.learning_rate or float("inf")
        return {"pretrained.": self.settings.encoder.pretrained_learning_rate / rate}

    def examples(self, epoch: Epoch, members: IntArray) -> list[TrainingExample]:
        """Some examples of an epoch."""
        found = []
        columns = (c[members].tolist() for c in (epoch.tree, epoch.site, epoch.donor))
        for tree, site, donor in zip(*columns, strict=True):
            if site < 0:
                found.append(self._train[tree])
            else:
                found.append(TrainingExample(*self._exchange.replaced(Swap(site, donor))))
        return found

    def drawn(self, number: int) -> Epoch:
        """The examples of an epoch, counted from 1.

        Each tree occurs as often as `train.epoch_sentences` requires; a share of them has
        a constituent exchanged.
        """
        settings, count = self.settings.train, len(self._train)
        times = max(1, -(-settings.epoch_sentences // count))
        trees = np.tile(np.arange(count), times)
        lengths = self._lengths[trees]
        sites, donors = np.full(len(trees), -1), np.full(len(trees), -1)
        if self._lexicon is not None:
            random = Random(f"{settings.seed} {number}")
            draw, share = self._exchange.draw, settings.exchange
            for example in range(len(trees)):
                if random.random() < share and (swap := draw(example % count, random)) is not None:
                    sites[example], donors[example] = swap
            swapped = sites >= 0
            lengths[swapped] += self._exchange.grown(sites[swapped], donors[swapped])
        return Epoch(trees, sites, donors, lengths)

    @cached_property
    def _lengths(self) -> IntArray:
        known: IntArray | None = getattr(self._train, "lengths", None)
        if known is not None:
            return known
        return np.array([len(example.tokens) for example in self._train])

    @cached_property
    def _exchange(self) -> Exchange:
        assert self._lexicon is not None
        return Exchange(self._train, self._lexicon)

    def epoch(self, number: int, share: Share = WHOLE) -> Sequence[TreeBatch]:
        """See `Task`."""
        drawn = self.drawn(number)
        columns = np.stack([drawn.lengths, np.zeros_like(drawn.lengths)], axis=1)
        batches = epoch_batches(columns, self.settings.train, number)
        return [TreeBatch(drawn, members) for members in batches]

    def part(self, batch: TreeBatch, share: Share) -> TreeBatch:
        """See `Task`."""
        return TreeBatch(batch.epoch, share.of(batch.members))

    def token_count(self, batch: TreeBatch) -> int:
        """See `Task`."""
        return int(batch.epoch.lengths[batch.members].sum())

    def losses(self, batch: TreeBatch) -> Losses:
        """The sum of the losses of supertags, heads and operations."""
        network = self.network
        examples = self.examples(batch.epoch, batch.members)
        tokens, gold = Dataset(examples, network.vocabulary).batch(np.arange(len(examples)))
        tokens = network.with_subwords(tokens, [example.tokens for example in examples])
        tokens, gold = tokens.to(network.device), gold.to(network.device)
        losses = LOSSES[self.settings.edge.loss](network(tokens, gold.heads), gold, tokens.mask)
        parts = torch.stack(losses).detach().cpu().double().tolist()
        names = ("supertag_loss", "head_loss", "operation_loss")
        named = dict(zip(names, parts, strict=True))
        return Losses(losses.total, named, self.token_count(batch))

    @torch.no_grad()
    def evaluate(self, share: Share = WHOLE) -> dict[str, Mean]:
        """`dev_accuracy`, the share of sentences whose untyped reading is right, and `dev_loss`.

        The reading follows the training loss: heads one by one, or the best projective
        tree.
        """
        data, loss = self._dev, self.settings.edge.loss
        if not len(data):
            return {}
        right = token_count = sentence_count = 0
        total = 0.0
        for members in share.of(sorted_batches(_lengths(data), 0, _DEV_BATCH_TOKENS)):
            tokens, gold = data.batch(members)
            tokens = self.network.with_subwords(tokens, data.sentences(members))
            tokens, gold = tokens.to(self.network.device), gold.to(self.network.device)
            logits = self.network(tokens, gold.heads)
            count = int(data.lengths[members].sum())
            total += float(LOSSES[loss](logits, gold, tokens.mask).total) * count
            token_count += count
            sentence_count += len(members)
            right += int(TREES_RIGHT[loss](logits, gold, tokens.mask).sum())
        return {
            "dev_accuracy": Mean(right, sentence_count),
            "dev_loss": Mean(total, token_count),
        }


def _lengths(data: Dataset) -> IntArray:
    return lengths_of([(int(length), 0) for length in data.lengths])
