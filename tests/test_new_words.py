"""Out-of-vocabulary words: new nouns are copied."""

from itertools import pairwise

import pytest

from amparser.parser import Parser

NOUNS = ("toma", "blick", "wodge", "catt", "girk", "doog", "caek", "bottel")
"""Nonce words; the last five differ from a training noun by a letter or a swap."""


@pytest.mark.parametrize("noun", NOUNS)
def test_new_noun_is_copied(parser, noun) -> None:
    [result] = parser.parse([f"The {noun} slept."])
    assert result.meaning == f"* {noun} ( x _ 1 ) ; sleep . agent ( x _ 2 , x _ 1 )"
    assert result.unknown == (noun,)


def test_two_new_nouns_keep_their_roles(parser) -> None:
    for theme, recipient in pairwise(NOUNS):
        [result] = parser.parse([f"Emma gave a {theme} to the {recipient}."])
        assert result.meaning == (
            f"* {recipient} ( x _ 6 ) ; give . agent ( x _ 1 , Emma ) AND "
            f"give . theme ( x _ 1 , x _ 3 ) AND give . recipient ( x _ 1 , x _ 6 ) AND "
            f"{theme} ( x _ 3 )"
        )


def test_full_stop_is_not_part_of_a_form() -> None:
    few, two = Parser.load("monotonicity", "cpu").parse(["Few dogs ran.", "Slowly, few dogs ran!"])
    assert few.meaning == "NOT FEW DOG RUN"
    assert two.meaning == "NOT FEW DOG AND RUN SLOWLY"
