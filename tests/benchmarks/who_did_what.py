"""Measure the share of sentences whose roles say who did what to whom.

    python tests/benchmarks/who_did_what.py eds [SENTENCES]

`who_did_what.tsv` has sentences with expected roles. A sentence is right if each predicate has the
expected agent in a role of `DOERS` and the expected patient in another role. SENTENCES is a file
with one sentence per line; it is parsed to measure speed.
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
"""Roles of agents, in all schemes."""
NOTHING = "-"
ORDINARY = 12
"""Number of ordinary sentences, which come first; the others are in the style of news."""


class Asked(NamedTuple):
    """A predicate with its agent and patient, each as alternative words of the sentence."""

    predicate: str
    who: tuple[str, ...]
    whom: tuple[str, ...]


class Found(NamedTuple):
    """A role that a parser found."""

    predicate: str
    is_doer: bool
    argument: str


def rows(text: str) -> Iterator[tuple[str, list[Asked]]]:
    """Yield sentences with their expected predicates."""
    for line in text.splitlines():
        if not line.startswith("#"):
            sentence, answers = line.split("\t")
            parts = (answer.split(" ") for answer in answers.split("; "))
            yield sentence, [Asked(p, *(tuple(x.split("|")) for x in some)) for p, *some in parts]


def missing(asked: Sequence[Asked], roles: Iterable[Found]) -> list[str]:
    """Return a description of each expected argument that was not found."""
    faults, roles = [], [*roles]
    for predicate, who, whom in asked:
        doers = {one.argument for one in roles if one.predicate == predicate and one.is_doer}
        others = {one.argument for one in roles if one.predicate == predicate and not one.is_doer}
        # The only argument of an intransitive verb may have any role.
        if whom == (NOTHING,):
            doers |= others
        for name, words, known in (("who", who, doers), ("whom", whom, others)):
            if words != (NOTHING,) and not known & {*words}:
                faults.append(f"{predicate}: {name} {'|'.join(words)}, found {sorted(known)}")
    return faults


def found_in(roles: Iterable[Role]) -> list[Found]:
    """Return the roles of a result as `Found`."""
    return [Found(role.place.text, role.role in DOERS, role.argument.text) for role in roles]


def main(name: str, file: str = "") -> None:
    """Print missing arguments, the counts of right sentences, and sentences per second of CPU."""
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
