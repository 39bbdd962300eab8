"""Write a small corpus for the page on concepts: python docs/worked_examples.py FOLDER.

It has questions on invented places with terms, in the form of GeoQuery, without alignments.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

STATES = ("Arland", "Borwick", "Celmar", "New Dorn")
RIVERS = ("Esk", "Tavy")
QUESTIONS = {
    "which states are there ?": "answer(state(all))",
    "how many states exist ?": "answer(count(state(all)))",
    "which state is the largest ?": "answer(largest(state(all)))",
    "which rivers are in the largest state ?": "answer(river(loc_2(largest(state(all)))))",
    "which rivers are in {state} ?": "answer(river(loc_2({id})))",
    "how many rivers are in {state} ?": "answer(count(river(loc_2({id}))))",
    "what is the longest river in {state} ?": "answer(longest(river(loc_2({id}))))",
    "which states border {state} ?": "answer(state(next_to_2({id})))",
    "what is the largest state that borders {state} ?": "answer(largest(state(next_to_2({id}))))",
    "which river in {state} is the longest ?": "answer(longest(river(loc_2({id}))))",
    "which states does the {river} run through ?": "answer(state(traverse_1({id})))",
}


def questions() -> Iterator[tuple[str, str]]:
    """Questions and their terms."""
    for (text, term), state, river in product(QUESTIONS.items(), STATES, RIVERS):
        known = (
            f"stateid('{state.lower()}')" if "{state}" in text else f"riverid('{river.lower()}')"
        )
        yield text.format(state=state, river=river), term.format(id=known)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    terms = list(dict.fromkeys(questions()))
    Random(1).shuffle(terms)
    text = "".join(f"{question}\t{term}\n" for question, term in terms)
    (folder / "train.tsv").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
