"""Families of constants, and the shares that families and the names of constants have."""

import numpy as np
import pytest
from toml_tables import tables

from amparser.lexicon.label_families import families_of, named, shared, spells

TABLES = tables(__file__)


def test_names_are_one_but_for_what_follows_the_last_separator() -> None:
    labels = [None, None, "loc_1", "largest", "next_to_2", "loc_2", "largest_one", "next", "run-01"]
    assert families_of(labels) == [[2, 5], [3, 6]]
    assert families_of(["run-01", "run-02", "a.b:c", "a.b", "_x", "_y", "-", ""]) == [[0, 1]]
    assert families_of([None, None]) == []


def test_a_name_in_two_shapes_is_a_family() -> None:
    assert families_of(["count", "state", "count"]) == [[0, 2]]


@pytest.mark.parametrize("share", [0.02, 0.5, 1.0])
def test_a_family_keeps_its_probability_and_its_order(share) -> None:
    random = np.random.default_rng(0)
    tags = np.log(random.dirichlet(np.full(6, 0.2), size=50))
    family = [1, 2, 5]
    found = shared(tags, [family], share)
    rest = [0, 3, 4]
    assert np.array_equal(found[:, rest], tags[:, rest])
    before, after = np.exp(tags[:, family]), np.exp(found[:, family])
    assert np.allclose(before.sum(axis=1), after.sum(axis=1))
    assert (after >= share * before.sum(axis=1, keepdims=True) / 3 - 1e-12).all()
    if share < 1:
        assert np.array_equal(after.argsort(axis=1), before.argsort(axis=1))


def test_without_a_share_nothing_changes() -> None:
    tags = np.log(np.full((2, 3), 1 / 3))
    assert shared(tags, [[0, 1]], 0.0) is tags


@pytest.mark.parametrize(("word", "name", "expected"), TABLES["spells"])
def test_a_word_spells_the_name_that_it_begins_with(word, name, expected) -> None:
    assert spells(word, name) is expected


def test_names_that_a_word_spells_have_their_share_at_this_word_alone() -> None:
    random = np.random.default_rng(0)
    tags = np.log(random.dirichlet(np.full(6, 0.2), size=3))
    found = np.exp(named(tags, [[], [2, 4], [5]], 0.2))
    before = np.exp(tags)
    assert np.allclose(found.sum(axis=1), 1)
    assert np.array_equal(found[0], before[0])
    assert np.allclose(found[1, [2, 4]], 0.8 * before[1, [2, 4]] + 0.1)
    assert np.allclose(found[2, 5], 0.8 * before[2, 5] + 0.2)
    assert np.allclose(found[1:, [0, 1, 3]], 0.8 * before[1:, [0, 1, 3]])
    assert named(tags, [[], [2, 4], [5]], 0.0) is tags
