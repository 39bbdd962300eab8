"""How many wrong readings are wrong in a lemma alone.

    python tests/benchmarks/structure.py --data FILE MODEL ...

For each model folder: the share of right logical forms, and of those that are
right once every predicate is written as the word that it stands for.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from amparser.api import evaluate
from amparser.corpora.example import Example
from amparser.logic.cogs import Atom, LogicalForm, Variable, logical_form_from_str
from amparser.logic.equivalence import equivalent
from amparser.results import Result


def in_words(form: LogicalForm, tokens: Sequence[str]) -> LogicalForm:
    """The form with each predicate's first word as the sentence has it."""

    def word(atom: Atom) -> Atom:
        first = atom.terms[0]
        if not isinstance(first, Variable):
            return atom
        return replace(atom, predicate=(tokens[first.position], *atom.predicate[1:]))

    return replace(
        form, atoms=tuple(map(word, form.atoms)), definites=tuple(map(word, form.definites))
    )


def is_right_in_words(example: Example, result: Result) -> bool:
    """Whether gold and answer are the same once each predicate is a word of the sentence."""
    if example.meaning is None or result.meaning is None:
        return False
    gold, answer = (
        in_words(logical_form_from_str(text), example.tokens)
        for text in (example.meaning, result.meaning)
    )
    return equivalent(gold, answer)


def main() -> None:
    parser = argparse.ArgumentParser(description="How many readings are wrong in a lemma alone.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("models", type=Path, nargs="+")
    arguments = parser.parse_args()
    shares = []
    for folder in arguments.models:
        evaluation = evaluate(folder, arguments.data, metrics=["match"])
        [answers] = evaluation.answers.values()
        examples = evaluation.examples
        right = structure = 0
        for example, counts, result in zip(examples, answers.counts, answers.results, strict=True):
            is_right = counts["graph"].share == 1
            right += is_right
            structure += is_right or is_right_in_words(example, result)
        shares.append((100 * right / len(examples), 100 * structure / len(examples)))
        print(f"{folder}: right {shares[-1][0]:.1f} %, but for lemmas {shares[-1][1]:.1f} %")
    means = [statistics.mean(column) for column in zip(*shares, strict=True)]
    print(f"mean: right {means[0]:.1f} %, but for lemmas {means[1]:.1f} %")


if __name__ == "__main__":
    main()
