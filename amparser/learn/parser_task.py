"""The task of a parser: training trees, with constituents exchanged in each epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from random import Random

import numpy as np
import torch

from amparser.induction.exchange import Exchange, IndexedTree, Swap
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
class TreeBatch:
    """The examples of one batch.

    Attributes:
        data: the examples of an epoch, or of a share of its batches.
        members: numbers of examples of the epoch.
        places: `[N]`, the place in `data` of each example of the epoch; -1 if it is not there.
    """

    data: Dataset
    members: IntArray
    places: IntArray

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

    def shares(self) -> Mapping[str, float]:
        """A pretrained encoder has its own rate."""
        # With a learning rate of 0 the encoder is not trained either.
        rate = self.settings.train.learning_rate or float("inf")
        return {"pretrained.": self.settings.encoder.pretrained_learning_rate / rate}

    def examples(self, epoch: int) -> Sequence[TrainingExample]:
        """The training trees of an epoch.

        Each tree occurs as often as `train.epoch_sentences` requires; a share of them has
        a constituent exchanged.
        """
        return [self._made(drawn) for drawn in self._drawn(epoch)]

    def _drawn(self, epoch: int) -> list[tuple[int, Swap | None]]:
        """The number of the tree of each example of an epoch, and what is exchanged in it."""
        settings, numbers = self.settings.train, range(len(self._train))
        times = max(1, -(-settings.epoch_sentences // len(numbers)))
        if self._lexicon is None:
            return [(i, None) for _ in range(times) for i in numbers]
        random = Random(f"{settings.seed} {epoch}")
        draw, share = self._exchange.draw, settings.exchange
        return [
            (i, draw(i, random) if random.random() < share else None)
            for _ in range(times)
            for i in numbers
        ]

    def _made(self, drawn: tuple[int, Swap | None]) -> TrainingExample:
        number, swap = drawn
        if swap is None:
            return self._train[number]
        return TrainingExample(*self._exchange.replaced(swap))

    @cached_property
    def _exchange(self) -> Exchange:
        assert self._lexicon is not None
        trees = [IndexedTree(*astuple(example)) for example in self._train]
        return Exchange(trees, self._lexicon)

    def epoch(self, number: int, share: Share = WHOLE) -> Sequence[TreeBatch]:
        """See `Task`; the trees that other processes learn from are not made."""
        drawn = self._drawn(number)
        sizes = [
            (len(self._train[i].tokens) + (0 if swap is None else swap.grown), 0)
            for i, swap in drawn
        ]
        batches = epoch_batches(lengths_of(sizes), self.settings.train, number)
        # A batch that is too small to be shared goes to all.
        own = [m if len(m) < share.count else share.of(m) for m in batches]
        chosen = np.concatenate(own)
        places = np.full(len(drawn), -1)
        places[chosen] = np.arange(len(chosen))
        data = Dataset([self._made(drawn[i]) for i in chosen], self.network.vocabulary)
        return [TreeBatch(data, members, places) for members in batches]

    def part(self, batch: TreeBatch, share: Share) -> TreeBatch:
        """See `Task`."""
        return TreeBatch(batch.data, share.of(batch.members), batch.places)

    def losses(self, batch: TreeBatch) -> Losses:
        """The sum of the losses of supertags, heads and operations."""
        network, members = self.network, batch.places[batch.members]
        tokens, gold = batch.data.batch(members)
        tokens = network.with_subwords(tokens, batch.data.sentences(members))
        tokens, gold = tokens.to(network.device), gold.to(network.device)
        losses = LOSSES[self.settings.edge.loss](network(tokens, gold.heads), gold, tokens.mask)
        parts = torch.stack(losses).detach().cpu().double().tolist()
        names = ("supertag_loss", "head_loss", "operation_loss")
        count = int(batch.data.lengths[members].sum())
        return Losses(losses.total, dict(zip(names, parts, strict=True)), count)

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
