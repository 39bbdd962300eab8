"""The task of a parser over pieces: derivations, and new ones recombined in each epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

import numpy as np

from amparser.graph.sgraph import isomorphic
from amparser.induction.derivation import Derivation
from amparser.induction.recombination import Recombination
from amparser.learn.batches import cut
from amparser.learn.prediction_task import lengths_of
from amparser.learn.task import WHOLE, Losses, Mean, Share
from amparser.pieces.gold import GoldDerivations
from amparser.pieces.network import TaggerEnsemble
from amparser.pieces.search import Search
from amparser.pieces.settings import PiecesSettings
from amparser.pieces.trees import graph_of


@dataclass(frozen=True)
class MemberBatch:
    """What one tagger of an ensemble learns from in one update."""

    member: int
    derivations: Sequence[Derivation]

    def __len__(self) -> int:
        return len(self.derivations)


class PiecesTask:
    """Taggers with their gold derivations; a `Task`.

    Each tagger has samples of its own, and an update changes one of them: the taggers of an
    ensemble are trained as they would be alone.

    Args:
        network: with fresh weights, on its device.
        gold: what to learn from and what to watch.
        settings: all settings.
    """

    def __init__(
        self, network: TaggerEnsemble, gold: GoldDerivations, settings: PiecesSettings
    ) -> None:
        self._network = network
        self._gold = gold
        self.settings = settings
        train = settings.train
        self._pool = Recombination(
            gold.train,
            gold.sorts,
            gold.evidence.kinds,
            wide=train.wide,
            likely=train.likely,
            rarity=train.rarity,
            variety=train.variety,
        )
        network.count_words([d.tokens for d in gold.train])

    @property
    def network(self) -> TaggerEnsemble:
        """As `Task` says."""
        return self._network

    @property
    def size(self) -> int:
        """Width of the LSTM."""
        return self.settings.network.hidden_size

    @property
    def partial(self) -> bool:
        """A batch is that of one member."""
        return True

    @property
    def members(self) -> int:
        """As the settings say."""
        return self.settings.train.members

    def member(self, batch: MemberBatch) -> int:
        """As `Task` says."""
        return batch.member

    def shares(self) -> Mapping[str, float]:
        """All parameters have the whole rate."""
        return {}

    def epoch(self, number: int, share: Share = WHOLE) -> Sequence[MemberBatch]:
        """As `Task` says: a batch of each member in turn."""
        members = range(self.settings.train.members)
        batches = [self._batches(member, number) for member in members]
        # Numbers of batches may differ where these are limited in tokens.
        longest = max(map(len, batches))
        turns = ([row[i] for row in batches if i < len(row)] for i in range(longest))
        return list(chain.from_iterable(turns))

    def _batches(self, member: int, epoch: int) -> list[MemberBatch]:
        settings, train = self.settings.train, self._gold.train
        random = Random(f"{settings.seed} {member} {epoch}")
        times = max(1, -(-settings.epoch_sentences // len(train)))
        fresh = round(settings.fresh * len(train) * times)
        rows = [*train] * times
        rows += [self._pool.draw(random, settings.again) for _ in range(fresh)]
        random.shuffle(rows)
        lengths = lengths_of([(len(row.tokens), 0) for row in rows])
        parts = cut(np.arange(len(rows)), lengths, settings.batch_size, settings.batch_tokens)
        return [MemberBatch(member, [rows[i] for i in part]) for part in parts]

    def part(self, batch: MemberBatch, share: Share) -> MemberBatch:
        """As `Task` says."""
        return MemberBatch(batch.member, share.of(batch.derivations))

    def token_count(self, batch: MemberBatch) -> int | None:
        """None: the network counts them."""
        return None

    def losses(self, batch: MemberBatch) -> Losses:
        """The losses of the tagger whose batch it is."""
        return self.network.losses(batch.member, batch.derivations)

    def evaluate(self, share: Share = WHOLE) -> dict[str, Mean]:
        """`dev_accuracy`: the share of sentences whose graph is that of gold."""
        if not self._gold.dev:
            return {}
        dev = share.of(self._gold.dev)
        settings = self.settings.decode
        gold = self._gold
        search = Search(gold.inventory, gold.sorts, gold.evidence, settings)
        right = 0
        scores = self.network.score([example.tokens for example in dev])
        for example, row in zip(dev, scores, strict=True):
            derivation, _ = search.best(example.tokens, row, settings.decoder)
            if derivation is not None:
                right += isomorphic(graph_of(derivation, search.inventory), example.graph)
        return {"dev_accuracy": Mean(right, len(dev))}
