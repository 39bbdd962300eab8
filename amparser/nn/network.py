"""The network: from a sentence to scores of supertags, heads and operations.

The probability of an edge is that of its head times that of its operation
given the head; supertags are independent of both. Operations 0 (IGNORE)
and 1 (ROOT) come only from head 0, and head 0 has only these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from amparser.decode.scores import Scores
from amparser.nn.dropout import Dropout
from amparser.nn.edges import AdditiveScorer, BiaffineScorer, PairScorer, distance_indices
from amparser.nn.encoder import Encoder, WordEmbedding, bilstm_encoder
from amparser.nn.pretrained import PretrainedEncoder
from amparser.nn.settings import EdgeSettings, EncoderSettings, SupertagSettings
from amparser.nn.vocabulary import TokenBatch, Vocabulary

_FROM_ROOT = 2
_NEVER = float("-inf")

# Floats in the largest tensor that scoring builds: small enough to stay in a CPU's cache.
CHUNK_SIZE = 1 << 20


class Logits(NamedTuple):
    """The logits of a padded batch; -inf where the algebra forbids.

    Attributes:
        supertags: `[B, n, K]`.
        heads: `[B, n, n + 1]`: token i + 1 hangs from head h; no token from itself.
        operations: `[B, n, O]`, given the gold heads.
        from_root: `[B, n, 2]`, IGNORE and ROOT, given head 0.
    """

    supertags: Tensor
    heads: Tensor
    operations: Tensor
    from_root: Tensor


class Network(nn.Module):
    """Encoder, supertagger and edge scorer.

    Args:
        vocabulary: the words that have their own vector.
        supertag_count: K of the lexicon, the empty supertag included.
        operation_count: O of the lexicon, IGNORE and ROOT included.
        supertag_parts: for each supertag the numbers of its parts (from 0), if
            supertags are scored by their parts; otherwise each is a separate class.
        encoder, supertag, edge: the settings of the three parts.
        pretrained: optional pretrained encoder; its states are concatenated to the embeddings.

    Raises:
        ConfigError: when a layer needs an extra that is not installed.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        *,
        supertag_count: int,
        operation_count: int,
        supertag_parts: Sequence[Sequence[int]] | None = None,
        encoder: EncoderSettings,
        supertag: SupertagSettings,
        edge: EdgeSettings,
        pretrained: PretrainedEncoder | None = None,
    ) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.supertag_count = supertag_count
        self.supertag_parts = supertag_parts
        self.operation_count = operation_count
        self.clip = edge.distance_clip
        self.embedding = WordEmbedding(vocabulary, encoder.word_size, encoder.word_dropout)
        self.dropout = Dropout(encoder.dropout)
        self.pretrained = pretrained
        self.encoder = _encoder(encoder, 0 if pretrained is None else pretrained.output_size)
        size = self.encoder.output_size
        self.supertagger = nn.Sequential(
            nn.Linear(size, supertag.hidden_size),
            nn.ReLU(),
            Dropout(supertag.dropout),
            nn.Linear(supertag.hidden_size, supertag_count)
            if supertag_parts is None
            else _Composed(supertag.hidden_size, supertag_parts),
        )
        self.root = nn.Parameter(torch.randn(size) / size**0.5)
        self.edges = _edge_scorer(edge, size)
        self.operations = AdditiveScorer(
            size,
            edge.operation_size,
            operation_count,
            clip=edge.distance_clip,
            dropout=edge.content_dropout,
        )
        self._pair_width = max(edge.hidden_size, edge.operation_size)

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return self.root.device

    def states(self, batch: TokenBatch) -> tuple[Tensor, Tensor]:
        """States `[B, n, S]` of the tokens, and the same preceded by the artificial root."""
        vectors = self.embedding(batch)
        if self.pretrained is not None:
            assert batch.subwords is not None, "made by `batch` or `with_subwords`"
            vectors = torch.cat([vectors, self.pretrained(batch.subwords)], -1)
        vectors = self.dropout(vectors)
        states: Tensor = self.encoder(vectors, batch.lengths)
        root = self.root.expand(states.shape[0], 1, -1)
        return states, torch.cat([root, states], 1)

    def batch(self, sentences: Sequence[Sequence[str]]) -> TokenBatch:
        """The batch of non-empty sentences; raises InputError like `with_subwords`."""
        return self.with_subwords(self.vocabulary.batch(sentences), sentences)

    def with_subwords(self, batch: TokenBatch, sentences: Sequence[Sequence[str]]) -> TokenBatch:
        """The batch of some sentences, with subwords if there is a pretrained encoder.

        Raises:
            InputError: a sentence has too many subwords.
        """
        if self.pretrained is None:
            return batch
        return batch._replace(subwords=self.pretrained.batch(sentences))

    def problem(self, tokens: Sequence[str]) -> str | None:
        """The reason why the network cannot take a sentence, or None."""
        return None if self.pretrained is None else self.pretrained.problem(tokens)

    def forward(self, batch: TokenBatch, heads: Tensor) -> Logits:
        """Logits for a loss, given the gold heads `[B, n]` (0 is the artificial root)."""
        states, rooted = self.states(batch)
        tokens = torch.arange(1, states.shape[1] + 1, device=states.device)
        head_logits = self._heads(
            self.edges.heads(rooted), self.edges.dependents(states), tokens, batch.lengths
        )
        all_heads, dependents = self.operations.heads(rooted), self.operations.dependents(states)
        operations = self.operations.aligned(
            torch.take_along_dim(all_heads, heads[:, :, None], 1),
            dependents,
            distance_indices(heads, tokens, self.clip),
        )
        of_root = torch.arange(self.operation_count, device=states.device) < _FROM_ROOT
        operations = operations.masked_fill(of_root != (heads == 0)[:, :, None], _NEVER)
        root_distance = distance_indices(torch.zeros_like(tokens), tokens, self.clip)
        from_root = self.operations.aligned(all_heads[:, :1], dependents, root_distance)
        return Logits(
            self.supertagger(states), head_logits, operations, from_root[:, :, :_FROM_ROOT]
        )

    def _heads(self, heads: Tensor, dependents: Tensor, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Logits `[B, d, m]` of the heads 0..m-1 for the tokens `[d]` (1-based)."""
        positions = torch.arange(heads.shape[1], device=heads.device)
        distances = distance_indices(positions, tokens[:, None], self.clip)
        logits = self.edges.pairs(heads, dependents, distances)
        impossible = (positions > lengths[:, None])[:, None] | (positions == tokens[:, None])
        return logits.masked_fill(impossible, _NEVER)

    def _edges(self, states: Tensor, rooted: Tensor, lengths: Tensor) -> Tensor:
        """Log-probabilities `[B, n, n + 1, O]` of edges, computed a few dependents at a time."""
        batch_size, width, _ = states.shape
        edge_heads, edge_dependents = self.edges.heads(rooted), self.edges.dependents(states)
        heads, dependents = self.operations.heads(rooted), self.operations.dependents(states)
        positions = torch.arange(width + 1, device=states.device)
        edges = states.new_full((batch_size, width, width + 1, self.operation_count), _NEVER)
        step = max(1, CHUNK_SIZE // (batch_size * (width + 1) * self._pair_width))
        for start in range(0, width, step):
            rows = slice(start, start + step)
            tokens = positions[1:][rows]
            head_logp = self._heads(edge_heads, edge_dependents[:, rows], tokens, lengths)
            head_logp = head_logp.log_softmax(-1)[:, :, :, None]
            distances = distance_indices(positions, tokens[:, None], self.clip)
            logits = self.operations.pairs(heads, dependents[:, rows], distances)
            part = edges[:, rows]
            of_root = logits[:, :, :1, :_FROM_ROOT]
            torch.add(of_root.log_softmax(-1), head_logp[:, :, :1], out=part[:, :, :1, :_FROM_ROOT])
            if self.operation_count > _FROM_ROOT:
                others = logits[:, :, 1:, _FROM_ROOT:]
                constant = head_logp[:, :, 1:] - others.logsumexp(-1, keepdim=True)
                torch.add(others, constant, out=part[:, :, 1:, _FROM_ROOT:])
        return edges

    @torch.inference_mode()
    def score(self, sentences: Sequence[Sequence[str]]) -> list[Scores]:
        """Score sentences in batches of similar length; results in input order.

        The result of a sentence of n tokens takes O(n^2 O) memory; scoring takes
        only a few chunks of `CHUNK_SIZE` floats more. Dropout is off.
        """
        was_training = self.training
        self.eval()
        found: list[Scores | None] = [None] * len(sentences)
        try:
            for members in self._batches([len(tokens) for tokens in sentences]):
                batch = self.batch([sentences[i] for i in members]).to(self.device)
                states, rooted = self.states(batch)
                supertags = self.supertagger(states).log_softmax(-1).cpu().numpy()
                edges = self._edges(states, rooted, batch.lengths).cpu().numpy()
                for row, i in enumerate(members):
                    n = len(sentences[i])
                    found[i] = Scores(
                        np.ascontiguousarray(supertags[row, :n]),
                        np.ascontiguousarray(edges[row, :n, : n + 1]),
                    )
        finally:
            self.train(was_training)
        empty = Scores(
            np.zeros((0, self.supertag_count), np.float32),
            np.zeros((0, 1, self.operation_count), np.float32),
        )
        return [empty if scores is None else scores for scores in found]

    def _batches(self, lengths: Sequence[int]) -> Iterable[list[int]]:
        """Indices of non-empty sentences, in batches of similar length and bounded area."""
        batch: list[int] = []
        for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
            area = lengths[i] * (lengths[i] + 1) * self._pair_width
            if batch and (len(batch) + 1) * area > CHUNK_SIZE:
                yield batch
                batch = []
            if lengths[i]:
                batch.append(i)
        if batch:
            yield batch


class _Composed(nn.Module):
    """Scores `[..., K]` of supertags, each the sum of the scores of its parts."""

    parts: Tensor

    def __init__(self, size: int, supertag_parts: Sequence[Sequence[int]]) -> None:
        super().__init__()
        part_count = 1 + max(part for parts in supertag_parts for part in parts)
        has_part = torch.zeros(part_count, len(supertag_parts))
        for k, parts in enumerate(supertag_parts):
            has_part[list(parts), k] = 1
        self.register_buffer("parts", has_part, persistent=False)
        self.score = nn.Linear(size, part_count)

    def forward(self, hidden: Tensor) -> Tensor:
        part_scores: Tensor = self.score(hidden)
        return part_scores @ self.parts


def _encoder(settings: EncoderSettings, pretrained_size: int) -> Encoder:
    size = settings.word_size + pretrained_size
    if settings.type == "bilstm":
        return bilstm_encoder(settings, size)
    from amparser.nn.allennlp_layers import allennlp_encoder

    return allennlp_encoder(settings, size)


def _edge_scorer(settings: EdgeSettings, size: int) -> PairScorer:
    dropout = settings.content_dropout
    if settings.type == "additive":
        return AdditiveScorer(
            size, settings.hidden_size, 1, clip=settings.distance_clip, dropout=dropout
        )
    if settings.type == "biaffine":
        return BiaffineScorer(size, settings.hidden_size, dropout=dropout)
    from amparser.nn.allennlp_layers import allennlp_edge_scorer

    return allennlp_edge_scorer(settings, size)
