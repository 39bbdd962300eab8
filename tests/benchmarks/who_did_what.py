"""What share of ordinary sentences says who did what to whom, by amparser and by spaCy.

    python tests/benchmarks/who_did_what.py amparser eds [SENTENCES]
    python tests/benchmarks/who_did_what.py spacy en_core_web_sm [SENTENCES]

`who_did_what.tsv` has sentences with what is to be found. A sentence is right if all of it is
found: each predicate has the one who does it in a role of doers, and what it is done to in another
role. SENTENCES has a sentence a line, for the speed. spaCy has no roles: `spacy_roles` reads them
off its dependencies, as its users do. Arguments of passives, relative clauses, control and
coordination are followed.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from amparser.notations.roles import Role
from amparser.parser import Parser

FILE = Path(__file__).with_suffix(".tsv")
DOERS = ("ARG1", "Agent", "Experiencer", "Causer", "Pivot", "agent")
"""Roles of doers; the roles of others have other names."""
NOTHING = "-"
ORDINARY = 12
"""Ordinary sentences at the beginning; the others are in the style of news."""
_OBJECTS = ("dobj", "nsubjpass", "dative", "attr", "acomp", "oprd", "ccomp", "xcomp")


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


Answer = Callable[[Sequence[str]], list[list[Found]]]


def amparser_answers(name: str) -> Answer:
    parser = Parser.load(name)
    return lambda sentences: [
        found_in(result.roles()) if result.graph is not None else []
        for result in parser.parse(sentences)
    ]


def spacy_answers(name: str) -> Answer:
    pipeline = importlib.import_module(name).load()
    return lambda sentences: [[*spacy_roles(doc)] for doc in pipeline.pipe(sentences)]


def spacy_roles(doc: Any) -> Iterator[Found]:
    """Predicates with their arguments in a parsed sentence."""
    for word in doc:
        if word.pos_ not in ("VERB", "AUX"):
            continue
        for subject in _subjects(word):
            for predicate in (word, *_said(word)):
                yield Found(predicate.text, subject.dep_ != "nsubjpass", subject.text)
        if word.dep_ == "relcl":
            yield Found(word.text, False, word.head.text)
        for child in word.children:
            if child.dep_ in _OBJECTS:
                yield from (Found(word.text, False, one.text) for one in (child, *_said(child)))
            elif child.dep_ in ("prep", "agent", "dative"):
                for filler in child.children:
                    yield Found(word.text, child.dep_ == "agent", filler.text)


def _said(word: Any) -> list[Any]:
    """What a copula says of its subject; the subject of an infinitive that is an object."""
    if word.dep_ == "ccomp" and any(child.tag_ == "TO" for child in word.children):
        return _subjects(word)
    return [child for child in word.children if child.dep_ == "acomp" and word.lemma_ == "be"]


def _subjects(word: Any) -> list[Any]:
    """The subject of a verb, or that of the verb whose part it is."""
    own = [child for child in word.children if child.dep_ in ("nsubj", "nsubjpass")]
    # A relative pronoun stands for the noun.
    own = [word.head if s.tag_ in ("WDT", "WP") and word.dep_ == "relcl" else s for s in own]
    if not own and word.dep_ in ("conj", "xcomp", "advcl"):
        objects = [child for child in word.head.children if child.dep_ == "dobj"]
        return objects if objects and word.dep_ == "xcomp" else _subjects(word.head)
    if not own and word.dep_ == "acl":
        return [word.head]
    return own


def main(system: str, name: str, file: str = "") -> None:
    """Print the share, what is missing in each other sentence, and sentences per second of CPU."""
    answer = {"amparser": amparser_answers, "spacy": spacy_answers}[system](name)
    asked = list(rows(FILE.read_text(encoding="utf-8")))
    right = [0, 0]
    answers = answer([sentence for sentence, _ in asked])
    for number, ((sentence, wanted), roles) in enumerate(zip(asked, answers, strict=True)):
        faults = missing(wanted, roles)
        right[number >= ORDINARY] += not faults
        if faults:
            print(sentence, *faults, sep="\n  ")
    print(f"ordinary: {right[0]} of {ORDINARY}; news: {right[1]} of {len(asked) - ORDINARY}")
    if file:
        sentences = Path(file).read_text(encoding="utf-8").splitlines()
        started = time.process_time()
        answer(sentences)
        print(f"{len(sentences) / (time.process_time() - started):.0f} sentences/s of CPU time")


if __name__ == "__main__":
    main(*sys.argv[1:])
