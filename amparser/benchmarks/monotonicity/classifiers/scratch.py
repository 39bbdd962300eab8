"""Pair classifiers trained from scratch: a sentence encoder with a classifier on top.

For the states p of the premise and h of the hypothesis, the classifier reads [p; h; |p - h|; p * h]
(Mou et al. 2016, section 3). The TreeLSTM is binary (Tai, Socher & Manning 2015, equations 9 to
14). Its trees come from the grammar's derivations: ((no (dogs (that (hit (some cats))))) ran).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from typing import Any, TypeAlias, cast

import torch
from torch import Tensor, nn

from amparser.baselines.system import Pair
from amparser.baselines.vocabulary import (
    PADDING,
    UNKNOWN,
    TokenVocabulary,
    padded,
    vocabulary_of,
    words_of,
)
from amparser.benchmarks.monotonicity.classifiers.classifier import (
    PairClassifier,
    PairSettings,
    PairSystem,
)
from amparser.benchmarks.monotonicity.pairs import sides
from amparser.benchmarks.monotonicity.reading import derivation_of
from amparser.errors import InputError
from amparser.grammar.chart import string_sequence
from amparser.grammar.irtg import Derivation
from amparser.learn.model_folder import Head
from amparser.nn.settings import Few, Rate, Size

Tree: TypeAlias = Any
"""A word, the id of a word, or a pair of trees."""
_END = "."


@dataclass(frozen=True, slots=True)
class EncoderSizes:
    """Sizes of the sentence encoder and of the classifier on top.

    Attributes:
        hidden_size: width of the states, including the state that represents the sentence.
        embedding_size: width of word embeddings.
        layers: number of layers of the LSTM; a TreeLSTM has one.
        classifier_size: width of the classifier's hidden layer.
        unknown: probability that a word is replaced by `<unk>` everywhere in a batch, so that the
            vector of unknown words is trained.
    """

    hidden_size: Size = 200
    embedding_size: Size = 300
    layers: Few = 3
    classifier_size: Size = 200
    unknown: Rate = 0.002


@dataclass(frozen=True, slots=True)
class ScratchSettings(PairSettings):
    """Settings of a classifier trained from scratch."""

    network: EncoderSizes = field(default_factory=EncoderSizes)


class SentenceEncoder(nn.Module):
    """Network that encodes a batch of sentences as states."""

    def __init__(self, sizes: EncoderSizes, vocabulary_size: int) -> None:
        super().__init__()
        self.unknown = sizes.unknown
        self.table = nn.Embedding(vocabulary_size, sizes.embedding_size, padding_idx=PADDING)

    def embedded(self, words: Tensor) -> Tensor:
        """Return the vectors `[..., E]` of ids; in training, some words become `<unk>`."""
        words = words.to(self.table.weight.device)
        if self.training and self.unknown:
            ids = torch.arange(self.table.num_embeddings)
            replaced = (torch.rand(len(ids)) < self.unknown) & (ids != PADDING)
            words = ids.masked_fill(replaced, UNKNOWN).to(words.device)[words]
        return cast("Tensor", self.table(words))


class LSTMEncoder(SentenceEncoder):
    """LSTM; the last state of the last layer represents the sentence."""

    def __init__(self, sizes: EncoderSizes, vocabulary_size: int) -> None:
        super().__init__(sizes, vocabulary_size)
        self.lstm = nn.LSTM(
            sizes.embedding_size, sizes.hidden_size, num_layers=sizes.layers, batch_first=True
        )

    def read(self, tokens: Sequence[str], vocabulary: TokenVocabulary) -> tuple[int, ...]:
        """Return the ids of the words. Raises InputError if there are none."""
        if not (words := lowered(tokens)):
            raise InputError("expected a sentence, found only punctuation")
        return tuple(vocabulary.ids(words))

    def forward(self, sentences: Sequence[tuple[int, ...]]) -> Tensor:
        """Return states `[S, H]` of S sentences, given as word ids."""
        states, _ = self.lstm(self.embedded(padded(sentences)))
        last: Tensor = states[
            torch.arange(len(sentences)), [len(sentence) - 1 for sentence in sentences]
        ]
        return last


class TreeLSTMEncoder(SentenceEncoder):
    """TreeLSTM; the root's state represents the sentence."""

    def __init__(self, sizes: EncoderSizes, vocabulary_size: int) -> None:
        super().__init__(sizes, vocabulary_size)
        size = sizes.hidden_size
        self.leaf = nn.Linear(sizes.embedding_size, 3 * size)
        self.node = nn.Linear(2 * size, 5 * size)
        # Forget bias 1, as recommended by Jozefowicz et al. (2015).
        nn.init.ones_(self.node.bias[3 * size :])

    def read(self, tokens: Sequence[str], vocabulary: TokenVocabulary) -> Tree:
        """Return the tree of a sentence with word ids as leaves."""

        def numbered(tree: Tree) -> Tree:
            return vocabulary.ids([tree])[0] if isinstance(tree, str) else (*map(numbered, tree),)

        return numbered(parsed(tuple(tokens)))

    def forward(self, sentences: Sequence[Tree]) -> Tensor:
        """Return states `[S, H]` of S trees."""
        heights = heights_of(sentences)
        order = sorted(heights, key=lambda tree: heights[tree])
        numbers = {tree: number for number, tree in enumerate(order)}
        words = torch.tensor([tree for tree in order if not heights[tree]])
        gate, out, update = self.leaf(self.embedded(words)).chunk(3, 1)
        cells = gate.sigmoid() * update.tanh()
        states = out.sigmoid() * cells.tanh()
        for height in range(1, 1 + max(heights.values())):
            children = torch.tensor(
                [[numbers[child] for child in tree] for tree in order if heights[tree] == height]
            )
            gate, out, update, *forget = self.node(states[children].flatten(1)).chunk(5, 1)
            kept = (torch.stack(forget, 1).sigmoid() * cells[children]).sum(1)
            cell = gate.sigmoid() * update.tanh() + kept
            states = torch.cat([states, out.sigmoid() * cell.tanh()])
            cells = torch.cat([cells, cell])
        roots: Tensor = states[torch.tensor([numbers[tree] for tree in sentences])]
        return roots


def heights_of(trees: Sequence[Tree]) -> dict[Tree, int]:
    """Return the height of each distinct subtree of some trees; words have height 0."""
    heights: dict[Tree, int] = {}

    def visit(tree: Tree) -> int:
        if tree not in heights:
            heights[tree] = 1 + max(map(visit, tree)) if isinstance(tree, tuple) else 0
        return heights[tree]

    for tree in trees:
        visit(tree)
    return heights


@lru_cache(2**16)
def parsed(tokens: tuple[str, ...]) -> Tree:
    """Return the tree of a sentence. Raises InputError if the grammar rejects it."""
    return tree_of(derivation_of(tokens))


def tree_of(derivation: Derivation) -> Tree:
    """Return the right-branching binary tree over the words, without the final period."""
    parts = [
        tree_of(derivation.children[part]) if isinstance(part, int) else part
        for part in string_sequence(derivation.rule)
        if part != _END
    ]
    return reduce(lambda right, left: (left, right), reversed(parts))


def lowered(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the tokens in lower case; omit periods."""
    return tuple(token.lower() for token in tokens if token != _END)


class ScratchClassifier(PairClassifier):
    """Network with its vocabulary; weights are drawn from torch's global generator."""

    def __init__(
        self, encoder: Callable[..., Any], sizes: EncoderSizes, content: Mapping[str, Any]
    ) -> None:
        self.vocabulary = vocabulary_of(content, "vocabulary")
        self.encoder = encoder(sizes, len(self.vocabulary))
        self.classifier = nn.Sequential(
            nn.Linear(4 * sizes.hidden_size, sizes.classifier_size),
            nn.ReLU(),
            nn.Linear(sizes.classifier_size, 2),
        )
        network = nn.ModuleDict({"encoder": self.encoder, "classifier": self.classifier})
        super().__init__(network, sizes.hidden_size)

    def read(self, premise: Sequence[str], hypothesis: Sequence[str]) -> tuple[Any, Any]:
        """See the base class."""
        encoded = []
        for name, tokens in (("premise", premise), ("hypothesis", hypothesis)):
            try:
                encoded.append(self.encoder.read(tokens, self.vocabulary))
            except InputError as error:
                raise InputError(f"{name}: {error}") from None
        return encoded[0], encoded[1]

    def scores(self, rows: Sequence[tuple[Any, Any]]) -> Tensor:
        """See the base class. A repeated sentence is encoded only once."""
        numbers = {s: i for i, s in enumerate(dict.fromkeys(s for row in rows for s in row))}
        states = self.encoder(list(numbers))
        premise, hypothesis = (states[[numbers[row[side]] for row in rows]] for side in (0, 1))
        features = (premise, hypothesis, (premise - hypothesis).abs(), premise * hypothesis)
        return cast("Tensor", self.classifier(torch.cat(features, 1)))

    def to_dict(self) -> dict[str, Any]:
        """Return the vocabulary."""
        return {"vocabulary": list(self.vocabulary.words)}


class ScratchPairSystem(PairSystem):
    """System whose classifier is trained from scratch."""

    def __init__(self, name: str, about: str, encoder: Callable[..., Any]) -> None:
        super().__init__(name, about, ScratchSettings())
        self.encoder = encoder

    def fresh(self, settings: ScratchSettings, pairs: Sequence[Pair]) -> ScratchClassifier:
        """Return an untrained classifier with the words of the pairs as vocabulary."""
        words = words_of(lowered(part) for pair in pairs for part in sides(pair.tokens))
        return ScratchClassifier(self.encoder, settings.network, {"vocabulary": words})

    def rebuilt(self, settings: ScratchSettings, head: Head) -> ScratchClassifier:
        """See the base class."""
        return ScratchClassifier(self.encoder, settings.network, head.content)


PAIR_LSTM = ScratchPairSystem("pair-lstm", "an LSTM over premise and hypothesis", LSTMEncoder)
PAIR_TREELSTM = ScratchPairSystem(
    "pair-treelstm", "a TreeLSTM over premise and hypothesis", TreeLSTMEncoder
)
