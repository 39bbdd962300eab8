"""What share of ordinary sentences says who did what to whom.

    python tests/benchmarks/who_did_what.py MODEL

`who_did_what.tsv` has sentences with what is to be found. A sentence is right if all of it is
found: each predicate has the one who does it in a role of doers, and what it is done to in another
role.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from amparser.notations.roles import Role
from amparser.parser import Parser

FILE = Path(__file__).with_suffix(".tsv")
DOERS = ("ARG1", "Agent", "Experiencer", "Causer", "Pivot", "agent")
"""Roles of doers; the roles of others have other names."""
NOTHING = "-"
ORDINARY = 12
"""So many sentences at the beginning are ordinary ones, the others in the style of news."""


class Asked(NamedTuple):
    """A predicate, who does it, and whom or what it is done to, as words of the sentence."""

    predicate: str
    who: tuple[str, ...]
    whom: tuple[str, ...]


def rows(text: str) -> Iterator[tuple[str, list[Asked]]]:
    """Sentences and what is to be found in them."""
    for line in text.splitlines():
        if not line.startswith("#"):
            sentence, answers = line.split("\t")
            parts = (answer.split(" ") for answer in answers.split("; "))
            yield sentence, [Asked(p, *(tuple(x.split("|")) for x in some)) for p, *some in parts]


def missing(asked: Sequence[Asked], roles: Sequence[Role]) -> list[str]:
    """What is not found, in words."""
    found = []
    for predicate, who, whom in asked:
        of = [role for role in roles if role.place.text == predicate]
        doers = {role.argument.text for role in of if role.role in DOERS}
        others = {role.argument.text for role in of if role.role not in DOERS}
        # Who sleeps or rises does nothing to others, and may have any role.
        if whom == (NOTHING,):
            doers |= others
        for name, words, known in (("who", who, doers), ("whom", whom, others)):
            if words != (NOTHING,) and not known & {*words}:
                found.append(f"{predicate}: {name} {'|'.join(words)}, found {sorted(known)}")
    return found


def main() -> None:
    """Print the share, and what is missing in each other sentence."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("model")
    asked = list(rows(FILE.read_text(encoding="utf-8")))
    results = Parser.load(options.parse_args().model).parse([sentence for sentence, _ in asked])
    right = [0, 0]
    for number, ((sentence, wanted), result) in enumerate(zip(asked, results, strict=True)):
        faults = missing(wanted, result.roles() if result.graph is not None else ())
        right[number >= ORDINARY] += not faults
        if faults:
            print(f"{sentence}\n  " + "\n  ".join(faults))
    print(f"ordinary: {right[0]} of {ORDINARY}; news: {right[1]} of {len(asked) - ORDINARY}")


if __name__ == "__main__":
    main()
