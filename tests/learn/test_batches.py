"""Batches: every example once per epoch, and padding without effect."""

from dataclasses import replace

import numpy as np
from hypothesis import given, strategies as st
from toy_language import toy_examples

from amparser.files import checksum_of_rows
from amparser.learn.batches import epoch_batches, sorted_batches
from amparser.learn.settings import TrainSettings
from amparser.lexicon.encoded import Targets

LENGTHS = st.lists(st.integers(1, 30), min_size=1, max_size=60).map(
    lambda lengths: np.array(lengths, dtype=np.int64)
)

EXAMPLE = Targets(("The", "cat", "ran", "."), (0, 1, 2, 0), (0, 3, 0, 0), (0, 2, 1, 0))


def in_one_column(lengths: list[int]) -> np.ndarray:
    return np.array([(length, 0) for length in lengths], dtype=np.int64)


@given(lengths=LENGTHS, limit=st.integers(1, 100), seed=st.integers(0, 9), size=st.integers(0, 5))
def test_batches_partition_the_examples(lengths, limit, seed, size) -> None:
    columns = in_one_column(lengths.tolist())
    settings = TrainSettings(batch_size=size, batch_tokens=limit, seed=seed)
    for batches in (sorted_batches(columns, size, limit), epoch_batches(columns, settings, 1)):
        assert sorted(np.concatenate(batches).tolist()) == list(range(len(lengths)))
        for members in batches:
            assert len(members) == 1 or len(members) * lengths[members].max() <= limit
            assert not size or len(members) <= size


def test_epochs_differ_and_repeat() -> None:
    lengths = in_one_column([len(e.tokens) for e in toy_examples(200, seed=1)])

    def order(seed: int, epoch: int) -> list[int]:
        settings = TrainSettings(batch_size=0, batch_tokens=64, seed=seed)
        return [int(i) for members in epoch_batches(lengths, settings, epoch) for i in members]

    assert order(1, 1) == order(1, 1)
    assert len({tuple(order(seed, epoch)) for seed in (1, 2) for epoch in (1, 2)}) == 4


def test_projectivity_leaves_ignored_tokens_out() -> None:
    assert EXAMPLE.projective
    # The arc from 4 to 1 spans the root, whose own arc comes from the artificial root on the left.
    crossing = Targets(("a", "b", "c", "d"), (1,) * 4, (4, 0, 2, 2), (2, 1, 2, 2))
    assert not crossing.projective


def test_checksum_sees_every_field_and_the_split() -> None:
    examples = toy_examples(3, seed=1)
    sums = {
        checksum_of_rows(examples, []),
        checksum_of_rows(examples[:2], examples[2:]),
        checksum_of_rows([*examples[:2], replace(examples[2], tokens=("x",))], []),
        checksum_of_rows([*examples[:2], replace(examples[2], heads=(0,))], []),
    }
    assert len(sums) == 4
    assert checksum_of_rows(examples, []) == checksum_of_rows(tuple(examples), ())
