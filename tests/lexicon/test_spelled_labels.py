"""Constants that a word spells, and their share."""

import numpy as np
import pytest
from toml_tables import tables

from amparser.lexicon.spelled_labels import Names, named, spells

TABLES = tables(__file__)


@pytest.mark.parametrize(("word", "name", "expected"), TABLES["spells"])
def test_a_word_spells_the_name_that_it_begins_with(word, name, expected) -> None:
    assert spells(word, name) is expected


def test_what_follows_the_last_separator_is_not_spelled() -> None:
    names = Names(["traverse_1", "largest", "trail", "traverse-02", "_x", ""])
    assert names.spelled_by("Traverses") == [0, 3]
    assert names.spelled_by("state") == []


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
