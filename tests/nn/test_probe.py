"""The probe tells from train whether a frozen encoder helps."""

from collections.abc import Callable, Sequence
from random import Random

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from amparser.lexicon.encoded import Targets
from amparser.nn.encoders import probe as module
from amparser.nn.encoders.probe import Probe, probe, probe_of

States = Callable[[Sequence[Sequence[str]]], Sequence[Tensor]]
KINDS = {"animal": "cat dog cow hen", "tool": "saw axe hoe awl", "food": "pie jam egg ham"}
KIND_OF = {word: n for n, words in enumerate(KINDS.values()) for word in words.split()}
WORDS = list(KIND_OF)


def rows(count: int, seed: int = 0) -> tuple[list[list[str]], list[list[int]]]:
    """Return sentences of words of three kinds, most of them seldom, and their kinds as tags."""
    random = Random(seed)
    words = [f"{word}{random.randrange(100)}" for word in WORDS for _ in range(count)]
    sentences = [random.sample(words, 3) for _ in range(count)]
    return sentences, [[KIND_OF[word[:3]] for word in tokens] for tokens in sentences]


def spoken(sentences: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the sentences with words whose letters tell nothing."""
    names: dict[str, str] = {}
    random = Random(1)
    return [
        [names.setdefault(w, "".join(random.choices("abcdefgh", k=8))) for w in tokens]
        for tokens in sentences
    ]


def of_kinds(sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[int]]) -> States:
    kinds = {tuple(s): t for s, t in zip(sentences, tags, strict=True)}
    return lambda some: [one_hot(torch.tensor(kinds[tuple(s)]), 3).float() for s in some]


def noise(some: Sequence[Sequence[str]]) -> list[Tensor]:
    made = torch.Generator().manual_seed(1)
    return [torch.randn(len(tokens), 8, generator=made) for tokens in some]


def test_states_that_know_the_kinds_of_new_words_help() -> None:
    sentences, tags = rows(60)
    sentences = spoken(sentences)
    found = probe(sentences, tags, of_kinds(sentences, tags))
    assert found.helps
    assert found.without + found.gained - found.lost > 0.95 * found.count > 1.5 * found.without


def test_states_that_know_what_letters_show_do_not_help() -> None:
    sentences, tags = rows(60)
    found = probe(sentences, tags, of_kinds(sentences, tags))
    assert found.without > 0.9 * found.count
    assert not found.helps


def test_noise_does_not_help() -> None:
    sentences, tags = rows(60)
    assert not probe(spoken(sentences), tags, noise).helps


def test_order_and_repetition_of_the_rows_change_nothing() -> None:
    sentences, tags = rows(40)
    sentences = spoken(sentences)
    states = of_kinds(sentences, tags)
    assert probe(sentences[::-1] * 2, tags[::-1] * 2, states) == probe(sentences, tags, states)


def test_the_number_of_tokens_is_bounded() -> None:
    sentences, tags = rows(60)
    assert probe(sentences, tags, noise, most=50).count == 48
    assert probe([], [], noise) == Probe(0, 0, 0, 0)


def test_the_closed_form_equals_training_without_the_sentence() -> None:
    made = torch.Generator().manual_seed(0)
    features = torch.randn(20, 5, dtype=torch.float64, generator=made)
    kernel = features @ features.T + 1
    classes = torch.randint(3, (20,), generator=made)
    lengths = [3, 7, 1, 5, 4]
    expected = []
    start = 0
    for length in lengths:
        out = torch.zeros(20, dtype=torch.bool)
        out[start : start + length] = True
        ridge = 0.3 * torch.eye(int((~out).sum()), dtype=torch.float64)
        gold = one_hot(classes[~out], 3).double()
        weights = torch.linalg.solve(kernel[~out][:, ~out] + ridge, gold)
        expected += ((kernel[out][:, ~out] @ weights).argmax(dim=1) == classes[out]).tolist()
        start += length
    assert module._right(kernel, classes, lengths).tolist() == expected
    assert 0 < sum(expected) < 20


def test_rows_that_the_encoder_cannot_read_have_no_probe() -> None:
    short, long = (Targets(("a",) * n, [0] * n, [0] * n) for n in (2, 1000))
    assert probe_of([short, long]) is None
    found = probe_of([Targets(("a", "b"), [0] * 2, [0] * 2)])
    assert found is not None
    assert (found.count, found.helps) == (2, False)


def test_rows_without_words_that_occur_once_have_no_probe() -> None:
    assert probe_of([Targets(("a", "b"), [0] * 2, [0] * 2)] * 2) is None
