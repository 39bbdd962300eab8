"""Inference as the page shows it: labels, steps and the polarity of each word."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from amparser.benchmarks.monotonicity.reading import derivation_of
from amparser.benchmarks.registry import INFERENCES
from amparser.errors import InputError
from amparser.grammar.library import load_library
from amparser.logic.form import Form
from amparser.logic.polarity import fol_polarities, form_polarities
from amparser.logic.vf import fol_from_vf


def leaves(form: Form) -> Iterator[Form]:
    if not form.parts:
        yield form
    for part in form.parts:
        yield from leaves(part)


def sentences() -> list[tuple[str, ...]]:
    library, random = load_library("monotonicity"), Random(1)
    plan = library.plan(None)
    types = [plan.type_of(name) for name in plan.names]
    return [library.tokens(random.choice(types).sample(random)) for _ in range(60)]


def test_words_have_the_polarity_that_their_predicates_have_in_the_formula() -> None:
    fragment = Fragment()
    seen = set()
    for tokens in sentences():
        form = fragment(tokens)
        polarities = form_polarities(form)
        expected = set(fol_polarities(fol_from_vf(form.term)))
        for leaf in leaves(form):
            for word in leaf.words:
                found = (leaf.symbol.lower(), polarities[word])
                assert found in expected, (" ".join(tokens), found)
                seen.add(found[1])
    assert len(seen) == 2


@pytest.mark.parametrize("name", list(INFERENCES))
def test_both_readers_agree(name: str) -> None:
    answer = INFERENCES[name]("No dogs ran.", "No small dogs ran.")
    assert answer.label == "entailment"
    assert answer.steps == ("word 2, downward (No): dogs -> small dogs, narrower",)
    assert [(one.word, one.polarity) for one in answer.hypothesis] == [
        ("No", "downward"),
        ("small", "downward"),
        ("dogs", "downward"),
        ("ran", "downward"),
        (".", ""),
    ]
    assert INFERENCES[name]("No dogs ran.", "No animals ran.").label == "neutral"


@pytest.mark.parametrize(
    ("premise", "hypothesis", "message"),
    [("Blah.", "No dogs ran.", "premise: "), ("No dogs ran.", "", "hypothesis: empty")],
)
def test_a_sentence_that_cannot_be_read_is_named(
    premise: str, hypothesis: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        INFERENCES["grammar"](premise, hypothesis)
