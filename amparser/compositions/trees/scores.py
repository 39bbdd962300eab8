"""What a parser over pieces needs scored, the scores, and what they are learned from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from amparser.compositions.trees.gold import TreeLearned
from amparser.compositions.trees.search import Defaults, PieceScores
from amparser.compositions.trees.settings import TreeSettings
from amparser.induction.derivation import FIRST_PIECE, Derivation
from amparser.nn.heads.arcs import ArcNeeds
from amparser.nn.heads.beside import DefaultHead
from amparser.nn.heads.head import IGNORED, Gold, Reading
from amparser.nn.heads.tags import TagNeeds
from amparser.nn.scorer import Ensemble, Needs, Scorer

_CERTAIN = 0.01
_LEAST = 1e-12


def needs_of(settings: TreeSettings, learned: TreeLearned) -> Needs:
    """What is scored of pieces, whose numbers are tags."""
    inventory = learned.inventory
    heads, labels = settings.heads, inventory.tag_labels
    tags = TagNeeds(
        len(labels),
        heads.hidden_size,
        heads.dropout,
        labels=labels if heads.spelled_tags else (),
        buckets=settings.encoder.buckets,
        words=True,
        words_beside=True,
        context_dropout=heads.context_dropout,
    )
    arcs = ArcNeeds("bilinear", heads.arc_size, 0.0, "content")
    return Needs(tags, arcs, defaults=len(Defaults.of(inventory).names))


@torch.no_grad()
def piece_scores(network: Ensemble, sentences: Sequence[Sequence[str]]) -> list[PieceScores]:
    """The scores of tokenised sentences, with the network in evaluation mode."""
    nothing = PieceScores(np.zeros((0, 0)), np.zeros((0, 0, 2)), np.zeros((0, 1)))
    scores = [nothing] * len(sentences)
    for members in network.batches(map(len, sentences)):
        readings = network.read([sentences[i] for i in members])
        logps = readings.tags(), readings.mean(_closed), readings.heads()
        tags, closed, arcs = (np.exp(logp.astype(np.float64)) for logp in logps)
        for row, i in enumerate(members):
            n = len(sentences[i])
            yes = np.clip(closed[row, :n], _CERTAIN, 1 - _CERTAIN)
            scores[i] = PieceScores(
                np.log(tags[row, :n] + _LEAST),
                np.log(np.stack([1 - yes, yes], axis=-1)),
                np.log(arcs[row, :n, : n + 1] + _LEAST),
            )
    return scores


def _closed(scorer: Scorer, reading: Reading) -> torch.Tensor:
    """`[B, N, D]`, the log probability that a default stands in its place."""
    odds = scorer.head(DefaultHead)(reading)
    return reading.encoded.padded(torch.nn.functional.logsigmoid(odds))


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
