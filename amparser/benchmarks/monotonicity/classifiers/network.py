"""Two sentences with the same encoder, and a classifier with one hidden layer above both.

The classifier sees [p; h; |p - h|; p * h] (Mou et al. 2016, section 3; Conneau et al. 2017, figure
1). The TreeLSTM is that of Tai, Socher & Manning 2015, with words only at the leaves: `binary` is
their N-ary one with N = 2 (equations 9 to 14), `child-sum` that of section 3.1 (equations 2 to 8).
Its trees are binary constituent trees, from the derivations of the grammar; a rule with more than
two parts branches to the right, one with a single part adds no node:

    no dogs that hit some cats ran .    ((no (dogs (that (hit (some cats))))) ran)

The paper of the benchmark (section 3.2) leaves the classifier open, and takes dependency trees and
an undefined variant of Tran & Cheng 2018.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias, cast

import torch
from torch import Tensor, nn

from amparser.baselines.vocabulary import PADDING, UNKNOWN
from amparser.benchmarks.monotonicity.classifiers.classifier import EncoderSizes
from amparser.grammar.chart import string_sequence
from amparser.grammar.irtg import Derivation

Tree: TypeAlias = str | tuple["Tree", "Tree"]
"""A word, or two trees side by side."""

_END = "."


def tree_of(derivation: Derivation) -> Tree:
    """The binary tree over the words of a sentence, without the point at its end."""
    parts: list[Tree] = []
    for part in string_sequence(derivation.rule):
        if isinstance(part, int):
            parts.append(tree_of(derivation.children[part]))
        elif part != _END:
            parts.append(part)
    tree = parts.pop()
    while parts:
        tree = (parts.pop(), tree)
    return tree


class Levels(NamedTuple):
    """The nodes of some trees by height, numbered from 0: words first, then upwards.

    Attributes:
        words: `[W]` int64, ids of the words of height 0.
        children: for each height from 1 `[K, 2]` int64, the numbers of both children.
        roots: `[S]` int64, the number of each tree's root.
    """

    words: Tensor
    children: list[Tensor]
    roots: Tensor

    def to(self, device: torch.device) -> Levels:
        """The same on a device."""
        children = [level.to(device) for level in self.children]
        return Levels(self.words.to(device), children, self.roots.to(device))


class Forest:
    """All different subtrees of some sentences, each kept once.

    Premise and hypothesis mostly consist of the same phrases, and so do sentences of one batch:
    shared phrases need to be computed only once.
    """

    def __init__(self) -> None:
        self._numbers: dict[int | tuple[int, int], int] = {}
        self._nodes: list[int | tuple[int, int]] = []  # the id of a word, or both children
        self._height: list[int] = []
        self._below: dict[int, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self._nodes)

    def add(self, tree: Tree, ids: dict[str, int], unknown: int) -> int:
        """The number of a tree; its words have the given ids, or else the id `unknown`."""
        node: int | tuple[int, int]
        if isinstance(tree, str):
            node, height = ids.get(tree, unknown), 0
        else:
            left, right = node = (self.add(tree[0], ids, unknown), self.add(tree[1], ids, unknown))
            height = 1 + max(self._height[left], self._height[right])
        if node not in self._numbers:
            self._numbers[node] = len(self)
            self._nodes.append(node)
            self._height.append(height)
        return self._numbers[node]

    def below(self, root: int) -> tuple[int, ...]:
        """The numbers of a tree's different subtrees, including itself."""
        if root not in self._below:
            seen, agenda = {root}, [root]
            while agenda:
                node = self._nodes[agenda.pop()]
                if isinstance(node, tuple):
                    agenda += set(node) - seen
                    seen.update(node)
            self._below[root] = tuple(seen)
        return self._below[root]

    def levels(self, roots: Sequence[int]) -> Levels:
        """The nodes of trees, shared ones once; O(n log n) in their number."""
        found = {number for root in set(roots) for number in self.below(root)}
        order = sorted(found, key=lambda number: (self._height[number], number))
        places = {number: place for place, number in enumerate(order)}
        words: list[int] = []
        children: list[list[tuple[int, int]]] = []
        for number in order:
            node = self._nodes[number]
            if isinstance(node, int):
                words.append(node)
                continue
            if self._height[number] > len(children):
                children.append([])
            children[-1].append((places[node[0]], places[node[1]]))
        tops = torch.tensor([places[root] for root in roots])
        return Levels(torch.tensor(words), [torch.tensor(level) for level in children], tops)


class WordEmbedding(nn.Module):
    """Embeddings of words; in training some words are replaced by UNKNOWN."""

    def __init__(self, sizes: EncoderSizes, vocabulary_size: int) -> None:
        super().__init__()
        self.rate = sizes.unknown
        self.table = nn.Embedding(vocabulary_size, sizes.embedding_size, padding_idx=PADDING)
        self.dropout = nn.Dropout(sizes.dropout)

    def forward(self, words: Tensor) -> Tensor:
        """Vectors `[..., E]` of ids `[...]`; a batch replaces a word everywhere or nowhere."""
        if self.training and self.rate:
            ids = torch.arange(self.table.num_embeddings)
            replaced = (torch.rand(len(ids)) < self.rate) & (ids != PADDING)
            words = ids.masked_fill(replaced, UNKNOWN).to(words.device)[words]
        return cast("Tensor", self.dropout(self.table(words)))


class SentenceEncoder(nn.Module, ABC):
    """A network from a batch of sentences to their representations."""

    def __init__(self, sizes: EncoderSizes, vocabulary_size: int) -> None:
        super().__init__()
        self.embedding = WordEmbedding(sizes, vocabulary_size)

    @abstractmethod
    def forward(self, *batch: Any) -> Tensor:
        """The representations `[S, H]`."""


class LSTMEncoder(SentenceEncoder):
    """Three layers in the paper, in one direction; the last state of the last one."""

    def __init__(self, sizes: EncoderSizes, vocabulary_size: int) -> None:
        super().__init__(sizes, vocabulary_size)
        self.lstm = nn.LSTM(
            sizes.embedding_size,
            sizes.hidden_size,
            num_layers=sizes.layers,
            # torch warns if dropout between layers is asked for and there is only one.
            dropout=sizes.dropout if sizes.layers > 1 else 0.0,
            batch_first=True,
        )

    def forward(self, *batch: Any) -> Tensor:
        """States `[S, H]` of word ids `[S, n]`, padded at the end, and lengths `[S]`."""
        words, lengths = batch
        states, _ = self.lstm(self.embedding(words))
        last: Tensor = states[torch.arange(len(words), device=words.device), lengths - 1]
        return last


class TreeLSTMEncoder(SentenceEncoder):
    """The state of a tree's root represents the sentence.

    All nodes of one height, of all trees of a batch, are computed at once.
    """

    def __init__(self, sizes: EncoderSizes, vocabulary_size: int) -> None:
        super().__init__(sizes, vocabulary_size)
        size = sizes.hidden_size
        self.leaf = nn.Linear(sizes.embedding_size, 3 * size)
        self.by_side = sizes.composition == "binary"
        if self.by_side:
            self.node = nn.Linear(2 * size, 5 * size)
            forget = self.node.bias[3 * size :]
        else:
            self.node = nn.Linear(size, 3 * size)
            self.forget = nn.Linear(size, size)
            forget = self.forget.bias
        # Otherwise words would initially have little effect on the root (Jozefowicz et al. 2015).
        nn.init.ones_(forget)

    def forward(self, *batch: Any) -> Tensor:
        """States `[S, H]` of the words, children and roots of `Levels`, as tensors."""
        words, children, roots = batch
        gate, out, update = self.leaf(self.embedding(words)).chunk(3, 1)
        cells = gate.sigmoid() * update.tanh()
        states = out.sigmoid() * cells.tanh()
        for level in children:
            new_states, new_cells = self.composed(states[level], cells[level])
            states = torch.cat([states, new_states])
            cells = torch.cat([cells, new_cells])
        found: Tensor = states[roots]
        return found

    def composed(self, states: Tensor, cells: Tensor) -> tuple[Tensor, Tensor]:
        """State and cell `[K, H]` of nodes from those of both children, `[K, 2, H]`."""
        if self.by_side:
            gate, out, update, left, right = self.node(states.flatten(1)).chunk(5, 1)
            forget = torch.stack([left, right], 1)
        else:
            gate, out, update = self.node(states.sum(1)).chunk(3, 1)
            forget = self.forget(states)
        cell = gate.sigmoid() * update.tanh() + (forget.sigmoid() * cells).sum(1)
        return out.sigmoid() * cell.tanh(), cell


class PairNetwork(nn.Module):
    """An encoder and the classifier above it."""

    def __init__(self, encoder: SentenceEncoder, sizes: EncoderSizes) -> None:
        super().__init__()
        self.encoder = encoder
        self.classifier = nn.Sequential(
            nn.Dropout(sizes.dropout),
            nn.Linear(4 * sizes.hidden_size, sizes.classifier_size),
            nn.ReLU(),
            nn.Dropout(sizes.dropout),
            nn.Linear(sizes.classifier_size, 2),
        )

    def forward(self, states: Tensor, pairs: Tensor) -> Tensor:
        """Logits `[B, 2]` of pairs `[B, 2]`, the numbers of premise and hypothesis in `[S, H]`."""
        premise, hypothesis = states[pairs[:, 0]], states[pairs[:, 1]]
        features = (premise, hypothesis, (premise - hypothesis).abs(), premise * hypothesis)
        return cast("Tensor", self.classifier(torch.cat(features, 1)))
