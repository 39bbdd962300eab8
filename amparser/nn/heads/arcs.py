"""Edges: the head of each token, and optionally the operation of the edge.

P(edge) = P(head) P(operation | head). The operations 0 (IGNORE) and 1 (ROOT) are possible only with
head 0, the artificial root; all others only with other heads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn

from amparser.nn.encoders.encoder import Encoder
from amparser.nn.heads.head import NEVER, Gold, Head, Reading, class_loss
from amparser.nn.heads.pairs import AdditiveScorer, BiaffineScorer, PairScorer, distance_indices
from amparser.nn.heads.tags import TagNeeds

_IGNORE = 0


class ArcLogits(NamedTuple):
    """Logits of a padded batch; -inf where the algebra forbids an edge.

    Attributes:
        heads: `[B, n, n + 1]`, for each token i + 1 and head h; -inf for the token itself.
        operations: `[B, n, O]`, given the gold heads; None if operations are not scored.
        from_root: `[B, n, 2]`, IGNORE and ROOT given head 0; None if operations are not scored.
    """

    heads: Tensor
    operations: Tensor | None = None
    from_root: Tensor | None = None


ArcLoss = Callable[[ArcLogits, Gold, Tensor], dict[str, Tensor]]
ArcsRight = Callable[[ArcLogits, Gold, Tensor], Tensor]


def softmax_losses(logits: ArcLogits, gold: Gold, mask: Tensor) -> dict[str, Tensor]:
    """Return the cross entropy of each token's head, and of its operation given the head.

    Losses are summed over tokens, in nats.

    Args:
        mask: `[B, n]` bool, true on tokens.
    """
    losses = {"heads": class_loss(logits.heads[mask], gold.heads[mask])}
    if logits.operations is not None and gold.operations is not None:
        losses["operations"] = class_loss(logits.operations[mask], gold.operations[mask])
    return losses


def tree_crf_losses(logits: ArcLogits, gold: Gold, mask: Tensor) -> dict[str, Tensor]:
    """Return the negative log-probabilities of the gold trees, summed, in nats.

    P(tree) is the product of P(ignored) or P(kept) for each token, P(projective tree of the kept
    tokens) (see `tree_crf`), and P(operations | heads). If a gold tree has crossing edges, its
    heads are scored as in `softmax_losses`.
    """
    assert logits.operations is not None
    assert gold.operations is not None
    assert gold.projective is not None
    ignored = gold.operations == _IGNORE
    ignore, kept_heads = _ignore_or_keep(logits)
    decided = torch.where(ignored, ignore, kept_heads.logsumexp(-1))
    loss = (logits.heads.logsumexp(-1) - decided).where(mask, 0.0).sum()

    kept = mask & ~ignored
    joint = gold.projective & kept.any(-1)
    if joint.any():
        from amparser.nn.tree_crf import log_likelihood

        heads = gold.heads[joint].clamp(min=0)
        loss = loss - log_likelihood(kept_heads[joint], heads, kept[joint]).sum()
    alone = kept & ~joint[:, None]
    loss = loss + class_loss(kept_heads[alone], gold.heads[alone])
    # The tree already determines IGNORE and ROOT.
    attached = kept & (gold.heads > 0)
    operations = class_loss(logits.operations[attached], gold.operations[attached])
    return {"heads": loss, "operations": operations}


def softmax_right(logits: ArcLogits, gold: Gold, mask: Tensor) -> Tensor:
    """Return `[B, n]` bool: whether the most probable edge of each token is correct.

    Types are not checked. The best operation is chosen given the gold head.
    """
    heads = logits.heads.argmax(-1) == gold.heads
    if logits.operations is None:
        return heads
    return heads & (logits.operations.argmax(-1) == gold.operations)


def tree_crf_right(logits: ArcLogits, gold: Gold, mask: Tensor) -> Tensor:
    """Return `[B, n]` bool: whether the head with the greatest marginal probability is correct.

    The trees span the tokens that are ignored with a probability below 1/2.
    """
    from amparser.nn.tree_crf import edge_marginals

    assert logits.operations is not None
    assert gold.operations is not None
    ignore, kept_heads = _ignore_or_keep(logits)
    kept = mask & (ignore < kept_heads.logsumexp(-1))
    heads = edge_marginals(kept_heads, kept).argmax(-1) == gold.heads
    # The trees determine ROOT and IGNORE. All other operations are predicted given the gold head.
    operations = logits.operations.argmax(-1) == gold.operations
    operations = torch.where(gold.heads > 0, operations, kept == (gold.operations != _IGNORE))
    return heads & operations


ARC_LOSSES: dict[str, ArcLoss] = {"softmax": softmax_losses, "tree-crf": tree_crf_losses}
ARCS_RIGHT: dict[str, ArcsRight] = {"softmax": softmax_right, "tree-crf": tree_crf_right}


def _ignore_or_keep(logits: ArcLogits) -> tuple[Tensor, Tensor]:
    """Return logits `[B, n]` of ignoring each token, and `[B, n, n + 1]` of its heads otherwise.

    The probability of head 0 is divided between IGNORE and ROOT.
    """
    assert logits.from_root is not None
    from_root = logits.from_root.log_softmax(-1) + logits.heads[:, :, :1]
    return from_root[:, :, 0], torch.cat([from_root[:, :, 1:], logits.heads[:, :, 1:]], -1)


_FROM_ROOT = 2

# Maximum number of floats in a temporary tensor; it fits into the cache of a CPU.
CHUNK_SIZE = 1 << 20


@dataclass(frozen=True)
class ArcNeeds:
    """Sizes and options of an edge scorer.

    Attributes:
        scorer: name of the scorer: `additive`, which reads the distance of the two tokens;
            `biaffine` (Dozat & Manning 2017), which does not; `bilinear`, which has other initial
            weights and may read the distance; or `allennlp-bilinear`.
        root: trained vector of the artificial root: a state with `random` or `zero` initial values,
            or a `content` vector (`bilinear` then has no bias).
        tag_size: width of the projected tag probabilities that the scorer also reads; 0 for none.
        operations: number of operations with IGNORE and ROOT; 0 if operations are not scored.
        clip: maximum distance with a separate embedding; 0 if distances are not used.
        loss: `softmax` trains each token's head separately, `tree-crf` the projective tree.
    """

    scorer: Literal["additive", "biaffine", "bilinear", "allennlp-bilinear"]
    hidden_size: int
    dropout: float
    root: Literal["random", "zero", "content"]
    tag_size: int = 0
    operations: int = 0
    operation_size: int = 0
    clip: int = 0
    loss: Literal["softmax", "tree-crf"] = "softmax"


class ArcHead(Head):
    """Scorer of heads, and of operations given the head."""

    def __init__(self, needs: ArcNeeds, encoder: Encoder, tags: TagNeeds) -> None:
        super().__init__()
        self.needs = needs
        self.likely: nn.Linear | None = None
        if needs.tag_size:
            self.likely = nn.Linear(tags.count, needs.tag_size, bias=False)
        self.pairs = _pair_scorer(needs, encoder.state_size + needs.tag_size)
        self.root: nn.Parameter | None = None
        if needs.root == "content":
            self.root = nn.Parameter(torch.zeros(needs.hidden_size))
        self.operations: AdditiveScorer | None = None
        if needs.operations:
            self.operations = AdditiveScorer(
                encoder.state_size,
                needs.operation_size,
                needs.operations,
                clip=needs.clip,
                dropout=needs.dropout,
            )

    @property
    def width(self) -> int:
        """Greatest width of a content vector."""
        return max(self.needs.hidden_size, self.needs.operation_size)

    def forward(self, reading: Reading) -> Tensor:
        """Return logits `[B, N, 1 + N]` of heads; -inf for the token itself and for padding."""
        tokens = torch.arange(1, reading.mask.shape[1] + 1, device=reading.tags.device)
        return self._heads(*self._contents(reading), tokens, reading)

    def _contents(self, reading: Reading) -> tuple[Tensor, Tensor]:
        """Return content vectors of heads `[B, 1 + N, H]` and of dependents `[B, N, H]`."""
        if self.root is not None:
            heads = self.pairs.heads(reading.states)
            root = self.root.expand(len(heads), 1, -1)
            return torch.cat([root, heads], dim=1), self.pairs.dependents(reading.states)
        rooted = reading.rooted
        if self.likely is not None:
            likely = self.likely(torch.softmax(reading.tags.detach(), dim=-1))
            likely = nn.functional.pad(reading.encoded.padded(likely), (0, 0, 1, 0))
            rooted = torch.cat([rooted, likely], dim=2)
        return self.pairs.heads(rooted), self.pairs.dependents(rooted[:, 1:])

    def _heads(self, heads: Tensor, dependents: Tensor, tokens: Tensor, reading: Reading) -> Tensor:
        positions = torch.arange(heads.shape[1], device=heads.device)
        distances = distance_indices(positions, tokens[:, None], self.needs.clip)
        logits = self.pairs.pairs(heads, dependents, distances)
        outside = ~nn.functional.pad(reading.mask, (1, 0), value=True)
        return logits.masked_fill(outside[:, None] | (positions == tokens[:, None]), NEVER)

    def logits(self, reading: Reading, heads: Tensor) -> ArcLogits:
        """Return logits for a loss, given gold heads `[B, N]` (0 is the artificial root)."""
        head_logits = self(reading)
        if self.operations is None:
            return ArcLogits(head_logits)
        tokens = torch.arange(1, heads.shape[1] + 1, device=heads.device)
        heads = heads.clamp(min=0)
        clip = self.needs.clip
        all_heads = self.operations.heads(reading.rooted)
        dependents = self.operations.dependents(reading.states)
        operations = self.operations.aligned(
            torch.take_along_dim(all_heads, heads[:, :, None], 1),
            dependents,
            distance_indices(heads, tokens, clip),
        )
        of_root = torch.arange(self.needs.operations, device=heads.device) < _FROM_ROOT
        operations = operations.masked_fill(of_root != (heads == 0)[:, :, None], NEVER)
        root_distance = distance_indices(torch.zeros_like(tokens), tokens, clip)
        from_root = self.operations.aligned(all_heads[:, :1], dependents, root_distance)
        return ArcLogits(head_logits, operations, from_root[:, :, :_FROM_ROOT])

    def losses(self, reading: Reading, gold: Gold) -> dict[str, Tensor]:
        """See `Head`."""
        logits = self.logits(reading, gold.heads)
        return ARC_LOSSES[self.needs.loss](logits, gold, reading.mask)

    def right(self, reading: Reading, gold: Gold) -> Tensor:
        """Return `[B, N]` bool: whether each token's best edge is correct, ignoring types.

        With the loss `tree-crf`, the best edge has the greatest marginal probability.
        """
        logits = self.logits(reading, gold.heads)
        return ARCS_RIGHT[self.needs.loss](logits, gold, reading.mask)

    def edges(self, reading: Reading) -> Tensor:
        """Return log-probabilities `[B, N, 1 + N, O]` of edges; O is 1 if only heads are scored.

        Dependents are scored in chunks of `CHUNK_SIZE` floats to save memory.
        """
        if self.operations is None:
            return self.forward(reading).log_softmax(-1)[..., None]
        states, count = reading.states, self.needs.operations
        batch_size, width, _ = states.shape
        head_vectors, dependent_vectors = self._contents(reading)
        heads, dependents = (
            self.operations.heads(reading.rooted),
            self.operations.dependents(states),
        )
        positions = torch.arange(width + 1, device=states.device)
        edges = states.new_full((batch_size, width, width + 1, count), NEVER)
        step = max(1, CHUNK_SIZE // (batch_size * (width + 1) * self.width))
        for start in range(0, width, step):
            rows = slice(start, start + step)
            tokens = positions[1:][rows]
            head_logp = self._heads(head_vectors, dependent_vectors[:, rows], tokens, reading)
            head_logp = head_logp.log_softmax(-1)[:, :, :, None]
            distances = distance_indices(positions, tokens[:, None], self.needs.clip)
            logits = self.operations.pairs(heads, dependents[:, rows], distances)
            part = edges[:, rows]
            of_root = logits[:, :, :1, :_FROM_ROOT]
            torch.add(of_root.log_softmax(-1), head_logp[:, :, :1], out=part[:, :, :1, :_FROM_ROOT])
            if count > _FROM_ROOT:
                others = logits[:, :, 1:, _FROM_ROOT:]
                constant = head_logp[:, :, 1:] - others.logsumexp(-1, keepdim=True)
                torch.add(others, constant, out=part[:, :, 1:, _FROM_ROOT:])
        return edges


def _pair_scorer(needs: ArcNeeds, size: int) -> PairScorer:
    hidden, dropout = needs.hidden_size, needs.dropout
    if needs.scorer == "additive":
        return AdditiveScorer(size, hidden, 1, clip=needs.clip, dropout=dropout)
    if needs.scorer == "biaffine":
        return BiaffineScorer(size, hidden, dropout=dropout, orthogonal=True)
    if needs.scorer == "bilinear":
        has_bias = needs.root != "content"
        return BiaffineScorer(size, hidden, dropout=dropout, bias=has_bias, clip=needs.clip)
    from amparser.nn.allennlp_layers import AllenNLPBilinearScorer

    return AllenNLPBilinearScorer(size, hidden, dropout)
