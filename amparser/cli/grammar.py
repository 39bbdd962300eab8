"""`amparser grammar`: look inside the grammars that come with the package."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from amparser.corpora.examples import tokenize
from amparser.errors import InputError
from amparser.grammar.inside import counts
from amparser.grammar.library import load_library
from amparser.grammar.reader import grammar_to_str


def show(name: str) -> None:
    """Print a grammar with all its words, in plain Alto notation.

    Raises:
        InputError: there is no such grammar.
    """
    print(grammar_to_str(load_library(name).grammar), end="")


def parse(name: str, sentences: Sequence[str]) -> int:
    """Print each derivation of some sentences, with its logical form; how many have none.

    A line holds the derivation and the logical form, with a tab between, the
    right-branching one first; a blank line ends a sentence.

    Raises:
        InputError: there is no such grammar, or no sentence.
    """
    library = load_library(name)
    if not sentences:
        raise InputError("no sentence, expected one an argument")
    missing = 0
    for sentence in sentences:
        tokens = tokenize(sentence)
        chart = library.chart(tokens)
        first = chart.right_branching()
        if first is None:
            missing += 1
            unknown = ", ".join(map(repr, library.unknown(tokens)))
            print(f"# no derivation: {f'unknown words {unknown}' if unknown else sentence}")
        else:
            others = [other for other in chart.derivations() if other != first]
            for derivation in (first, *others):
                print(f"{derivation}\t{library.meaning(derivation)}")
        print()
    return missing


def sample(
    name: str, *, kind: str | None, count: int, seed: int, setting: str | None = None
) -> None:
    """Print some sentences with their logical forms; without a type, of all that are drawn.

    A sentence may come twice, unlike in a generated corpus.

    Raises:
        InputError: there is no such grammar, or no such type.
    """
    library = load_library(name)
    plan = library.plan(setting)
    known = plan.names
    if kind is not None and kind not in known:
        raise InputError(f"unknown type {kind!r}, expected one of {', '.join(known)}")
    random = Random(seed)
    types = [plan.type_of(k) for k in ([kind] if kind else known)]
    for _ in range(count):
        drawn = random.choice(types)
        derivation = drawn.sample(random)
        form = library.meaning(derivation)
        print(" ".join(library.tokens(derivation)), form, drawn.name, sep="\t")


def count(name: str, *, size: int) -> None:
    """Print for each start how many derivations have so many nodes, a line a number of nodes.

    Raises:
        InputError: there is no such grammar.
    """
    grammar = load_library(name).grammar
    found = counts(grammar, size)
    starts = sorted(grammar.starts)
    print("nodes", *starts, sep="\t")
    for nodes in range(1, size + 1):
        print(nodes, *(found[start][nodes] for start in starts), sep="\t")
