"""The network: words in context to scores of tags, fillers, arcs, labels and boxes.

A token is embedded by its word, by the n-grams of its letters and by its shape; a bidirectional
LSTM reads the sentence. Tags, introduced boxes and what fills slots are scored for each token
alone; arcs by a biaffine form (Dozat & Manning 2017); labels by a hidden layer over both ends,
which also sees their tags and fillers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from amparser.layered.settings import LayeredHeadSettings
from amparser.nn.dropout import Dropout
from amparser.nn.encoders.encoder import Encoder

_PADDING = 0
_NEAR_SIZE = 64
_DISTANCE = 8
_TAG_SIZE = 48
LEVELS = 3
"""So many boxes of one token are told apart."""


@dataclass(frozen=True)
class Sizes:
    """How many classes there are of each kind."""

    tags: int
    labels: int
    introduced: int
    fillers: int
    texts: int
    scripts: int
    auxiliary: Sequence[int] = ()


class Biaffine(nn.Module):
    """Scores of pairs: `[B, N, D]` and `[B, M, D]` to `[B, N, M]`, the dependent first."""

    def __init__(self, size: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.dependent = nn.Linear(size, hidden)
        self.head = nn.Linear(size, hidden)
        self.weight = nn.Parameter(torch.empty(hidden, hidden))
        self.bias = nn.Linear(hidden, 1)
        self.dropout = Dropout(dropout)
        nn.init.xavier_uniform_(self.weight)

    def forward(self, dependents: Tensor, heads: Tensor) -> Tensor:
        """As in the docstring of the class."""
        below = self.dropout(torch.relu(self.dependent(dependents)))
        above = self.dropout(torch.relu(self.head(heads)))
        scores: Tensor = below @ self.weight @ above.transpose(1, 2)
        scores = scores + self.bias(above).transpose(1, 2)
        return scores


class Labeller(nn.Module):
    """Scores of labels given both ends, their tags and fillers, and their distance."""

    def __init__(self, size: int, sizes: Sizes, settings: LayeredHeadSettings) -> None:
        super().__init__()
        hidden = settings.label_size
        self.above = nn.Linear(size, hidden)
        self.below = nn.Linear(size, hidden)
        self.tag_above = nn.Embedding(sizes.tags + 1, hidden)
        self.tag_below = nn.Embedding(sizes.tags + 1, hidden)
        width = settings.filler_size
        self.fillers = nn.Embedding(sizes.fillers + 1, width, padding_idx=_PADDING)
        self.texts = nn.Embedding(sizes.texts + 1, width, padding_idx=_PADDING)
        self.filler_above = nn.Linear(width, hidden, bias=False)
        self.filler_below = nn.Linear(width, hidden, bias=False)
        self.distance = nn.Embedding(2 * _DISTANCE + 1, hidden)
        self.out = nn.Linear(hidden, sizes.labels)
        self.dropout = Dropout(settings.dropout)
        nn.init.normal_(self.fillers.weight, std=0.3)
        nn.init.normal_(self.texts.weight, std=0.3)
        for table in (self.tag_above, self.tag_below):
            nn.init.normal_(table.weight, std=0.1)
        nn.init.normal_(self.distance.weight, std=0.1)

    def forward(self, above: Tensor, below: Tensor, ends: Tensor, distance: Tensor) -> Tensor:
        """`[P, labels]`.

        Args:
            above, below: `[P, D]`, the states of head and dependent.
            ends: `[P, 6]`, tag, filler and its text of the head, and of the dependent.
            distance: `[P]`, from the dependent to the head.
        """
        near = distance.clamp(-_DISTANCE, _DISTANCE) + _DISTANCE
        hidden = (
            self.above(above)
            + self.below(below)
            + self.tag_above(ends[:, 0])
            + self.filler_above(self.fillers(ends[:, 1]) + self.texts(ends[:, 2]))
            + self.tag_below(ends[:, 3])
            + self.filler_below(self.fillers(ends[:, 4]) + self.texts(ends[:, 5]))
            + self.distance(near)
        )
        scores: Tensor = self.out(self.dropout(torch.relu(hidden)))
        return scores


class LayeredNetwork(nn.Module):
    """See the module's docstring."""

    def __init__(
        self, encoder: Encoder, sizes: Sizes, settings: LayeredHeadSettings, texts: Sequence[int]
    ) -> None:
        super().__init__()
        self.encoder, self.sizes, self.settings = encoder, sizes, settings
        size, both = encoder.embedding_size, encoder.state_size
        self.dropout = Dropout(settings.dropout)
        self.hidden = nn.Linear(both + size, settings.label_size)
        self.tags = nn.Linear(settings.label_size, sizes.tags)
        self.introduced = nn.Linear(both, sizes.introduced)
        self.scripts = nn.Linear(settings.label_size, sizes.scripts)
        self.near_above = nn.Linear(size, _NEAR_SIZE, bias=False)
        self.near_below = nn.Linear(size, _NEAR_SIZE, bias=False)
        self.wanted = nn.Linear(both + size + 2 * _NEAR_SIZE, settings.label_size)
        self.query = nn.Linear(settings.label_size + size, settings.filler_size)
        self.fillers = nn.Embedding(sizes.fillers + 1, settings.filler_size)
        self.texts: Tensor
        self.register_buffer("texts", torch.tensor(texts), persistent=False)
        self.meant = nn.Embedding(sizes.texts + 1, settings.filler_size, padding_idx=_PADDING)
        self.likely = nn.Linear(sizes.tags, _TAG_SIZE, bias=False)
        self.filler_bias = nn.Embedding(sizes.fillers + 1, 1)
        self.root = nn.Parameter(torch.zeros(both))
        self.arcs = Biaffine(both + _TAG_SIZE, settings.arc_size, settings.dropout)
        self.extra = Biaffine(both, settings.arc_size // 2, settings.dropout)
        self.scope = Biaffine(both, settings.arc_size // 2, settings.dropout)
        self.scope_levels = nn.Linear(2 * both, LEVELS)
        self.above = Biaffine(both, settings.arc_size // 2, settings.dropout)
        self.above_levels = nn.Linear(2 * both, LEVELS)
        self.labeller = Labeller(both, sizes, settings)
        self.auxiliary = nn.ModuleList(nn.Linear(both, count) for count in sizes.auxiliary)
        self._start()

    def _start(self) -> None:
        """Draw the embeddings."""
        nn.init.normal_(self.fillers.weight, std=0.1)
        nn.init.normal_(self.meant.weight, std=0.1)
        nn.init.zeros_(self.filler_bias.weight)

    def forward(self, batch: Any) -> tuple[Tensor, Tensor]:
        """States `[B, 1 + N, S]`, the root's first, and embeddings `[B, N, E]`."""
        encoded = self.encoder(batch)
        states = encoded.padded(encoded.states)
        root = self.root.expand(len(states), 1, -1)
        return torch.cat([root, states], dim=1), encoded.padded(encoded.embedded)

    def classify(self, states: Tensor, embedded: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Scores of tags, scripts and introduced boxes."""
        inside = states[:, 1:]
        hidden = self.dropout(torch.relu(self.hidden(torch.cat([inside, embedded], dim=2))))
        return self.tags(hidden), self.scripts(hidden), self.introduced(inside)

    def queries(self, states: Tensor, embedded: Tensor, arcs: Tensor) -> Tensor:
        """`[B, N, F]`: what fillers are compared with.

        Args:
            states, embedded: as `forward` says.
            arcs: `[A, 3]`, sentence, token from 0 and head from 1 (0: the root) of all trees.
        """
        sentence, token, head = arcs[:, 0], arcs[:, 1], arcs[:, 2]
        above, below = self.near_above(embedded), self.near_below(embedded)
        size = (len(embedded), embedded.shape[1] + 1)
        from_head = torch.cat([torch.zeros_like(above[:, :1]), above], dim=1)[sentence, head]
        width = embedded.shape[1]
        heads = embedded.new_zeros(len(embedded) * width, _NEAR_SIZE)
        heads = heads.index_add(0, sentence * width + token, from_head)
        children = embedded.new_zeros(size[0] * size[1], _NEAR_SIZE)
        children = children.index_add(0, sentence * size[1] + head, below[sentence, token])
        near = [
            torch.relu(heads.view(len(embedded), width, -1)),
            torch.relu(children.view(*size, -1)[:, 1:]),
        ]
        known = torch.cat([states[:, 1:], embedded, *near], dim=2)
        wanted = self.dropout(torch.relu(self.wanted(known)))
        found: Tensor = self.query(torch.cat([wanted, embedded], dim=2))
        return found

    def fill(self, query: Tensor, candidates: Tensor) -> Tensor:
        """`[P, K]`: scores of candidate fillers, given queries `[P, F]`; 0 is no candidate."""
        known = self.fillers(candidates) + self.meant(self.texts[candidates])
        scores: Tensor = (known @ query[:, :, None])[:, :, 0]
        scores = scores + self.filler_bias(candidates)[:, :, 0]
        return scores.masked_fill(candidates == _PADDING, float("-inf"))

    def label(self, states: Tensor, pairs: Tensor, tags: Tensor, fillers: Tensor) -> Tensor:
        """`[P, labels]`: scores of labels of arcs.

        Args:
            states: `[B, 1 + N, D]`, the root's first.
            pairs: `[P, 3]`, sentence, token from 0 and head from 1 (0: the root).
            tags: `[B, N]`; that of the root is unknown.
            fillers: `[B, N, 2]`, those of the first slots, and their texts.
        """
        if self.training and self.settings.filler_dropout:
            # A filler goes more often than its text, since its sense is often guessed wrong.
            chance = torch.rand(fillers.shape[:2], device=fillers.device)[:, :, None]
            rate = self.settings.filler_dropout
            rates = torch.tensor([rate, rate / 2], device=fillers.device)
            fillers = fillers.masked_fill(chance < rates, 0)
        unknown = torch.full_like(tags[:, :1], self.sizes.tags)
        known = torch.cat(
            [
                torch.cat([unknown, tags.clamp(min=0)], dim=1)[:, :, None],
                torch.cat([torch.zeros_like(fillers[:, :1]), fillers], dim=1),
            ],
            dim=2,
        )
        sentence, below, above = pairs[:, 0], pairs[:, 1] + 1, pairs[:, 2]
        ends = torch.cat([known[sentence, above], known[sentence, below]], dim=1)
        found: Tensor = self.labeller(
            states[sentence, above], states[sentence, below], ends, above - below
        )
        return found

    def attach(self, states: Tensor, tags: Tensor) -> Tensor:
        """`[B, N, 1 + N]`: scores of heads, given states and scores of tags `[B, N, tags]`."""
        likely = self.likely(torch.softmax(tags.detach(), dim=-1))
        likely = torch.cat([torch.zeros_like(likely[:, :1]), likely], dim=1)
        both = torch.cat([states, likely], dim=2)
        scores: Tensor = self.arcs(both[:, 1:], both)
        return scores

    def point(self, name: str, states: Tensor) -> Tensor:
        """`[B, N, 1 + N]`: scores of the place of boxes, of `scope` or `above`."""
        scorer = self.scope if name == "scope" else self.above
        scores: Tensor = scorer(states[:, 1:], states)
        return scores

    def levels(self, name: str, below: Tensor, above: Tensor) -> Tensor:
        """`[P, LEVELS]`: which of the boxes of a token is meant, given states `[P, D]`."""
        layer = self.scope_levels if name == "scope" else self.above_levels
        scores: Tensor = layer(torch.cat([below, above], dim=1))
        return scores

    def all_levels(self, name: str, states: Tensor) -> Tensor:
        """`[B, N, 1 + N, LEVELS]`: the same of all pairs."""
        layer = self.scope_levels if name == "scope" else self.above_levels
        size = states.shape[-1]
        below = states[:, 1:] @ layer.weight[:, :size].T
        above = states @ layer.weight[:, size:].T
        scores: Tensor = below[:, :, None] + above[:, None, :] + layer.bias
        return scores
