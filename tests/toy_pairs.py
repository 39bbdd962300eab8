"""Pairs of the monotonicity fragment, few enough to be learned in a second."""

from itertools import product
from pathlib import Path

from amparser.benchmarks.monotonicity.pairs import ENTAILMENT, NEUTRAL, LabelledPair, example_of
from amparser.corpora.example import Example

QUANTIFIERS = {"some": "up", "no": "down", "few": "down", "at least three": "up"}
NOUNS = ("dogs", "cats", "lions", "foxes")
VERBS = ("ran", "walked")


def toy_pairs() -> list[LabelledPair]:
    """Return 64 pairs that add or remove `small`; half of them are entailments."""
    found = []
    for (quantifier, direction), noun, verb, reverse in product(
        QUANTIFIERS.items(), NOUNS, VERBS, (False, True)
    ):
        plain = f"{quantifier} {noun} {verb}.".capitalize()
        small = f"{quantifier} small {noun} {verb}.".capitalize()
        label = ENTAILMENT if (direction == "down") != reverse else NEUTRAL
        premise, hypothesis = (small, plain) if reverse else (plain, small)
        genre = f"depth0.adj.{direction}"
        found.append(LabelledPair(premise, hypothesis, label, genre, len(found) + 1))
    return found


def write_pairs(path: Path, pairs: list[LabelledPair]) -> Path:
    path.write_text("".join("\t".join(pair[:4]) + "\n" for pair in pairs), encoding="utf-8")
    return path


def toy_examples() -> list[Example]:
    return [example_of(pair) for pair in toy_pairs()]
