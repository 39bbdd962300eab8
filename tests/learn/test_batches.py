"""Batches: every example once an epoch, padding that says nothing, trees that are trees."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_language import toy_examples

from amparser.compositions.nodes.gold import check_examples
from amparser.errors import AMTreeError
from amparser.files import checksum_of_rows
from amparser.learn.batches import epoch_batches, sorted_batches
from amparser.learn.settings import TrainSettings
from amparser.lexicon.indexed_tree import IndexedTree

LENGTHS = st.lists(st.integers(1, 30), min_size=1, max_size=60).map(
    lambda lengths: np.array(lengths, dtype=np.int64)
)

EXAMPLE = IndexedTree(("The", "cat", "ran", "."), (0, 1, 2, 0), (0, 3, 0, 0), (0, 2, 1, 0))


def in_one_column(lengths: list[int]) -> np.ndarray:
    return np.array([(length, 0) for length in lengths], dtype=np.int64)


@given(lengths=LENGTHS, limit=st.integers(1, 100), seed=st.integers(0, 9), size=st.integers(0, 5))
def test_batches_partition_the_examples(
    lengths: np.ndarray, limit: int, seed: int, size: int
) -> None:
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
    # The arc from 4 to 1 spans the root, which hangs from the artificial root to its left.
    crossing = IndexedTree(("a", "b", "c", "d"), (1,) * 4, (4, 0, 2, 2), (2, 1, 2, 2))
    assert not crossing.projective
    assert crossing.problem(2, 3) is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": ()}, "no tokens"),
        ({"heads": (0, 3, 0)}, "supertags, heads and operations are not as many"),
        ({"operations": (0, 2, 2, 0)}, "expected one ROOT, found 0"),
        ({"operations": (1, 2, 1, 0)}, "expected one ROOT, found 2"),
        ({"supertags": (0, 9, 2, 0)}, r"token 2 \(cat\): supertag 9 is not below 4"),
        ({"operations": (0, 7, 1, 0)}, r"token 2 \(cat\): operation 7 is not below 3"),
        ({"heads": (0, 5, 0, 0)}, r"token 2 \(cat\): head 5"),
        ({"heads": (0, 2, 0, 0)}, r"token 2 \(cat\): head 2"),
        ({"heads": (0, 0, 0, 0)}, r"token 2 \(cat\): operation 2 from head 0"),
        ({"heads": (0, 3, 2, 0)}, r"token 3 \(ran\): operation 1 from head 2"),
        ({"supertags": (0, 0, 2, 0)}, r"token 2 \(cat\): supertag 0 with operation 2"),
        ({"supertags": (1, 1, 2, 0)}, r"token 1 \(The\): supertag 1 with operation 0"),
        ({"heads": (0, 1, 0, 0)}, r"token 2 \(cat\): its head 1 is ignored"),
        (
            {"supertags": (1, 1, 2, 0), "heads": (2, 1, 0, 0), "operations": (2, 2, 1, 0)},
            r"token 1 \(The\): its head depends on it",
        ),
    ],
)
def test_what_is_no_tree_is_named(change: dict[str, tuple[int, ...]], message: str) -> None:
    bad = replace(EXAMPLE, **change)  # type: ignore[arg-type]
    with pytest.raises(AMTreeError, match=f"^dev example 2: {message}"):
        check_examples([EXAMPLE, bad], supertag_count=4, operation_count=3, name="dev")


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
