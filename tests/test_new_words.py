"""Out-of-vocabulary words: new nouns are copied."""

from __future__ import annotations

from itertools import pairwise

import pytest

from amparser.parser import Parser
from tests.command_line import run

NOUNS = ("toma", "blick", "wodge", "catt", "girk", "doog", "caek", "bottel")
"""Nonce words; the last five differ from a training noun by a letter or a swap."""


@pytest.fixture(scope="module")
def slog() -> Parser:
    return Parser.load("slog", "cpu")


@pytest.mark.parametrize("noun", NOUNS)
def test_new_noun_is_copied(slog: Parser, noun: str) -> None:
    [result] = slog.parse([f"The {noun} slept."])
    assert result.meaning == f"* {noun} ( x _ 1 ) ; sleep . agent ( x _ 2 , x _ 1 )"
    assert result.unknown == (noun,)


def test_two_new_nouns_keep_their_roles(slog: Parser) -> None:
    for theme, recipient in pairwise(NOUNS):
        [result] = slog.parse([f"Emma gave a {theme} to the {recipient}."])
        assert result.meaning == (
            f"* {recipient} ( x _ 6 ) ; give . agent ( x _ 1 , Emma ) AND "
            f"give . theme ( x _ 1 , x _ 3 ) AND give . recipient ( x _ 1 , x _ 6 ) AND "
            f"{theme} ( x _ 3 )"
        )


def test_command_line_copies_a_new_noun() -> None:
    result = run("parse", "--model", "slog", "The toma slept.")
    assert result.stdout == "* toma ( x _ 1 ) ; sleep . agent ( x _ 2 , x _ 1 )\n"
    assert "1 of 1 sentences with words that the model never saw: 'toma'" in result.stderr


def test_full_stop_is_not_part_of_a_form() -> None:
    few, two = Parser.load("monotonicity", "cpu").parse(["Few dogs ran.", "Slowly, few dogs ran!"])
    assert few.meaning == "NOT FEW DOG RUN"
    assert two.meaning == "NOT FEW DOG AND RUN SLOWLY"
