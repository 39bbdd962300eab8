"""What share of ordinary sentences says who did what to whom.

    python tests/benchmarks/who_did_what.py eds [SENTENCES]

`who_did_what.tsv` has sentences with what is to be found. A sentence is right if all of it is
found: each predicate has the one who does it in a role of doers, and what it is done to in another
role. SENTENCES has a sentence a line, for the speed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from amparser.notations.roles import Role
from amparser.parser import Parser

FILE = Path(__file__).with_suffix(".tsv")
DOERS = ("ARG1", "Agent", "Experiencer", "Causer", "Pivot", "agent")
"""Roles of doers; the roles of others have other names."""
NOTHING = "-"
ORDINARY = 12
"""Ordinary sentences at the beginning; the others are in the style of news."""


class Asked(NamedTuple):
    """A predicate, who does it, and whom or what it is done to, as words of the sentence."""

    predicate: str
    who: tuple[str, ...]
    whom: tuple[str, ...]


class Found(NamedTuple):
    """A role that a system finds."""

    predicate: str
    is_doer: bool
    argument: str


def rows(text: str) -> Iterator[tuple[str, list[Asked]]]:
    """Sentences and what is to be found in them."""
    for line in text.splitlines():
        if not line.startswith("#"):
            sentence, answers = line.split("\t")
            parts = (answer.split(" ") for answer in answers.split("; "))
            yield sentence, [Asked(p, *(tuple(x.split("|")) for x in some)) for p, *some in parts]


def missing(asked: Sequence[Asked], roles: Iterable[Found]) -> list[str]:
    """What is not found, in words."""
    faults, roles = [], [*roles]
    for predicate, who, whom in asked:
        doers = {one.argument for one in roles if one.predicate == predicate and one.is_doer}
        others = {one.argument for one in roles if one.predicate == predicate and not one.is_doer}
        # Who sleeps or rises does nothing to others, and may have any role.
        if whom == (NOTHING,):
            doers |= others
        for name, words, known in (("who", who, doers), ("whom", whom, others)):
            if words != (NOTHING,) and not known & {*words}:
                faults.append(f"{predicate}: {name} {'|'.join(words)}, found {sorted(known)}")
    return faults


def found_in(roles: Iterable[Role]) -> list[Found]:
    """The roles of an answer of amparser."""
    return [Found(role.place.text, role.role in DOERS, role.argument.text) for role in roles]


def main(name: str, file: str = "") -> None:
    """Print the share, what is missing in each other sentence, and sentences per second of CPU."""
    parser = Parser.load(name)
    asked = list(rows(FILE.read_text(encoding="utf-8")))
    right = [0, 0]
    results = parser.parse([sentence for sentence, _ in asked])
    for number, ((sentence, wanted), result) in enumerate(zip(asked, results, strict=True)):
        faults = missing(wanted, found_in(result.roles() if result.graph is not None else []))
        right[number >= ORDINARY] += not faults
        if faults:
            print(sentence, *faults, sep="\n  ")
    print(f"ordinary: {right[0]} of {ORDINARY}; news: {right[1]} of {len(asked) - ORDINARY}")
    if file:
        sentences = Path(file).read_text(encoding="utf-8").splitlines()
        started = time.process_time()
        for result in parser.parse(sentences):
            result.roles()
        print(f"{len(sentences) / (time.process_time() - started):.0f} sentences/s of CPU time")


if __name__ == "__main__":
    main(*sys.argv[1:])
