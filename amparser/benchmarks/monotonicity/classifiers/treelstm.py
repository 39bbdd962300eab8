"""TreeLSTM over binary constituent trees (Tai, Socher & Manning 2015, section 3).

`binary` is their N-ary TreeLSTM with N = 2 (equations 9 to 14); `child-sum` is theirs of
section 3.1 (equations 2 to 8) on the same trees. Words are only at the leaves. The paper of
the benchmark has the multiplicative variant of Tran & Cheng 2018, whose transitions depend
on dependency labels. The paper does not define it, and constituents have no such labels, so
this is the plain one.

All nodes of one height, of all trees of a batch, are computed at once; a subtree that
several trees share is computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from amparser.baselines.vocabulary import SPECIAL, UNKNOWN, TokenVocabulary
from amparser.benchmarks.monotonicity.classifiers.network import (
    Sentence,
    SentenceEncoder,
    SentenceStore,
    WordEmbedding,
)
from amparser.benchmarks.monotonicity.classifiers.settings import EncoderSizes
from amparser.benchmarks.monotonicity.classifiers.trees import Forest, tree_of
from amparser.benchmarks.monotonicity.fragment import Fragment
from amparser.errors import InputError


class TreeLSTMEncoder(SentenceEncoder):
    """The state of a tree's root represents the sentence."""

    def __init__(self, sizes: EncoderSizes, vocabulary_size: int) -> None:
        super().__init__()
        size = sizes.hidden_size
        self.embedding = WordEmbedding(sizes, vocabulary_size)
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


class TreeStore(SentenceStore):
    """Sentences as numbers of trees in a forest; each sentence is parsed once."""

    def __init__(self, vocabulary: TokenVocabulary, fragment: Fragment | None = None) -> None:
        self._ids = {word: i for i, word in enumerate(vocabulary.words, SPECIAL)}
        self._fragment = fragment or Fragment()
        self._forest = Forest()
        self._roots: dict[str, int | InputError] = {}

    def add(self, tokens: Sequence[str]) -> Sentence:
        """The number of its tree; raises InputError if the grammar has none."""
        key = " ".join(tokens)
        found = self._roots.get(key)
        if found is None:
            try:
                tree = tree_of(self._fragment.derivation(tuple(tokens)))
                found = self._forest.add(tree, self._ids, UNKNOWN)
            except InputError as error:
                found = error
            self._roots[key] = found
        if isinstance(found, InputError):
            raise found
        return (found,)

    def length(self, sentence: Sentence) -> int:
        """The number of its different subtrees."""
        return len(self._forest.below(sentence[0]))

    def batch(self, sentences: Sequence[Sentence], device: torch.device) -> tuple[Any, ...]:
        """Words, children and roots, as in `Levels`."""
        words, children, roots = self._forest.levels([root for (root,) in sentences])
        return (
            torch.from_numpy(words).to(device),
            [torch.from_numpy(level).to(device) for level in children],
            torch.from_numpy(roots).to(device),
        )
