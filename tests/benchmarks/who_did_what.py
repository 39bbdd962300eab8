"""Measure the share of sentences with the expected roles: predicate, agent, patient, polarity.

    python tests/benchmarks/who_did_what.py eds [SENTENCES]

The files of `FILES` have sentences with expected roles. A sentence is right if each predicate has
the expected agent in a role of `DOERS`, the expected patient in another role, and the expected
polarity.
SENTENCES is a file with one sentence per line; it is parsed to measure speed.
"""

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from amparser.notations.roles import Role
from amparser.parser import Parser
from amparser.results import Result

FOLDER = Path(__file__).parent
FILES = {"who_did_what": 1, "negation": 2, "structures": 1}
"""Names of the files, each with the number of lines that are right or wrong together."""
DOERS = ("ARG1", "Agent", "Experiencer", "Causer", "Pivot", "agent")
"""Roles of agents, in all schemes."""
NOTHING = "-"
NEGATED = "not-"
"""Prefix of negated predicates."""


class Asked(NamedTuple):
    """A predicate with its agent and patient, each as alternative words of the sentence."""

    predicate: str
    who: tuple[str, ...]
    whom: tuple[str, ...]
    negated: bool


class Found(NamedTuple):
    predicate: str
    is_doer: bool
    argument: str
    negated: bool


def rows(text: str) -> Iterator[tuple[str, list[Asked]]]:
    for line in text.splitlines():
        if not line.startswith("#"):
            sentence, answers = line.split("\t")
            yield sentence, [_asked(*answer.split(" ")) for answer in answers.split("; ")]


def _asked(name: str, who: str, whom: str) -> Asked:
    sides = tuple(who.split("|")), tuple(whom.split("|"))
    return Asked(name.removeprefix(NEGATED), *sides, name.startswith(NEGATED))


def faults(asked: Sequence[Asked], roles: Iterable[Found]) -> list[str]:
    faults, roles = [], [*roles]
    for predicate, who, whom, negated in asked:
        rows = [one for one in roles if one.predicate == predicate]
        doers = {one.argument for one in rows if one.is_doer}
        others = {one.argument for one in rows if not one.is_doer}
        # The only argument of an intransitive verb may have any role.
        if whom == (NOTHING,):
            doers |= others
        for name, words, known in (("who", who, doers), ("whom", whom, others)):
            if words != (NOTHING,) and not known & {*words}:
                faults.append(f"{predicate}: {name} {'|'.join(words)}, found {sorted(known)}")
        if any(one.negated != negated for one in rows) or (negated and not rows):
            faults.append(f"{predicate}: expected {'negated' if negated else 'affirmative'}")
    return faults


def found_in(roles: Iterable[Role]) -> list[Found]:
    return [Found(r.place.text, r.role in DOERS, r.argument.text, r.negated) for r in roles]


def measured(parser: Parser, name: str) -> list[list[str]]:
    """Return, for each item of a file, a description of each fault; none for a right item."""
    asked = list(rows((FOLDER / f"{name}.tsv").read_text(encoding="utf-8")))
    results = parser.parse([sentence for sentence, _ in asked])
    lines = [
        [f"{sentence}: {fault}" for fault in faults(wanted, found_in(_roles(result)))]
        for (sentence, wanted), result in zip(asked, results, strict=True)
    ]
    size = FILES[name]
    return [[*chain(*lines[i : i + size])] for i in range(0, len(lines), size)]


def _roles(result: Result) -> list[Role]:
    return result.roles() if result.graph is not None else []


def main(name: str, file: str = "") -> None:
    parser = Parser.load(name)
    for corpus in FILES:
        items = measured(parser, corpus)
        print(*chain(*items), sep="\n")
        print(f"{corpus}: {sum(not item for item in items)} of {len(items)} right\n")
    if file:
        sentences = Path(file).read_text(encoding="utf-8").splitlines()
        started = time.process_time()
        for result in parser.parse(sentences):
            result.roles()
        print(f"{len(sentences) / (time.process_time() - started):.0f} sentences/s of CPU time")


if __name__ == "__main__":
    main(*sys.argv[1:])
