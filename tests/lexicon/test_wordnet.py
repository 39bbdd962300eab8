"""What the package has of WordNet."""

import pytest

from amparser.lexicon import wordnet


def names_of(word: str, part: str) -> list[list[str]]:
    """The names of the kinds of each sense, from below."""
    kinds = wordnet.kinds()
    return [[kinds[one].name for one in wordnet.above(kind)] for kind in wordnet.senses(part)[word]]


def test_every_kind_is_below_others_and_in_a_file() -> None:
    kinds = wordnet.kinds()
    files = {number for number, kind in enumerate(kinds) if kind.file is None}
    assert len(files) == 45
    for number in range(len(kinds)):
        *lower, file = wordnet.above(number)
        assert file in files
        assert len({*lower}) == len(lower)
    for part in wordnet.PARTS:
        for numbers in wordnet.senses(part).values():
            assert all(0 <= number < len(kinds) for number in numbers)


@pytest.mark.parametrize(
    ("word", "part", "sense", "kinds"),
    [
        ("mustard", "n", 1, ["mustard.n.01", "crucifer.n.01", "herb.n.01"]),
        ("mustard", "n", 2, ["condiment.n.01", "flavorer.n.01", "fixings.n.01"]),
        ("scarlet", "a", 1, ["chromatic.a.03", "chromaticity.n.01"]),
    ],
)
def test_a_sense_has_kinds(word: str, part: str, sense: int, kinds: list[str]) -> None:
    assert names_of(word, part)[sense - 1][: len(kinds)] == kinds


def test_words_that_belong_together_and_irregular_forms() -> None:
    assert "armed_forces" in wordnet.senses("n")
    assert [*wordnet.lemmas_of("n", "mice")] == ["mouse"]
    assert [*wordnet.lemmas_of("v", "thought")] == ["think"]
    assert [*wordnet.lemmas_of("v", "flooshed")] == []
