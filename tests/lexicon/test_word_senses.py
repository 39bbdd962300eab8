"""Senses of words in context."""

from collections.abc import Sequence

import learn_senses
import numpy as np
import pytest
import torch
from learn_senses import Inventory, Marked, Occurrences, SenseScorer, learn, numbered, packed
from numpy.typing import NDArray
from safetensors import safe_open

from amparser.lexicon.dictionary import senses
from amparser.lexicon.graph_inventory import Slot, Spelling
from amparser.lexicon.senses import CHECKSUM, ENCODER, PATH, Senses, packaged_senses
from amparser.nn.pretrained import CHECKPOINTS
from amparser.parser import Parser
from amparser.presets.graphs.unseen import UnseenWords

CELERY, PLUM, MELON = ("n", "celery"), ("n", "plum"), ("n", "watermelon")
FEATURES = {CELERY: ["plant", "food"], PLUM: ["plant", "food", "plant"], MELON: ["food", "plant"]}
"""One feature of each sense of toy words."""
GARDEN, KITCHEN = np.eye(2, dtype=np.float32)


def inventory() -> Inventory:
    first: dict[tuple[str, str], int] = {}
    features: list[list[str]] = []
    for word, names in FEATURES.items():
        first[word] = len(features)
        features += [[name] for name in names]
    return Inventory(first, features, np.zeros(len(features)), {w: len(FEATURES[w]) for w in first})


@pytest.fixture(scope="module")
def scorer() -> SenseScorer:
    """A scorer that learned from celery in gardens and kitchens."""
    torch.manual_seed(1)
    known = inventory()
    sentences = [Marked(["celery"], [(0, 1, CELERY, sense)]) for sense in (0, 1) * 20]
    made = SenseScorer(numbered(known, [sentences]), known.counts, len(GARDEN))
    right = np.array([0, 1] * 20)
    states = np.stack([(GARDEN, KITCHEN)[sense] for sense in right])
    ones = np.ones(len(right))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learn_senses, "EPOCHS", 200)
        learn(made, Occurrences(states, ones.astype(int) * 0, ones.astype(int) * 2, right, ones))
    return made


@pytest.fixture(scope="module")
def toy(scorer) -> Senses:
    tensors = packed(scorer, inventory(), np.zeros(len(GARDEN)), np.ones(len(GARDEN)))
    tensors["vectors"] = tensors["vectors"] * tensors.pop("scale")
    return Senses(inventory().first, **tensors)


@pytest.mark.parametrize("word", FEATURES)
def test_words_without_examples_share_what_was_learned(word, toy) -> None:
    for state, feature in ((GARDEN, "plant"), (KITCHEN, "food")):
        scores = toy.scores(*word, state)
        assert len(scores) == senses(word[0])[word[1]]
        assert FEATURES[word][int(scores.argmax())] == feature


def test_file_has_the_scores_of_the_learned_layers(scorer, toy) -> None:
    [start, count] = [inventory().first[PLUM], inventory().count_of[PLUM]]
    rows = np.arange(start, start + count)
    features = scorer.features[rows]
    zeros = np.zeros(count, np.int64)
    prior = scorer.priors(features, np.zeros(count), np.arange(count), zeros)[:, 1]
    query = torch.tanh(scorer.layer(torch.from_numpy(GARDEN)))
    expected = (prior + scorer.vectors(features).sum(1) @ query).tolist()
    assert toy.scores(*PLUM, GARDEN).tolist() == pytest.approx(expected, abs=0.05)


def test_packaged_senses_fit_the_dictionary_and_the_encoder() -> None:
    found = packaged_senses()
    assert len(found.prior) == sum(senses(part)[word] for part, word in found.first)
    assert int(found.of_class.max()) < len(found.vectors)
    with safe_open(PATH, "numpy") as file:
        assert file.metadata() == {CHECKSUM: CHECKPOINTS[ENCODER].sha256}


def slot(kind: str, number: str) -> Slot:
    forms = {"dog": {f"dog{kind}{number}": 2}}
    return Slot(Spelling(True, "_"), forms, forms, number, kind)


def no_states(words: Sequence[str]) -> NDArray[np.float32]:
    raise AssertionError("states are asked for")


@pytest.mark.parametrize(
    ("kind", "number", "word", "expected"),
    [
        ("_n_", "1", "celery", "celery_n_1"),
        (".n.", "01", "flooshing", "flooshing.n.01"),
        (".n.", "03", "dog", "dog.n.03"),
    ],
)
def test_states_are_needed_only_for_new_words_with_wordnet_senses(
    kind, number, word, expected
) -> None:
    unseen = UnseenWords([("", "")], "", no_states)
    assert unseen.labels(slot(kind, number), word, np.zeros(1), [word], slice(0, 1)) == [expected]


def test_a_model_without_the_encoder_takes_the_most_frequent_number() -> None:
    unseen = UnseenWords([("", "")], "", None)
    labels = unseen.labels(slot(".n.", "01"), "celery", np.zeros(1), ["celery"], slice(0, 1))
    assert labels == ["celery.n.01"]


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("I ate a plum.", "plum.n.02"),
        ("The plum is in bloom.", "plum.n.01"),
        ("She peeled the celery.", "celery.n.02"),
        ("The celery is growing in the garden.", "celery.n.01"),
    ],
)
def test_context_decides_the_sense_of_a_new_word(text, concept) -> None:
    assert concept in (Parser.load("pmb", device="cpu")(text).meaning or "")
