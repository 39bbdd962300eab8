"""Networks over pairs: what they compute does not depend on how it is batched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import torch
from monotonicity_data import DEPTHS, read_pairs
from torch import Tensor
from toy_pairs import toy_pairs

from amparser.baselines.vocabulary import SPECIAL, UNKNOWN, vocabulary_of
from amparser.benchmarks.monotonicity.classifiers import scratch
from amparser.benchmarks.monotonicity.classifiers.classifier import Composition, EncoderSizes
from amparser.benchmarks.monotonicity.classifiers.network import (
    Forest,
    Tree,
    TreeLSTMEncoder,
    tree_of,
)
from amparser.benchmarks.monotonicity.classifiers.scratch import (
    ScratchClassifier,
    TreeClassifier,
    WordClassifier,
    read_vectors,
    words_of,
)
from amparser.benchmarks.monotonicity.reading import derivation_of
from amparser.corpora.tokens import tokenize
from amparser.errors import InputError
from amparser.grammar.irtg import Derivation

torch.set_num_threads(1)

SYSTEMS = {"pair-lstm": WordClassifier, "pair-treelstm": TreeClassifier}
COMPOSITIONS: tuple[Composition, ...] = ("binary", "child-sum")
SIZES = EncoderSizes(hidden_size=12, embedding_size=10, classifier_size=8, unknown=0.0)
WORDS = ("a", "b", "c", "d")
LONG = (
    "Some dogs ran.",
    "At least three small foxes which few lions in the area touched ran and walked.",
    "No lion less than three monkeys which ate dinner licked waltzed.",
)


def leaves(tree: Tree) -> Iterator[str]:
    """The words of a tree, from left to right."""
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


def reference(encoder: TreeLSTMEncoder, tree: Tree, ids: dict[str, int]) -> tuple[Tensor, Tensor]:
    """Tai et al. 2015, one node at a time: state and cell `[H]`."""
    size = encoder.leaf.out_features // 3
    if isinstance(tree, str):
        x = encoder.embedding.table.weight[ids[tree]]
        i, o, u = (encoder.leaf.weight @ x + encoder.leaf.bias).split(size)
        cell = torch.sigmoid(i) * torch.tanh(u)
        return torch.sigmoid(o) * torch.tanh(cell), cell
    (h1, c1), (h2, c2) = (reference(encoder, child, ids) for child in tree)
    if encoder.by_side:
        both = encoder.node.weight @ torch.cat([h1, h2]) + encoder.node.bias
        i, o, u, f1, f2 = both.split(size)
    else:
        i, o, u = (encoder.node.weight @ (h1 + h2) + encoder.node.bias).split(size)
        f1, f2 = (encoder.forget.weight @ h + encoder.forget.bias for h in (h1, h2))
    cell = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(f1) * c1 + torch.sigmoid(f2) * c2
    return torch.sigmoid(o) * torch.tanh(cell), cell


IDS = {word: SPECIAL + i for i, word in enumerate(WORDS)}


def encoder_of(composition: Composition) -> TreeLSTMEncoder:
    torch.manual_seed(1)
    return TreeLSTMEncoder(replace(SIZES, composition=composition), SPECIAL + len(WORDS))


def by_levels(encoder: TreeLSTMEncoder, forest: Forest, roots: Sequence[int]) -> Tensor:
    found: Tensor = encoder(*forest.levels(roots))
    return found


@pytest.mark.parametrize("composition", COMPOSITIONS)
def test_tree_lstm_by_levels_equals_the_recursive_one(composition: Composition) -> None:
    """States are the same, and so are gradients."""
    encoder = encoder_of(composition)
    random = Random(1)
    trees = [random_tree(random, random.randint(1, 14)) for _ in range(60)]
    trees += trees[:5]
    forest = Forest()
    roots = [forest.add(tree, IDS, UNKNOWN) for tree in trees]
    parameters = list(encoder.parameters())
    for chosen in (range(len(trees)), [3, 8, 11, 20, 31], [3], [7, 3, 7]):
        found = by_levels(encoder, forest, [roots[i] for i in chosen])
        expected = torch.stack([reference(encoder, trees[i], IDS)[0] for i in chosen])
        torch.testing.assert_close(found, expected)
        if len(chosen) > 3:
            sums = (found.square().sum(), expected.square().sum())
            gradients = [torch.autograd.grad(one, parameters) for one in sums]
            for left, right in zip(*gradients, strict=True):
                torch.testing.assert_close(left, right)


def test_shared_subtrees_are_kept_once() -> None:
    forest = Forest()
    phrase: Tree = (("a", "b"), "c")
    first = forest.add((phrase, phrase), {}, UNKNOWN)
    assert len(forest) == 4  # one unknown word, three phrases
    assert forest.add((phrase, phrase), {}, UNKNOWN) == first
    words, children, roots = forest.levels([first, first])
    assert words.tolist() == [UNKNOWN]
    assert [level.shape for level in children] == [(1, 2)] * 3
    assert roots.tolist() == [3, 3]


def read(tokens: tuple[str, ...]) -> Tree:
    return tree_of(derivation_of(tokens))


def test_trees_have_the_words_of_the_sentence() -> None:
    assert read(tokenize("No dogs that hit some cats escaped.")) == read(
        tokenize("No dogs that hit some cats escaped")
    )
    assert read(tokenize("No small dogs ran.")) == (("no", ("small", "dogs")), "ran")
    texts = [*LONG, *(text for pair in toy_pairs() for text in pair[:2])]
    for tokens in map(tokenize, texts):
        assert tuple(leaves(read(tokens))) == words_of(tokens)


def test_published_sentences_have_trees(data_dir: Path) -> None:
    for depth in DEPTHS:
        for pair in read_pairs(data_dir, depth, step=100):
            tokens = tokenize(pair.premise)
            assert tuple(leaves(read(tokens))) == words_of(tokens)


def test_each_sentence_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Sequence[str]] = []

    def counting(tokens: Sequence[str]) -> Derivation:
        calls.append(tokens)
        return derivation_of(tokens)

    monkeypatch.setattr(scratch, "derivation_of", counting)
    store = TreeClassifier(SIZES, vocabulary_of([("some", "dogs", "ran")]))
    for _ in range(3):
        store.sentence(("Some", "dogs", "ran"))
        with pytest.raises(InputError, match="unknown word 'barked'"):
            store.sentence(("Some", "dogs", "barked"))
    assert len(calls) == 2


def classifier(system: str, **changes: object) -> ScratchClassifier:
    torch.manual_seed(3)
    vocabulary = vocabulary_of(words_of(tokenize(text)) for text in LONG)
    found = SYSTEMS[system](replace(SIZES, **changes), vocabulary)  # type: ignore[arg-type]
    found.network.eval()
    return found


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("composition", COMPOSITIONS)
def test_what_else_is_in_the_batch_changes_nothing(system: str, composition: Composition) -> None:
    model = classifier(system, composition=composition)
    rows = [model.read(tokenize(one), tokenize(other)) for one in LONG for other in LONG]
    together = model.scores(rows)
    alone = torch.cat([model.scores([row]) for row in rows])
    torch.testing.assert_close(together, alone)
    assert together.std(0).min() > 1e-4


def test_binary_composition_tells_left_from_right_and_child_sum_does_not() -> None:
    for composition in COMPOSITIONS:
        forest = Forest()
        tops = [forest.add(tree, IDS, UNKNOWN) for tree in (("a", "b"), ("b", "a"))]
        states = by_levels(encoder_of(composition), forest, tops)
        same = composition == "child-sum"
        assert torch.allclose(states[0], states[1]) == same


@pytest.mark.parametrize("system", SYSTEMS)
def test_words_are_replaced_in_training_alone(system: str) -> None:
    model = classifier(system, unknown=0.3)
    rows = [model.read(tokenize(LONG[1]), tokenize(LONG[2]))]
    assert torch.equal(model.scores(rows), model.scores(rows))
    model.network.train()
    outputs = {tuple(model.scores(rows)[0].tolist()) for _ in range(8)}
    assert len(outputs) > 4


def test_a_replaced_word_is_unknown_in_all_its_places() -> None:
    model = classifier("pair-lstm", unknown=0.9)
    embedding = model.network.encoder.embedding.train()
    words = torch.arange(SPECIAL, len(model.vocabulary)).repeat(2, 1)
    found = embedding(words)
    assert torch.equal(found[0], found[1])
    unknown = (found[0] == embedding.table.weight[UNKNOWN]).all(1)
    assert 0 < int(unknown.sum()) < len(unknown)


def test_vectors_are_read_and_taken(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    vector = [0.5 + i for i in range(10)]
    numbers = " ".join(map(str, vector))
    path.write_text(f"zebra {numbers}\ndogs {numbers}\n. . {numbers}\ndogs {'1 ' * 10}\n")
    model = classifier("pair-lstm")
    before = model.network.encoder.embedding.table.weight.detach().clone()
    found = read_vectors(path, frozenset(model.vocabulary.words), 10)
    assert found.keys() == {"dogs"}
    model.take_vectors(found)
    after = model.network.encoder.embedding.table.weight
    place = model.vocabulary.ids(["dogs"])[0]
    assert after[place].tolist() == vector
    changed = (after != before).any(1).nonzero()[:, 0].tolist()
    assert changed == [place]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dogs 1 2 3\ncats 1 2\n", r":2: expected a word and 3 numbers, found 2 numbers"),
        ("dogs 1 2 x\n", r":1: expected numbers: could not convert"),
        ("dogs 1 2 nan\n", r":1: expected finite numbers"),
        ("dogs 1 2 3\n\n", r":2: expected a word and 3 numbers"),
    ],
)
def test_bad_vectors_are_named_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_vectors(path, {"dogs", "cats"}, 3)
    with pytest.raises(InputError, match=r"none\.txt: No such file"):
        read_vectors(tmp_path / "none.txt", {"dogs"}, 3)
