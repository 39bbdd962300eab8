"""Write two small corpora for the page on concepts: python docs/worked_examples.py FOLDER.

`questions` has questions on invented places with terms, in the form of GeoQuery. `boxes` has
sentences with graphs in boxes, in the form of the Parallel Meaning Bank. Nothing says which word a
node comes from.
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

NAMES = ("Ann", "Bob", "Tom")
VERBS = {"sleep": "sleep.v.01", "smile": "smile.v.01", "read": "read.v.01", "swim": "swim.v.01"}

UNSEEN = ("Bob", "swim")
"""A name and a verb that stand in no sentence together."""


def questions() -> Iterator[tuple[str, str]]:
    """Questions and their terms."""
    for (text, term), state, river in product(QUESTIONS.items(), STATES, RIVERS):
        known = (
            f"stateid('{state.lower()}')" if "{state}" in text else f"riverid('{river.lower()}')"
        )
        yield text.format(state=state, river=river), term.format(id=known)


def boxes() -> Iterator[tuple[str, str]]:
    """Sentences and their graphs, on one line."""
    for name, (verb, sense), wants, denied in product(NAMES, VERBS.items(), (0, 1), (0, 1)):
        if (name, verb) == UNSEEN:
            continue
        person = f':member (s0 / "person.n.01" :Name "{name}")'
        event = f'(s2 / "{sense}" :Agent s0 :Time s1)'
        members = ":member s2"
        said = f"does not {verb}" if denied else f"{verb}s"
        if wants:
            event = f'(s2 / "want.v.01" :Pivot s0 :Time s1 :Theme (s3 / "{sense}" :Agent s0))'
            members = ":member s2 :member s3"
            said = f"does not want to {verb}" if denied else f"wants to {verb}"
        inside = f':member (s1 / "time.n.08" :EQU "now") {members.replace("s2", event, 1)}'
        inside = f':NEGATION (b1 / "box" {inside})' if denied else inside
        yield f"{name} {said} .", f'(b0 / "box" {person} {inside})'


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    for name in ("questions", "boxes"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    terms = list(dict.fromkeys(questions()))
    Random(1).shuffle(terms)
    text = "".join(f"{question}\t{term}\n" for question, term in terms)
    (folder / "questions" / "train.tsv").write_text(text, encoding="utf-8")
    text = "".join(f"{sentence}\t{graph}\n" for sentence, graph in boxes())
    (folder / "boxes" / "train.tsv").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
