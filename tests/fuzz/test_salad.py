"""Word salad: each decoder of each bundled model answers it well, or says why it does not."""

import os
import random
import tempfile
from functools import cache
from pathlib import Path

import pytest
from tiny_folders import KINDS

from amparser.constants.evaluate import problems
from amparser.corpora.amconll import AMCONLL
from amparser.corpora.jsonl import JSON
from amparser.errors import AMParserError
from amparser.files import lines_of
from amparser.graph.sgraph import isomorphic
from amparser.logic.vf import vf_from_str
from amparser.notations.layout import without_layout
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS, family_of
from amparser.parser import Parser
from amparser.resources import bundled_model, bundled_models
from amparser.results import Result

COUNT = int(os.environ.get("AMPARSER_SALAD", "30"))
"""How many sentences; the issue's figure is 3,000."""
TERMS = "terms"
"""A small model that is trained here, as no bundled one answers in terms."""
MODELS = (*(path.name for path in bundled_models()), TERMS)
SIGNS = (
    ".",
    "?",
    "!",
    ",",
    "[SEP]",
    ";",
    "(",
    "=",
    "*",
    "x",
    "_",
    "LAMBDA",
    "AND",
    "NOT",
    '"',
    "wug",
)


@cache
def parser(name: str) -> Parser:
    if name != TERMS:
        return Parser.load(bundled_model(name), "cpu")
    with tempfile.TemporaryDirectory() as folder:
        return Parser.load(KINDS["tree"](Path(folder))[0], "cpu")


def salad(name: str, count: int) -> list[tuple[str, ...]]:
    """Sentences over the model's words, signs of notations and a word that nobody knows."""
    dice = random.Random(18)
    words = sorted(parser(name).composition.network.encoder.vocabulary.words)
    content = [w for w in words if w.isalpha()] or words
    found = []
    for _ in range(count):
        share = dice.choice((0.0, 0.0, 0.3))
        drawn = [
            dice.choice(SIGNS) if dice.random() < share else dice.choice(content)
            for _ in range(dice.randint(1, 9))
        ]
        drawn[0] = drawn[0].title() if dice.random() < 0.5 else drawn[0]
        found.append((*drawn, ".") if dice.random() < 0.5 else tuple(drawn))
    return found


@cache
def answers(name: str) -> dict[str, list[Result]]:
    return dict(parser(name).answers(salad(name, COUNT), parser(name).decoders))


def means_the_same(notation: Notation, result: Result) -> bool:
    assert result.meaning is not None
    assert result.graph is not None
    graph = notation.as_read(result.graph)
    if graph is None:  # formulas of boxes are read, but have no graphs
        return True
    again = without_layout(notation.graph(result.tokens, result.meaning))
    return isomorphic(again, graph) or (
        notation.content(again) == notation.content(graph)
        and notation.write(again) == result.meaning
    )


@pytest.mark.parametrize("name", MODELS)
def test_every_answer_to_word_salad_is_well_typed_and_readable(name: str) -> None:
    notation = NOTATIONS[parser(name).notation]
    for found in answers(name).values():
        for result in found:
            assert (result.meaning is None) == (result.failure is not None)
            if result.tree is not None:
                assert not problems(result.tree, open_root=len(result.tokens) == 1), result.tokens
            if result.meaning is not None:
                assert "\n" not in result.meaning
                assert notation.is_readable(result.meaning), result.meaning
                assert means_the_same(notation, result), result.meaning
            for written in (JSON, AMCONLL):
                if written is JSON or result.has_tree:
                    [again] = written.read(
                        enumerate(lines_of(written.write(result.example()))), "x"
                    )
                    assert again.tokens == result.tokens
                    assert again.meaning in (None, result.meaning)
        assert any(result.meaning is not None for result in found) or name == "monotonicity"


@pytest.mark.parametrize("name", MODELS)
def test_more_trees_never_score_less(name: str) -> None:
    found = answers(name)
    for small, large in zip(found.get("astar", ()), found.get("astar-gap", ()), strict=True):
        if small.logp is not None:
            assert large.logp is not None
            assert small.logp <= large.logp + 1e-4, small.tokens


@pytest.mark.parametrize("name", MODELS)
def test_every_answer_in_every_notation_of_the_family_is_readable(name: str) -> None:
    for other in family_of(parser(name).notation)[1:]:
        for result in parser(name).with_notation(other).parse(salad(name, 1 + COUNT // 10)):
            if result.meaning is not None and len(result.tokens) > 1:
                assert NOTATIONS[other].is_readable(result.meaning), result.meaning
                assert means_the_same(NOTATIONS[other], result), result.meaning


def test_a_full_stop_is_no_word_of_a_form() -> None:
    few, two = parser("monotonicity").parse(["Few dogs ran.", "Slowly, few dogs ran!"])
    assert few.meaning == "NOT FEW DOG RUN"
    assert two.meaning == "NOT FEW DOG AND RUN SLOWLY"


def test_a_separator_as_a_word_is_not_injected() -> None:
    for result in parser("monotonicity").parse([("few", "[SEP]", "ran"), ("few", "dogs", "[SEP]")]):
        if result.meaning is not None:
            vf_from_str(result.meaning)


def test_a_lost_word_is_a_failure() -> None:
    """What the leftmost root does not reach has no place in the variable-free notation."""
    tokens = ("The", "cat", "saw", "a", "dog", ".")
    text = "* cat ( x _ 1 ) ; see . theme ( x _ 2 , x _ 4 ) AND dog . nmod ( x _ 4 , x _ 1 )"
    with pytest.raises(AMParserError):
        NOTATIONS["varfree"].written(tokens, NOTATIONS["cogs"].graph(tokens, text))
