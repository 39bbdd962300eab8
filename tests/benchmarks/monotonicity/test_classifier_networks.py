"""Networks of the pair classifiers: batching does not change their scores."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
import torch
from torch import Tensor
from toy_pairs import toy_pairs

from amparser.baselines.vocabulary import SPECIAL, words_of
from amparser.benchmarks.monotonicity.classifiers.scratch import (
    EncoderSizes,
    LSTMEncoder,
    ScratchClassifier,
    Tree,
    TreeLSTMEncoder,
    lowered,
    tree_of,
)
from amparser.benchmarks.monotonicity.reading import derivation_of
from amparser.corpora.tokens import tokenize

SYSTEMS = {"pair-lstm": LSTMEncoder, "pair-treelstm": TreeLSTMEncoder}
SIZES = EncoderSizes(hidden_size=12, embedding_size=10, classifier_size=8, unknown=0.0)
WORDS = range(SPECIAL, SPECIAL + 4)
LONG = (
    "Some dogs ran.",
    "At least three small foxes which few lions in the area touched ran and walked.",
    "No lion less than three monkeys which ate dinner licked waltzed.",
)


def leaves(tree: Tree) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    else:
        for child in tree:
            yield from leaves(child)


def random_tree(random: Random, size: int) -> Tree:
    if size == 1:
        return random.choice(WORDS)
    left = random.randint(1, size - 1)
    return random_tree(random, left), random_tree(random, size - left)


def reference(encoder: TreeLSTMEncoder, tree: Tree) -> tuple[Tensor, Tensor]:
    """Return state `[H]` and cell `[H]`, computed recursively (Tai et al. 2015)."""
    size = encoder.leaf.out_features // 3
    if isinstance(tree, int):
        x = encoder.table.weight[tree]
        i, o, u = (encoder.leaf.weight @ x + encoder.leaf.bias).split(size)
        cell = torch.sigmoid(i) * torch.tanh(u)
        return torch.sigmoid(o) * torch.tanh(cell), cell
    (h1, c1), (h2, c2) = (reference(encoder, child) for child in tree)
    both = encoder.node.weight @ torch.cat([h1, h2]) + encoder.node.bias
    i, o, u, f1, f2 = both.split(size)
    cell = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(f1) * c1 + torch.sigmoid(f2) * c2
    return torch.sigmoid(o) * torch.tanh(cell), cell


def encoder_of() -> TreeLSTMEncoder:
    torch.manual_seed(1)
    return TreeLSTMEncoder(SIZES, SPECIAL + len(WORDS))


def test_batched_tree_lstm_equals_the_recursive_one() -> None:
    """States and gradients are equal."""
    encoder = encoder_of()
    random = Random(1)
    trees = [random_tree(random, random.randint(1, 14)) for _ in range(60)]
    trees += trees[:5]
    parameters = list(encoder.parameters())
    for chosen in (range(len(trees)), [3, 8, 11, 20, 31], [3], [7, 3, 7]):
        found = encoder([trees[i] for i in chosen])
        expected = torch.stack([reference(encoder, trees[i])[0] for i in chosen])
        torch.testing.assert_close(found, expected)
        if len(chosen) > 3:
            sums = (found.square().sum(), expected.square().sum())
            gradients = [torch.autograd.grad(one, parameters) for one in sums]
            for left, right in zip(*gradients, strict=True):
                torch.testing.assert_close(left, right)


def read(tokens: tuple[str, ...]) -> Tree:
    return tree_of(derivation_of(tokens))


def test_trees_have_the_words_of_the_sentence() -> None:
    assert read(tokenize("No dogs that hit some cats escaped.")) == read(
        tokenize("No dogs that hit some cats escaped")
    )
    assert read(tokenize("No small dogs ran.")) == (("no", ("small", "dogs")), "ran")
    texts = [*LONG, *(text for pair in toy_pairs() for text in pair[:2])]
    for tokens in map(tokenize, texts):
        assert tuple(leaves(read(tokens))) == lowered(tokens)


def classifier(system: str, **changes: object) -> ScratchClassifier:
    torch.manual_seed(3)
    words = words_of(lowered(tokenize(text)) for text in LONG)
    sizes = replace(SIZES, **changes)
    found = ScratchClassifier(SYSTEMS[system], sizes, {"vocabulary": words})  # type: ignore[arg-type]
    found.network.eval()
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_scores_do_not_depend_on_the_rest_of_the_batch(system) -> None:
    model = classifier(system)
    rows = [model.read(tokenize(one), tokenize(other)) for one in LONG for other in LONG]
    together = model.scores(rows)
    alone = torch.cat([model.scores([row]) for row in rows])
    torch.testing.assert_close(together, alone)
    assert together.std(0).min() > 1e-4


@pytest.mark.parametrize("system", SYSTEMS)
def test_words_are_replaced_only_in_training(system) -> None:
    model = classifier(system, unknown=0.3)
    rows = [model.read(tokenize(LONG[1]), tokenize(LONG[2]))]
    assert torch.equal(model.scores(rows), model.scores(rows))
    model.network.train()
    outputs = {tuple(model.scores(rows)[0].tolist()) for _ in range(8)}
    assert len(outputs) > 4
