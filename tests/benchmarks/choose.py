"""amparser beside spaCy's English pipeline: who did what to whom, and speed.

    python tests/benchmarks/choose.py amparser eds SENTENCES
    python tests/benchmarks/choose.py spacy en_core_web_sm SENTENCES

SENTENCES has a sentence a line. spaCy has no roles: `spacy_roles` reads them off its dependencies,
as its users do. Arguments of passives, relative clauses, control and coordination are followed.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from who_did_what import FILE, ORDINARY, rows

Answer = Callable[[Sequence[str]], list[list[tuple[str, bool, str]]]]
"""For each sentence, its roles: the predicate, whether it is a doer's, the argument."""
_OBJECTS = ("dobj", "nsubjpass", "dative", "attr", "acomp", "oprd", "ccomp", "xcomp")


def amparser_answers(name: str) -> Answer:
    """Roles of amparser's answers."""
    from who_did_what import DOERS

    from amparser.parser import Parser

    parser = Parser.load(name)
    return lambda sentences: [
        [(role.place.text, role.role in DOERS, role.argument.text) for role in result.roles()]
        if result.graph is not None
        else []
        for result in parser.parse(sentences)
    ]


def spacy_answers(name: str) -> Answer:
    """Roles that are read off spaCy's dependencies."""
    pipeline = importlib.import_module(name).load()
    return lambda sentences: [list(spacy_roles(doc)) for doc in pipeline.pipe(sentences)]


def spacy_roles(doc: Any) -> Iterator[tuple[str, bool, str]]:
    """Predicates with their arguments in a parsed sentence."""
    for word in doc:
        if word.pos_ not in ("VERB", "AUX"):
            continue
        for subject in _subjects(word):
            for predicate in (word, *_said(word)):
                yield predicate.text, subject.dep_ != "nsubjpass", subject.text
        if word.dep_ == "relcl":
            yield word.text, False, word.head.text
        for child in word.children:
            if child.dep_ in _OBJECTS:
                yield from ((word.text, False, one.text) for one in (child, *_said(child)))
            elif child.dep_ in ("prep", "agent", "dative"):
                for filler in child.children:
                    yield word.text, child.dep_ == "agent", filler.text


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


def main() -> None:
    """Print how many sentences are right, and the sentences per second of CPU time."""
    system, name, file = sys.argv[1:]
    answer = {"amparser": amparser_answers, "spacy": spacy_answers}[system](name)
    asked = list(rows(FILE.read_text(encoding="utf-8")))
    right = [0, 0]
    for number, ((sentence, wanted), roles) in enumerate(
        zip(asked, answer([sentence for sentence, _ in asked]), strict=True)
    ):
        faults = []
        for predicate, who, whom in wanted:
            doers = {argument for word, doer, argument in roles if word == predicate and doer}
            others = {argument for word, doer, argument in roles if word == predicate and not doer}
            if whom == ("-",):
                doers |= others
            faults += [
                f"{predicate}: {words}, found {sorted(known)}"
                for words, known in ((who, doers), (whom, others))
                if words != ("-",) and not known & {*words}
            ]
        right[number >= ORDINARY] += not faults
        if faults:
            print(sentence, *faults, sep="\n  ")
    print(f"ordinary: {right[0]} of {ORDINARY}; news: {right[1]} of {len(asked) - ORDINARY}")
    sentences = Path(file).read_text(encoding="utf-8").splitlines()
    started = time.process_time()
    answer(sentences)
    print(f"{len(sentences) / (time.process_time() - started):.0f} sentences/s of CPU time")


if __name__ == "__main__":
    main()
